/* The standard library as scripts get it: no files, no processes, no bytecode, no debug, nothing shared to edit. What is not
 * here is not linked either: the lists of the standard library's parts are ours. */
#include "machine.h"

static void remove_fields(lua_State *L, const char *const *names) {
  for (; *names; names++) {
    lua_pushnil(L);
    lua_setfield(L, -2, *names);
  }
}

static void open(lua_State *L, const char *name, lua_CFunction opener) {
  luaL_requiref(L, name, opener, 1);
  lua_pop(L, 1);
}

static void seed(lua_State *L) {
  lua_getglobal(L, LUA_MATHLIBNAME);
  lua_getfield(L, -1, "randomseed");
  lua_pushinteger(L, clua_machine_of(L)->random_seed);
  lua_call(L, 1, 0);
  lua_pop(L, 1);
}

/* Lua makes these texts where nothing protects it from running out of memory: so they are there from the start. */
static void keep_texts(lua_State *L) {
  static const char *const texts[] = {"cannot resume dead coroutine", "cannot resume non-suspended coroutine",
                                      "C stack overflow", "error in error handling", NULL};
  for (const char *const *text = texts; *text; text++) {
    lua_pushboolean(L, 1);
    lua_setfield(L, LUA_REGISTRYINDEX, *text);
  }
}

void clua_open_library(lua_State *L) {
  static const char *const absent[] = {"dofile", "loadfile", "warn", NULL};
  static const char *const no_bytecode[] = {"dump", NULL};
  open(L, LUA_GNAME, luaopen_base);
  open(L, LUA_TABLIBNAME, luaopen_table);
  open(L, LUA_STRLIBNAME, luaopen_string);
  open(L, LUA_MATHLIBNAME, luaopen_math);
  open(L, LUA_UTF8LIBNAME, luaopen_utf8);
  open(L, LUA_COLIBNAME, luaopen_coroutine);
  keep_texts(L);
  seed(L);
  lua_pushglobaltable(L);
  remove_fields(L, absent);
  lua_getfield(L, -1, LUA_STRLIBNAME);
  remove_fields(L, no_bytecode);
  lua_pop(L, 1);
  lua_getfield(L, -1, LUA_COLIBNAME);
  clua_open_coroutines(L);
  lua_pop(L, 1);
  clua_open_calendar(L);
  clua_open_guards(L);
  clua_open_texts(L);
  lua_pop(L, 1);
  lua_pushliteral(L, ""); /* the metatable of all strings is nobody's to edit */
  lua_getmetatable(L, -1);
  lua_pushboolean(L, 0);
  lua_setfield(L, -2, "__metatable");
  lua_pop(L, 2);
}
