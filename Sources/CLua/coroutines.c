/* Coroutines for scripts: a wait of the host passes through them, however deep, and a stop gets out of them.
 * (The idea is nmap's NSE: every host yield carries a private mark, and the resumer hands it on.) */
#include "machine.h"

static int pass_on(lua_State *L, int status, lua_KContext is_wrap);

/* Resumes the coroutine at index 1 of L with the `values` on the top of L. */
static int resume(lua_State *L, int values, bool is_wrap) {
  clua_machine *machine = clua_machine_of(L);
  lua_State *inner = lua_tothread(L, 1);
  int results = 0, status;
  if (!lua_checkstack(inner, values)) return luaL_error(L, "too many arguments to resume");
  lua_xmove(L, inner, values);
  bool is_barrier = !lua_isyieldable(L);
  machine->barriers += is_barrier;
  lua_State *outer = atomic_exchange(&machine->running, inner);
  status = lua_resume(inner, L, values, &results);
  atomic_store(&machine->running, outer);
  machine->barriers -= is_barrier;
  clua_raise_if_stopped(L, machine);
  if (status == LUA_YIELD && results == 1 && lua_touserdata(inner, -1) == &clua_wait_mark) {
    lua_pop(inner, 1);
    lua_settop(L, 1);
    lua_pushlightuserdata(L, &clua_wait_mark);
    return lua_yieldk(L, 1, is_wrap, pass_on);
  }
  if (status != LUA_OK && status != LUA_YIELD) {
    if (is_wrap) {
      lua_xmove(inner, L, 1);
      lua_resetthread(inner);
      return lua_error(L);
    }
    lua_pushboolean(L, 0);
    lua_xmove(inner, L, 1);
    return 2;
  }
  if (!lua_checkstack(L, results + 1)) return luaL_error(L, "too many results to resume");
  if (!is_wrap) lua_pushboolean(L, 1);
  lua_xmove(inner, L, results);
  return results + !is_wrap;
}

/* The answer has come: hand it down to the coroutine that waits. */
static int pass_on(lua_State *L, int status, lua_KContext is_wrap) {
  (void)status;
  clua_raise_if_stopped(L, clua_machine_of(L));
  return resume(L, lua_gettop(L) - 1, is_wrap != 0);
}

static int coroutine_resume(lua_State *L) {
  lua_State *inner = lua_tothread(L, 1);
  luaL_argexpected(L, inner, 1, "coroutine");
  if (lua_status(inner) != LUA_YIELD && !(lua_status(inner) == LUA_OK && lua_gettop(inner) > 0 && inner != L)) {
    lua_pushboolean(L, 0);
    lua_pushstring(L, inner == L ? "cannot resume non-suspended coroutine" : "cannot resume dead coroutine");
    return 2;
  }
  lua_Debug record;
  if (lua_status(inner) == LUA_OK && lua_getstack(inner, 0, &record)) { /* it resumed us, or itself runs */
    lua_pushboolean(L, 0);
    lua_pushliteral(L, "cannot resume non-suspended coroutine");
    return 2;
  }
  return resume(L, lua_gettop(L) - 1, false);
}

static int wrapped(lua_State *L) {
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_insert(L, 1);
  lua_State *inner = lua_tothread(L, 1);
  lua_Debug record;
  bool is_suspended = lua_status(inner) == LUA_YIELD ||
                      (lua_status(inner) == LUA_OK && !lua_getstack(inner, 0, &record) && lua_gettop(inner) > 0);
  if (!is_suspended) {
    return luaL_error(L, lua_getstack(inner, 0, &record) && lua_status(inner) == LUA_OK
                             ? "cannot resume non-suspended coroutine"
                             : "cannot resume dead coroutine");
  }
  return resume(L, lua_gettop(L) - 1, true);
}

static int coroutine_create(lua_State *L) {
  luaL_checktype(L, 1, LUA_TFUNCTION);
  lua_State *inner = lua_newthread(L);
  lua_pushvalue(L, 1);
  lua_xmove(L, inner, 1);
  return 1;
}

static int coroutine_wrap(lua_State *L) {
  coroutine_create(L);
  lua_pushcclosure(L, wrapped, 1);
  return 1;
}

static int coroutine_close(lua_State *L) {
  lua_State *inner = lua_tothread(L, 1);
  luaL_argexpected(L, inner, 1, "coroutine");
  lua_Debug record;
  if (inner == L || (lua_status(inner) == LUA_OK && lua_getstack(inner, 0, &record))) {
    return luaL_error(L, "cannot close a running coroutine");
  }
  clua_machine *machine = clua_machine_of(L);
  lua_State *outer = atomic_exchange(&machine->running, inner);
  int status = lua_resetthread(inner);
  atomic_store(&machine->running, outer);
  clua_raise_if_stopped(L, machine);
  if (status == LUA_OK) {
    lua_pushboolean(L, 1);
    return 1;
  }
  lua_pushboolean(L, 0);
  lua_xmove(inner, L, 1);
  return 2;
}

/* Replaces the standard functions in the library table on the top. */
void clua_open_coroutines(lua_State *L) {
  static const luaL_Reg functions[] = {
      {"create", coroutine_create}, {"resume", coroutine_resume}, {"wrap", coroutine_wrap},
      {"close", coroutine_close},   {NULL, NULL}};
  luaL_setfuncs(L, functions, 0);
}
