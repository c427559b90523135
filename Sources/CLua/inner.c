/* What the host's own Lua code may do and scripts may not: see metatables that are closed, and the places of
 * functions, and copy what a policy reaches. */
#include "machine.h"

#include <string.h>

/* Makes a row at 1 a table like any other. */
static void make_row_plain(lua_State *L) {
  clua_machine *machine = clua_machine_of(L);
  if (lua_istable(L, 1) && machine->make_plain && machine->make_plain(L, 1) != 0) luaL_error(L, "not enough memory");
}

/* metatable(value) → its metatable, whatever `__metatable` says; nil where there is none. */
static int inner_metatable(lua_State *L) {
  luaL_checkany(L, 1);
  make_row_plain(L);
  if (!lua_getmetatable(L, 1)) lua_pushnil(L);
  return 1;
}

/* setMetatable(value, table) → the value; for a light userdata it is that of all of them. */
static int inner_set_metatable(lua_State *L) {
  luaL_checktype(L, 2, LUA_TTABLE);
  lua_settop(L, 2);
  lua_setmetatable(L, 1);
  return 1;
}

/* isList(value) → whether it is a list of items, or nothing at all, rather than an item; what has names too is an item, and no
 * right one. */
static int inner_is_list(lua_State *L) {
  lua_settop(L, 1);
  make_row_plain(L);
  const bool has_elements = lua_istable(L, 1) && lua_rawlen(L, 1) != 0;
  const bool has_first = has_elements && lua_rawgeti(L, 1, 1) != LUA_TNIL;
  bool is_item = !lua_istable(L, 1);
  lua_settop(L, 1);
  lua_pushnil(L);
  while (!is_item && lua_next(L, 1)) {
    is_item = !has_first || lua_type(L, 2) == LUA_TSTRING;
    lua_settop(L, 2);
  }
  lua_pushboolean(L, !is_item);
  return 1;
}

/* place(function) → "feed.lua:12" */
static int inner_place(lua_State *L) {
  luaL_checktype(L, 1, LUA_TFUNCTION);
  lua_Debug record;
  lua_settop(L, 1);
  lua_getinfo(L, ">S", &record);
  lua_pushfstring(L, "%s:%d", record.short_src, record.linedefined);
  return 1;
}

/* callerPlace() → "feed.lua:12", of the innermost line that is not the host's own; nothing where there is none. */
static int inner_caller_place(lua_State *L) {
  static const char own[] = "@lookahead:";
  lua_Debug record;
  for (int level = 1; lua_getstack(L, level, &record); level++) {
    lua_getinfo(L, "Sl", &record);
    if (record.currentline <= 0 || strncmp(record.source, own, sizeof own - 1) == 0) continue;
    lua_pushfstring(L, "%s:%d", record.short_src, record.currentline);
    return 1;
  }
  return 0;
}

/* newRandom() → math.random and math.randomseed of a generator of their own */
static int inner_new_random(lua_State *L) {
  luaopen_math(L);
  lua_getfield(L, -1, "random");
  lua_getfield(L, -2, "randomseed");
  return 2;
}

/* loadCompiled(code) → the function of a chunk that this very Lua has compiled */
static int inner_load_compiled(lua_State *L) {
  size_t length;
  const char *code = luaL_checklstring(L, 1, &length);
  if (luaL_loadbufferx(L, code, length, "=compiled", "b") != LUA_OK) return lua_error(L);
  return 1;
}

static int open_protected(lua_State *L) {
  static const luaL_Reg functions[] = {{"metatable", inner_metatable},
                                       {"setMetatable", inner_set_metatable},
                                       {"isList", inner_is_list},
                                       {"place", inner_place},
                                       {"scriptPlace", inner_caller_place},
                                       {"newRandom", inner_new_random},
                                       {"loadCompiled", inner_load_compiled},
                                       {"copied", clua_copied},
                                       {"order", clua_order},
                                       {"numbers", clua_numbers},
                                       {NULL, NULL}};
  luaL_setfuncs(L, functions, 0);
  return 0;
}

void clua_add_inner(lua_State *L, int index) {
  int table = clua_table_place(L, index);
  if (!table || !lua_checkstack(L, 2)) return;
  lua_pushcfunction(L, open_protected);
  lua_pushvalue(L, table);
  if (lua_pcall(L, 1, 0, 0) != LUA_OK) lua_settop(L, -2);
}
