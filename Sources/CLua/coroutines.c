/* Coroutines for scripts: a wait of the host passes through them, however deep, and a stop gets out of them.
 * (The idea is nmap's NSE: every host yield carries a private mark, and the resumer hands it on.) */
#include "machine.h"

static int pass_on(lua_State *L, int status, lua_KContext is_wrap);

/* Runs `inner` until it ends, fails, yields or waits; a stop does not come back from here. */
static int run(lua_State *L, lua_State *inner, int values, int *results) {
  clua_machine *machine = clua_machine_of(L);
  bool is_barrier = !lua_isyieldable(L);
  lua_State *outer = atomic_load_explicit(&machine->running, memory_order_relaxed);
  if (machine->is_counting) clua_count_resume(inner, machine);
  machine->barriers += is_barrier;
  atomic_store_explicit(&machine->running, inner, memory_order_release);
  int status = LUA_OK;
  if (!clua_is_stopped(machine)) status = lua_resume(inner, L, values, results);
  atomic_store_explicit(&machine->running, outer, memory_order_release);
  machine->barriers -= is_barrier;
  clua_raise_if_stopped(L, machine);
  return status;
}

/* Closes what is to be closed in `inner`, which does not run; its error, if any, is on its top. */
static int close(lua_State *L, lua_State *inner) {
  clua_machine *machine = clua_machine_of(L);
  lua_State *outer = atomic_load_explicit(&machine->running, memory_order_relaxed);
  if (machine->is_counting) clua_count_resume(inner, machine);
  atomic_store_explicit(&machine->running, inner, memory_order_release);
  int status = LUA_OK;
  if (!clua_is_stopped(machine)) status = lua_resetthread(inner);
  atomic_store_explicit(&machine->running, outer, memory_order_release);
  clua_raise_if_stopped(L, machine);
  return status;
}

/* Answers with the message on the top: false and it, or for a wrap, an error. */
static int refuse(lua_State *L, bool is_wrap) {
  if (is_wrap) {
    luaL_where(L, 1);
    lua_insert(L, -2);
    lua_concat(L, 2);
    return lua_error(L);
  }
  lua_pushboolean(L, 0);
  lua_insert(L, -2);
  return 2;
}

/* Answers with the error of `inner`. One that came up from within keeps its own place. */
static int fail(lua_State *L, lua_State *inner, bool is_wrap) {
  bool has_died = lua_status(inner) > LUA_YIELD;
  if (is_wrap && has_died) {
    close(L, inner);
    lua_xmove(inner, L, 1);
    return lua_error(L);
  }
  lua_xmove(inner, L, 1);
  return refuse(L, is_wrap);
}

/* Resumes the coroutine at index 1 of L with the `values` on the top of L. */
static int resume(lua_State *L, int values, bool is_wrap) {
  lua_State *inner = lua_tothread(L, 1);
  if (clua_is_host_coroutine(inner) && inner != L) {
    lua_pushliteral(L, "cannot resume a task: it goes on when what it waits for is there");
    return refuse(L, is_wrap);
  }
  uintptr_t *flags = lua_getextraspace(inner);
  if (*flags & clua_is_waiting) {
    lua_pushliteral(L, "cannot resume a coroutine that waits in another task");
    return refuse(L, is_wrap);
  }
  if (!lua_checkstack(inner, values)) {
    lua_pushliteral(L, "too many arguments to resume");
    return refuse(L, is_wrap);
  }
  lua_xmove(L, inner, values);
  int results = 0, status = run(L, inner, values, &results);
  if (status != LUA_OK && status != LUA_YIELD) return fail(L, inner, is_wrap);
  if (status == LUA_YIELD && results == 1 && lua_touserdata(inner, -1) == &clua_wait_mark) {
    lua_pop(inner, 1);
    *flags |= clua_is_waiting;
    lua_settop(L, 1);
    lua_pushlightuserdata(L, &clua_wait_mark);
    return lua_yieldk(L, 1, is_wrap, pass_on);
  }
  if (!lua_checkstack(L, results + 1)) {
    lua_pop(inner, results);
    lua_pushliteral(L, "too many results to resume");
    return refuse(L, is_wrap);
  }
  if (!is_wrap) lua_pushboolean(L, 1);
  lua_xmove(inner, L, results);
  return results + !is_wrap;
}

/* The answer has come: hand it down to the coroutine that waits. */
static int pass_on(lua_State *L, int status, lua_KContext is_wrap) {
  (void)status;
  clua_raise_if_stopped(L, clua_machine_of(L));
  *(uintptr_t *)lua_getextraspace(lua_tothread(L, 1)) &= ~(uintptr_t)clua_is_waiting;
  return resume(L, lua_gettop(L) - 1, is_wrap != 0);
}

static int coroutine_resume(lua_State *L) {
  luaL_argexpected(L, lua_tothread(L, 1), 1, "coroutine");
  return resume(L, lua_gettop(L) - 1, false);
}

static int wrapped(lua_State *L) {
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_insert(L, 1);
  return resume(L, lua_gettop(L) - 1, true);
}

/* A script may keep it, and compare it with later ones: so it is never run again for another task. */
static int coroutine_running(lua_State *L) {
  bool is_main = lua_pushthread(L);
  if (!is_main && clua_is_host_coroutine(L)) *(uintptr_t *)lua_getextraspace(L) |= clua_is_seen;
  lua_pushboolean(L, is_main);
  return 2;
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
  bool is_inside = lua_status(inner) == LUA_OK && lua_getstack(inner, 0, &record);
  if (inner == L) return luaL_error(L, "cannot close a running coroutine");
  if (clua_is_host_coroutine(inner)) return luaL_error(L, "cannot close a task: cancel it");
  if (is_inside) return luaL_error(L, "cannot close a normal coroutine");
  if (clua_died_of_stop(inner)) {
    lua_pushliteral(L, "the coroutine was stopped");
    return refuse(L, false);
  }
  if (close(L, inner) == LUA_OK) {
    lua_pushboolean(L, 1);
    return 1;
  }
  lua_xmove(inner, L, 1);
  return refuse(L, false);
}

/* Replaces the standard functions in the library table on the top. */
void clua_open_coroutines(lua_State *L) {
  static const luaL_Reg functions[] = {
      {"create", coroutine_create}, {"resume", coroutine_resume}, {"wrap", coroutine_wrap},
      {"close", coroutine_close},   {"running", coroutine_running}, {NULL, NULL}};
  luaL_setfuncs(L, functions, 0);
}
