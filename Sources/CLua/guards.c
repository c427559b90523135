/* Standard functions that could outlive a stop, or see a table before it is there: the versions that cannot. */
#include "machine.h"

#include <string.h>

static const lua_Integer largest_count = 10000000;

static void materialize(lua_State *L, int index) {
  clua_machine *machine = clua_machine_of(L);
  if (!machine->materialize || !lua_istable(L, index) || !lua_getmetatable(L, index)) return;
  lua_pop(L, 1);
  if (machine->materialize(L, index) == 0) return;
  clua_raise_if_stopped(L, machine);
  luaL_error(L, "not enough memory");
}

/* Goes on with the standard function, which is the first upvalue, and all arguments. */
static int go_on(lua_State *L) {
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_insert(L, 1);
  lua_call(L, lua_gettop(L) - 1, LUA_MULTRET);
  return lua_gettop(L);
}

static int finish_pcall(lua_State *L, int status, lua_KContext extra) {
  if (status != LUA_OK && status != LUA_YIELD) {
    clua_machine_of(L)->in_script = 1; /* wherever the error came from */
    clua_raise_if_stopped(L, clua_machine_of(L));
    clua_say_null(L);
    lua_pushboolean(L, 0);
    lua_pushvalue(L, -2);
    return 2;
  }
  return lua_gettop(L) - (int)extra;
}

static int guarded_pcall(lua_State *L) {
  luaL_checkany(L, 1);
  lua_pushboolean(L, 1);
  lua_insert(L, 1);
  return finish_pcall(L, lua_pcallk(L, lua_gettop(L) - 2, LUA_MULTRET, 0, 0, finish_pcall), 0);
}

/* The script's own handler, which is left out while the script is stopped: handlers run where no hook bites. */
static int guarded_handler(lua_State *L) {
  if (clua_is_stopped(clua_machine_of(L))) return 1;
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_insert(L, 1);
  lua_call(L, lua_gettop(L) - 1, 1);
  return 1;
}

static int guarded_xpcall(lua_State *L) {
  int count = lua_gettop(L);
  luaL_checktype(L, 2, LUA_TFUNCTION);
  lua_pushvalue(L, 2);
  lua_pushcclosure(L, guarded_handler, 1);
  lua_replace(L, 2);
  lua_pushboolean(L, 1);
  lua_pushvalue(L, 1);
  lua_rotate(L, 3, 2);
  return finish_pcall(L, lua_pcallk(L, count - 2, LUA_MULTRET, 2, 2, finish_pcall), 2);
}

static int guarded_setmetatable(lua_State *L) {
  if (lua_istable(L, 2)) {
    materialize(L, 2);
    lua_pushliteral(L, "__gc");
    if (lua_rawget(L, 2) != LUA_TNIL) return luaL_argerror(L, 2, "__gc is not available to scripts");
    lua_pop(L, 1);
  }
  materialize(L, 1);
  return go_on(L);
}

/* For rawset, rawlen, getmetatable: the table is made first. */
static int raw_access(lua_State *L) {
  materialize(L, 1);
  return go_on(L);
}

/* As the standard function, which would have to be called for each step of a loop. */
static int guarded_next(lua_State *L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 2);
  if (lua_getmetatable(L, 1)) {
    lua_pop(L, 1);
    if (clua_is_view(L, 1)) return clua_view_next(L);
    materialize(L, 1);
  }
  if (lua_next(L, 1)) return 2;
  lua_pushnil(L);
  return 1;
}

static int after_pairs(lua_State *L, int status, lua_KContext context) {
  (void)L, (void)status, (void)context;
  return 3;
}

/* As the standard function, which gives a `next` that guards nothing. */
static int guarded_pairs(lua_State *L) {
  luaL_checkany(L, 1);
  if (luaL_getmetafield(L, 1, "__pairs") != LUA_TNIL) {
    lua_pushvalue(L, 1);
    lua_callk(L, 1, 3, 0, after_pairs);
    return 3;
  }
  lua_pushcfunction(L, guarded_next);
  lua_pushvalue(L, 1);
  lua_pushnil(L);
  return 3;
}

/* As the standard function. */
static int guarded_rawget(lua_State *L) {
  if (clua_is_view(L, 1)) return clua_view_get(L);
  luaL_checktype(L, 1, LUA_TTABLE);
  luaL_checkany(L, 2);
  materialize(L, 1);
  lua_settop(L, 2);
  lua_rawget(L, 1);
  return 1;
}

