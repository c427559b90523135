/* The life of a state: memory, entering and leaving, the trampoline between Lua and the host. */
#include "machine.h"

#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

char clua_wait_mark, clua_stop_mark;
_Thread_local clua_machine *clua_current;

enum { refusals_allowed = 1000 };

/* Whether this many bytes more are over the limit. */
static bool is_over(clua_machine *machine, size_t more) {
  if (!machine->limit) return false;
  int64_t held = atomic_load_explicit(&machine->account->held, memory_order_relaxed);
  return machine->used + more + (held > 0 ? (size_t)held : 0) > machine->limit;
}

static void *allocate(void *context, void *block, size_t old_size, size_t new_size) {
  clua_machine *machine = context;
  size_t held = block ? old_size : 0;
  if (new_size == 0) {
    clua_give_back(&machine->blocks, block, held);
    machine->used -= held;
    return NULL;
  }
  if (new_size > held && machine->in_script && is_over(machine, new_size - held)) {
    if (++machine->refusals > refusals_allowed) clua_stop(machine->main, CLUA_STOP_MEMORY);
    return NULL;
  }
  void *moved = clua_resize(&machine->blocks, block, held, new_size);
  if (!moved) {
    if (machine->in_script) return NULL;
    fputs("lookahead: the machine has no memory left\n", stderr);
    abort();
  }
  machine->used += new_size - held;
  return moved;
}

static int panic(lua_State *L) {
  const char *message = lua_tostring(L, -1);
  fprintf(stderr, "lookahead: unprotected Lua error: %s\n", message ? message : "(no text)");
  abort();
}

static void warn(void *context, const char *message, int continues) {
  (void)context, (void)message, (void)continues;
}

static int open_protected(lua_State *L) {
  clua_open_library(L);
  return 0;
}

lua_State *clua_new(clua_host_function call, uint64_t random_seed) {
  clua_machine *machine = calloc(1, sizeof *machine);
  if (!machine) return NULL;
  machine->account = clua_new_account();
  if (!machine->account) return free(machine), NULL;
  machine->call = call;
  machine->random_seed = (lua_Integer)random_seed;
  clua_handle_signals();
  lua_State *L = lua_newstate(allocate, machine);
  if (!L) {
    clua_free_blocks(&machine->blocks);
    clua_release_account(machine->account);
    free(machine);
    return NULL;
  }
  machine->main = L;
  *(clua_machine **)lua_getextraspace(L) = machine;
  lua_atpanic(L, panic);
  lua_setwarnf(L, warn, NULL);
  lua_pushcfunction(L, open_protected);
  if (lua_pcall(L, 0, 0, 0) != LUA_OK) panic(L);
  return L;
}

void clua_close(lua_State *L) {
  clua_machine *machine = clua_machine_of(L);
  clua_unwatch(machine);
  atomic_store(&machine->account->is_stopped, true);
  lua_close(machine->main);
  clua_free_blocks(&machine->blocks);
  clua_release_account(machine->account);
  free(machine);
}

void clua_set_memory_limit(lua_State *L, size_t bytes) { clua_machine_of(L)->limit = bytes; }
void clua_set_materialize(lua_State *L, int (*materialize)(lua_State *L, int index),
                          int (*make_plain)(lua_State *L, int index)) {
  clua_machine_of(L)->materialize = materialize;
  clua_machine_of(L)->make_plain = make_plain;
}

void clua_collect(lua_State *L) { lua_gc(L, LUA_GCCOLLECT); }

void clua_pause_collector(lua_State *L) { lua_gc(L, LUA_GCSTOP); }

void clua_resume_collector(lua_State *L) {
  lua_gc(L, LUA_GCRESTART);
  lua_gc(L, LUA_GCSTEP, -lua_gc(L, LUA_GCCOUNT));
}

