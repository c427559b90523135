/* The stack, tables and references, for a host that must not be raised through: raw access only. */
#include "machine.h"

int clua_top(lua_State *L) { return lua_gettop(L); }
void clua_set_top(lua_State *L, int top) { lua_settop(L, top); }
void clua_pop(lua_State *L, int count) { lua_pop(L, count); }
bool clua_check_stack(lua_State *L, int slots) { return lua_checkstack(L, slots); }
int clua_absolute(lua_State *L, int index) { return lua_absindex(L, index); }
void clua_push_value(lua_State *L, int index) { lua_pushvalue(L, index); }
void clua_insert(lua_State *L, int index) { lua_insert(L, index); }
void clua_remove(lua_State *L, int index) { lua_remove(L, index); }
void clua_move(lua_State *from, lua_State *to, int count) {
  if (lua_checkstack(to, count)) lua_xmove(from, to, count);
}

clua_type_tag clua_type(lua_State *L, int index) { return (clua_type_tag)lua_type(L, index); }
const char *clua_type_name(lua_State *L, int index) { return luaL_typename(L, index); }
bool clua_is_integer(lua_State *L, int index) { return lua_isinteger(L, index); }
bool clua_to_boolean(lua_State *L, int index) { return lua_toboolean(L, index); }
double clua_to_number(lua_State *L, int index) { return lua_tonumber(L, index); }
int64_t clua_to_integer(lua_State *L, int index) { return lua_tointeger(L, index); }
void *clua_to_light(lua_State *L, int index) { return lua_touserdata(L, index); }

const char *clua_to_string(lua_State *L, int index, size_t *length) {
  if (lua_type(L, index) != LUA_TSTRING) return NULL;
  return lua_tolstring(L, index, length);
}

static int describe(lua_State *L) {
  luaL_tolstring(L, 1, NULL);
  return 1;
}

const char *clua_describe(lua_State *L, int index, size_t *length) {
  index = lua_absindex(L, index);
  if (lua_type(L, index) == LUA_TSTRING) { /* whatever the script's limits */
    lua_pushvalue(L, index);
    return lua_tolstring(L, -1, length);
  }
  lua_pushcfunction(L, describe);
  lua_pushvalue(L, index);
  if (clua_call(L, 1, 1, false) != CLUA_OK) {
    lua_pop(L, 1);
    lua_pushfstring(L, "(a %s that cannot be shown)", luaL_typename(L, index));
  }
  return lua_tolstring(L, -1, length);
}

void clua_push_nil(lua_State *L) { lua_pushnil(L); }
void clua_push_boolean(lua_State *L, bool value) { lua_pushboolean(L, value); }
void clua_push_integer(lua_State *L, int64_t value) { lua_pushinteger(L, value); }
void clua_push_number(lua_State *L, double value) { lua_pushnumber(L, value); }
void clua_push_string(lua_State *L, const char *bytes, size_t length) { lua_pushlstring(L, bytes, length); }
void clua_push_light(lua_State *L, void *pointer) { lua_pushlightuserdata(L, pointer); }
void clua_push_where(lua_State *L, int level) { luaL_where(L, level); }

void clua_new_table(lua_State *L, int array, int fields) { lua_createtable(L, array, fields); }

clua_type_tag clua_get_field(lua_State *L, int index, const char *key) {
  index = lua_absindex(L, index);
  lua_pushstring(L, key);
  return (clua_type_tag)lua_rawget(L, index);
}

void clua_set_field(lua_State *L, int index, const char *key) {
  index = lua_absindex(L, index);
  lua_pushstring(L, key);
  lua_insert(L, -2);
  lua_rawset(L, index);
}

clua_type_tag clua_get_index(lua_State *L, int index, int64_t position) {
  return (clua_type_tag)lua_rawgeti(L, index, position);
}
void clua_set_index(lua_State *L, int index, int64_t position) { lua_rawseti(L, index, position); }
size_t clua_length(lua_State *L, int index) { return lua_rawlen(L, index); }
bool clua_next(lua_State *L, int index) { return lua_next(L, index); }
void clua_set_metatable(lua_State *L, int index) { lua_setmetatable(L, index); }
bool clua_get_metatable(lua_State *L, int index) { return lua_getmetatable(L, index); }
void clua_push_globals(lua_State *L) { lua_pushglobaltable(L); }
bool clua_same(lua_State *L, int left, int right) { return lua_rawequal(L, left, right); }

void clua_push_debug(lua_State *L) {
  lua_pushliteral(L, "lookahead.debug");
  lua_rawget(L, LUA_REGISTRYINDEX);
}

int clua_reference(lua_State *L) { return luaL_ref(L, LUA_REGISTRYINDEX); }
void clua_unreference(lua_State *L, int reference) { luaL_unref(L, LUA_REGISTRYINDEX, reference); }
clua_type_tag clua_push_reference(lua_State *L, int reference) {
  return (clua_type_tag)lua_rawgeti(L, LUA_REGISTRYINDEX, reference);
}

void clua_push_place(lua_State *L, int index) {
  lua_Debug record;
  if (!lua_isfunction(L, index)) {
    lua_pushliteral(L, "");
    return;
  }
  lua_pushvalue(L, index);
  lua_getinfo(L, ">S", &record);
  if (record.linedefined > 0) {
    lua_pushfstring(L, "%s:%d", record.short_src, record.linedefined);
  } else {
    lua_pushliteral(L, "");
  }
}
