/* The line that is edited, for the functions that keys are bound to. */
#ifndef CTERMINAL_LINE_H
#define CTERMINAL_LINE_H

#include "CEdit.h"

#include <histedit.h>

/* What the function that a key is bound to wished. */
extern cedit_wish cedit_wished;

/* Names our functions and binds the keys to them. */
void cedit_bind_keys(EditLine *editor);

#endif
