/* What deciding needs of views. */
#ifndef CLUA_VIEW_H
#define CLUA_VIEW_H

#include "machine.h"

/* Pushes the table that scripts read, up to date. */
void clua_push_view(lua_State *L, clua_view *view);

#endif
