/* Objects of the host that scripts hold without seeing into them. */
#include "machine.h"

typedef struct {
  void *owner;
  void (*release)(void *owner);
} box;

static const char metatable_name[] = "lookahead.owner";

static int collect(lua_State *L) {
  box *held = lua_touserdata(L, 1);
  void *owner = held->owner;
  held->owner = NULL;
  if (owner) held->release(owner);
  return 0;
}

void clua_push_owner(lua_State *L, void *owner, void (*release)(void *owner)) {
  box *held = lua_newuserdatauv(L, sizeof *held, 0);
  held->owner = NULL;
  held->release = release;
  if (luaL_newmetatable(L, metatable_name)) {
    lua_pushcfunction(L, collect);
    lua_setfield(L, -2, "__gc");
    lua_pushboolean(L, 0);
    lua_setfield(L, -2, "__metatable");
  }
  lua_setmetatable(L, -2);
  held->owner = owner;
}

void *clua_to_owner(lua_State *L, int index) {
  box *held = luaL_testudata(L, index, metatable_name);
  return held ? held->owner : NULL;
}