static int guarded_rawset(lua_State *L) {
  if (clua_is_view(L, 1)) return luaL_argerror(L, 1, "the view is read-only");
  if (luaL_getmetafield(L, 1, "__sealed") != LUA_TNIL) return luaL_argerror(L, 1, "the library is read-only");
  return raw_access(L);
}

/* Without an argument it would go by the time; so it starts the state's own sequence again. */
static int guarded_randomseed(lua_State *L) {
  if (lua_isnoneornil(L, 1)) {
    lua_settop(L, 0);
    lua_pushinteger(L, clua_machine_of(L)->random_seed);
  }
  return go_on(L);
}

/* load(chunk, name, mode, env): text only, and the script's own globals unless others are given. */
static int guarded_load(lua_State *L) {
  bool has_environment = lua_gettop(L) >= 4;
  lua_settop(L, 4);
  lua_pushliteral(L, "t");
  lua_replace(L, 3);
  if (!has_environment) {
    lua_pushvalue(L, lua_upvalueindex(2));
    lua_replace(L, 4);
  }
  return go_on(L);
}

static int guarded_collectgarbage(lua_State *L) {
  const char *option = luaL_optstring(L, 1, "count");
  if (strcmp(option, "count") != 0) return luaL_error(L, "collectgarbage gives 'count' only: the host steers the collector");
  lua_pushnumber(L, (lua_Number)clua_machine_of(L)->used / 1024);
  return 1;
}

static int bounded_rep(lua_State *L) {
  size_t length, separator = 0;
  luaL_checklstring(L, 1, &length);
  lua_Integer count = luaL_checkinteger(L, 2);
  if (!lua_isnoneornil(L, 3)) luaL_checklstring(L, 3, &separator);
  if (count > 0 && length + separator == 0) {
    lua_pushliteral(L, "");
    return 1;
  }
  if (count > 0 && (lua_Number)count * (lua_Number)(length + separator) > 1e9) {
    return luaL_error(L, "resulting string too large");
  }
  return go_on(L);
}

static int bounded_move(lua_State *L) {
  lua_Integer first = luaL_checkinteger(L, 2), last = luaL_checkinteger(L, 3);
  if (last >= first && (lua_Number)last - (lua_Number)first > (lua_Number)largest_count) {
    return luaL_argerror(L, 3, "too many elements to move");
  }
  return go_on(L);
}

/* For table.insert and table.remove, whose work grows with what __len claims. */
static int bounded_length(lua_State *L) {
  if (lua_istable(L, 1) && luaL_getmetafield(L, 1, "__len") != LUA_TNIL) {
    lua_pop(L, 1);
    if (luaL_len(L, 1) > largest_count) return luaL_argerror(L, 1, "the list is too long");
  }
  return go_on(L);
}

void clua_wrap(lua_State *L, const char *name, lua_CFunction guard) {
  lua_getfield(L, -1, name);
  lua_pushcclosure(L, guard, 1);
  lua_setfield(L, -2, name);
}

/* Guards the globals in the table on the top, and the libraries within. */
void clua_open_guards(lua_State *L) {
  static const luaL_Reg functions[] = {{"pcall", guarded_pcall},
                                       {"xpcall", guarded_xpcall},
                                       {"collectgarbage", guarded_collectgarbage},
                                       {"next", guarded_next},
                                       {"pairs", guarded_pairs},
                                       {"rawget", guarded_rawget},
                                       {NULL, NULL}};
  luaL_setfuncs(L, functions, 0);
  clua_wrap(L, "setmetatable", guarded_setmetatable);
  clua_wrap(L, "rawset", guarded_rawset);
  clua_wrap(L, "rawlen", raw_access);
  clua_wrap(L, "getmetatable", raw_access);
  lua_getfield(L, -1, "load");
  lua_pushvalue(L, -2);
  lua_pushcclosure(L, guarded_load, 2);
  lua_setfield(L, -2, "load");
  lua_getfield(L, -1, "string");
  clua_wrap(L, "rep", bounded_rep);
  lua_pop(L, 1);
  lua_getfield(L, -1, "math");
  clua_wrap(L, "randomseed", guarded_randomseed);
  lua_pop(L, 1);
  lua_getfield(L, -1, "table");
  clua_wrap(L, "move", bounded_move);
  clua_wrap(L, "insert", bounded_length);
  clua_wrap(L, "remove", bounded_length);
  lua_pop(L, 1);
}
