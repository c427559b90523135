/* Entering Lua: loading chunks, protected calls, coroutines that wait for the host. */
#include "machine.h"

#include <string.h>

static int traceback(lua_State *L) {
  bool is_stop = lua_touserdata(L, 1) == &clua_stop_mark;
  if (!is_stop) clua_say_null(L);
  if (lua_isstring(L, 1) || is_stop) luaL_traceback(L, L, lua_tostring(L, 1), 1);
  return 1;
}

static clua_status answer(lua_State *L, int status) {
  if (status == LUA_OK) return CLUA_OK;
  return clua_stopped(L) == CLUA_RUNNING ? CLUA_ERROR : CLUA_STOPPED;
}

clua_status clua_call(lua_State *L, int arguments, int results, bool wants_traceback) {
  clua_machine *machine = clua_machine_of(L);
  if (clua_is_stopped(machine)) {
    clua_pop(L, arguments + 1);
    clua_push_nil(L);
    return CLUA_STOPPED;
  }
  bool is_right = arguments >= 0 && lua_gettop(L) > arguments && lua_checkstack(L, 2 + (results > 0 ? results : 0));
  if (!is_right) {
    lua_settop(L, lua_gettop(L) > arguments && arguments >= 0 ? -arguments - 2 : 0);
    lua_pushliteral(L, "stack overflow in a function of the host");
    return CLUA_ERROR;
  }
  int handler = 0;
  if (wants_traceback) {
    handler = lua_gettop(L) - arguments;
    lua_pushcfunction(L, traceback);
    lua_insert(L, handler);
  }
  clua_entry entry = clua_enter(machine, L);
  int status = lua_pcall(L, arguments, results, handler);
  clua_leave(machine, entry);
  if (handler) lua_remove(L, handler);
  return answer(L, status);
}

typedef struct {
  const char *text, *name;
  size_t length;
  const char *mode; /* "t" is text, "b" compiled */
} chunk;

static int load_protected(lua_State *L) {
  chunk *source = lua_touserdata(L, 1);
  if (luaL_loadbufferx(L, source->text, source->length, source->name, source->mode) != LUA_OK) return lua_error(L);
  return 1;
}

static clua_status load(lua_State *L, chunk source) {
  if (!lua_checkstack(L, 2)) {
    clua_make_room(L);
    lua_pushliteral(L, "stack overflow in a function of the host");
    return CLUA_ERROR;
  }
  lua_pushcfunction(L, load_protected);
  lua_pushlightuserdata(L, &source);
  return clua_call(L, 1, 1, false);
}

clua_status clua_load(lua_State *L, const char *text, size_t length, const char *name) {
  chunk source = {text, name, length, "t"};
  if (length > 0 && text[0] == '#') { /* a script may start with a #! line; the line count stays */
    while (source.length > 0 && *source.text != '\n') source.text++, source.length--;
  }
  return load(L, source);
}

clua_status clua_load_compiled(lua_State *L, const char *code, size_t length) {
  return load(L, (chunk){code, "=compiled", length, "b"});
}

clua_status clua_load_in(lua_State *L, const char *text, size_t length, const char *name, int environment) {
  environment = clua_table_place(L, environment);
  clua_status status = clua_load(L, text, length, name);
  if (status != CLUA_OK) return status;
  clua_push_value(L, environment);
  if (!lua_setupvalue(L, -2, 1)) lua_pop(L, 1);
  return CLUA_OK;
}

lua_State *clua_new_coroutine(lua_State *L, int *reference) {
  if (lua_gettop(L) == 0) clua_push_nil(L);
  clua_make_room(L);
  lua_State *coroutine = lua_newthread(L);
  *(uintptr_t *)lua_getextraspace(coroutine) |= clua_is_hosts;
  *reference = clua_reference(L);
  lua_xmove(L, coroutine, 1);
  return coroutine;
}

bool clua_restart_coroutine(lua_State *L, lua_State *coroutine) {
  if (lua_gettop(L) == 0 || !lua_checkstack(coroutine, 1)) return false;
  lua_xmove(L, coroutine, 1);
  return true;
}

bool clua_clear_coroutine(lua_State *coroutine) {
  bool is_seen = *(uintptr_t *)lua_getextraspace(coroutine) & clua_is_seen;
  lua_Debug record;
  if (is_seen || lua_status(coroutine) != LUA_OK || lua_getstack(coroutine, 0, &record) || lua_gethook(coroutine)) return false;
  lua_settop(coroutine, 0);
  return true;
}

clua_status clua_resume(lua_State *coroutine, int values, int *results) {
  clua_machine *machine = clua_machine_of(coroutine);
  *results = 0;
  if (clua_is_stopped(machine) || values < 0 || values > lua_gettop(coroutine)) {
    clua_push_nil(coroutine);
    return clua_is_stopped(machine) ? CLUA_STOPPED : CLUA_ERROR;
  }
  int barriers = machine->barriers;
  machine->barriers = 0;
  clua_entry entry = clua_enter(machine, coroutine);
  int status = lua_resume(coroutine, machine->main, values, results);
  clua_leave(machine, entry);
  machine->barriers = barriers;
  if (status == LUA_YIELD) {
    bool waits = *results == 1 && lua_touserdata(coroutine, -1) == &clua_wait_mark;
    lua_pop(coroutine, *results);
    if (waits) return CLUA_WAITS;
    if (!clua_is_stopped(machine)) return CLUA_STRAY_YIELD;
    lua_checkstack(coroutine, 1);
    lua_pushlightuserdata(coroutine, &clua_stop_mark);
    return CLUA_STOPPED;
  }
  return answer(coroutine, status);
}

void clua_reset_coroutine(lua_State *coroutine) {
  clua_machine *machine = clua_machine_of(coroutine);
  if (clua_is_stopped(machine) || clua_died_of_stop(coroutine)) return;
  clua_entry entry = clua_enter(machine, coroutine);
  lua_resetthread(coroutine);
  clua_leave(machine, entry);
}

/* Puts the place where a stop has yielded into the first line of the traceback on the top. */
static void correct_place(lua_State *L) {
  if (!lua_checkstack(L, 3)) return;
  const char *text = lua_tostring(L, -1);
  const char *start = strstr(text, "\n\t");
  const char *rest = start ? strstr(start, ": in ") : NULL;
  if (!rest) return;
  lua_pushlstring(L, text, (size_t)(start + 2 - text));
  lua_pushfstring(L, "%s%s%s", lua_tostring(L, -1), clua_machine_of(L)->stop_place, rest);
  lua_replace(L, -3);
  lua_pop(L, 1);
}

void clua_push_traceback(lua_State *L, lua_State *coroutine) {
  clua_make_room(L);
  luaL_traceback(L, coroutine, NULL, 0);
}

void clua_traceback(lua_State *L, lua_State *coroutine) {
  if (lua_gettop(L) == 0 || !lua_checkstack(L, 8)) return;
  bool is_stop = lua_touserdata(L, -1) == &clua_stop_mark;
  if (!lua_isstring(L, -1) && !is_stop) return;
  if (!is_stop) clua_say_null(L);
  luaL_traceback(L, coroutine, lua_tostring(L, -1), 0);
  lua_remove(L, -2);
  if (is_stop && clua_machine_of(L)->stop_coroutine == coroutine) correct_place(L);
}