int64_t clua_monotonic(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

/* The kernel's number of this thread, which hears the watchdog from here on: the workers of a thread pool may not. */
static int thread_number(void) {
  static _Thread_local int number;
  if (number) return number;
  sigset_t ours;
  sigemptyset(&ours);
  sigaddset(&ours, SIGUSR2);
  pthread_sigmask(SIG_UNBLOCK, &ours, NULL);
  number = (int)syscall(SYS_gettid);
  return number;
}

static void turn(clua_machine *machine) {
  uint64_t entries = atomic_load_explicit(&machine->entries, memory_order_relaxed);
  atomic_store_explicit(&machine->entries, entries + 1, memory_order_release);
}

static bool has_total(clua_machine *machine) {
  return !machine->is_paid_elsewhere && atomic_load_explicit(&machine->account->total, memory_order_relaxed) != 0;
}

/* Only this thread and signal handlers on it follow `running`, so plain stores in program order are enough. */
clua_entry clua_enter(clua_machine *machine, lua_State *L) {
  clua_entry entry = {atomic_load_explicit(&machine->running, memory_order_relaxed), clua_current, machine->in_script};
  if (!entry.running) {
    atomic_store_explicit(&machine->thread, thread_number(), memory_order_relaxed);
    if (has_total(machine)) atomic_store_explicit(&machine->entered, clua_monotonic(), memory_order_release);
    turn(machine);
  }
  clua_current = machine;
  machine->in_script = 1;
  atomic_store_explicit(&machine->running, L, memory_order_release);
  return entry;
}

void clua_leave(clua_machine *machine, clua_entry entry) {
  atomic_store_explicit(&machine->running, entry.running, memory_order_release);
  clua_current = entry.current;
  machine->in_script = entry.in_script;
  if (entry.running) return;
  turn(machine);
  if (has_total(machine)) {
    int64_t entered = atomic_load_explicit(&machine->entered, memory_order_relaxed);
    atomic_store_explicit(&machine->entered, 0, memory_order_release);
    if (entered) clua_spend(machine->account, clua_monotonic() - entered);
  }
}

/* Bytes held outside of the Lua heap that the collector is told of together. */
enum { told_together = 256 << 10 };

/* The collector goes on as if the script had been given what is held for it elsewhere: garbage is small, and may hold much. */
static void pace_collector(lua_State *L, clua_account *account) {
  if (atomic_load_explicit(&account->untold, memory_order_relaxed) < told_together) return;
  int64_t kilobytes = atomic_exchange_explicit(&account->untold, 0, memory_order_relaxed) >> 10;
  lua_gc(L, LUA_GCSTEP, kilobytes < INT_MAX ? (int)kilobytes : INT_MAX);
}

/* What the host has left for the script counts as the script's own: over the limit it is an error here, where one may be raised. */
static void check_memory(lua_State *L, clua_machine *machine) {
  pace_collector(L, machine->account);
  if (!is_over(machine, 0)) return;
  lua_gc(L, LUA_GCCOLLECT);
  if (!is_over(machine, 0)) return;
  if (++machine->refusals > refusals_allowed) clua_stop(machine->main, CLUA_STOP_MEMORY);
  clua_raise_if_stopped(L, machine);
  lua_pushliteral(L, "not enough memory");
  lua_error(L);
}

/* What a waiting call goes on with: true and its results, or false and its error. */
static int after_wait(lua_State *L, int status, lua_KContext context) {
  (void)status, (void)context;
  clua_raise_if_stopped(L, clua_machine_of(L));
  check_memory(L, clua_machine_of(L));
  if (lua_toboolean(L, 1)) return lua_gettop(L) - 1;
  lua_settop(L, 2);
  if (lua_istable(L, 2)) { /* a failure of the world learns where it was asked for */
    lua_pushliteral(L, "where");
    if (lua_rawget(L, 2) == LUA_TNIL) {
      luaL_where(L, 1);
      lua_setfield(L, 2, "where");
    }
    lua_settop(L, 2);
  }
  return lua_error(L);
}

/* Every host function is this one: the host has returned, and its frames are gone, before Lua raises or yields. */
static int trampoline(lua_State *L) {
  clua_machine *machine = clua_machine_of(L);
  void *context = lua_touserdata(L, lua_upvalueindex(1));
  machine->fault[0] = 0;
  machine->in_script = 0;
  int results = machine->call(L, context);
  machine->in_script = 1;
  clua_raise_if_stopped(L, machine);
  if (results != CLUA_WAIT) check_memory(L, machine);
  if (results != CLUA_WAIT && machine->fault[0]) {
    clua_push_script_where(L);
    lua_pushstring(L, machine->fault);
    machine->fault[0] = 0;
    lua_concat(L, 2);
    return lua_error(L);
  }
  if (results >= 0) return results < lua_gettop(L) ? results : lua_gettop(L);
  if (results == CLUA_RAISE) {
    if (lua_gettop(L) == 0) lua_pushnil(L);
    return lua_error(L);
  }
  lua_settop(L, 0);
  lua_pushlightuserdata(L, &clua_wait_mark);
  return lua_yieldk(L, 1, 0, after_wait);
}

void clua_push_host_function(lua_State *L, void *context) {
  clua_make_room(L);
  lua_pushlightuserdata(L, context);
  lua_pushcclosure(L, trampoline, 1);
}

bool clua_can_wait(lua_State *L) { return clua_machine_of(L)->barriers == 0 && lua_isyieldable(L); }
