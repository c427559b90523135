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

/* Pushes the metatable of boxes, made at the first one. */
static void push_metatable(lua_State *L) {
  lua_pushstring(L, metatable_name);
  if (lua_rawget(L, LUA_REGISTRYINDEX) == LUA_TTABLE) return;
  lua_pop(L, 1);
  lua_createtable(L, 0, 2);
  lua_pushliteral(L, "__gc");
  lua_pushcfunction(L, collect);
  lua_rawset(L, -3);
  lua_pushliteral(L, "__metatable");
  lua_pushboolean(L, 0);
  lua_rawset(L, -3);
  lua_pushstring(L, metatable_name);
  lua_pushvalue(L, -2);
  lua_rawset(L, LUA_REGISTRYINDEX);
}

void clua_push_owner(lua_State *L, void *owner, void (*release)(void *owner)) {
  clua_make_room(L);
  if (!lua_checkstack(L, 6)) {
    release(owner);
    lua_pushnil(L);
    return;
  }
  box *held = lua_newuserdatauv(L, sizeof *held, 0);
  held->owner = NULL;
  held->release = release;
  push_metatable(L);
  lua_setmetatable(L, -2);
  held->owner = owner;
}

void *clua_to_owner(lua_State *L, int index) {
  int place = clua_place(L, index);
  if (!place || lua_type(L, place) != LUA_TUSERDATA || !lua_checkstack(L, 3) || !lua_getmetatable(L, place)) return NULL;
  push_metatable(L);
  bool is_box = lua_rawequal(L, -1, -2);
  lua_pop(L, 2);
  return is_box ? ((box *)lua_touserdata(L, place))->owner : NULL;
}
