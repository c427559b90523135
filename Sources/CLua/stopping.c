/* Stopping scripts from outside: a hook that is installed only when it is to bite, by a signal to the script's thread. */
#include "machine.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

static int raise_stop(lua_State *L) {
  lua_pushlightuserdata(L, &clua_stop_mark);
  return lua_error(L);
}

static void stop_hook(lua_State *L, lua_Debug *where) {
  clua_machine *machine = clua_machine_of(L);
  if (clua_is_stopped(machine)) {
    clua_stop_in_hook(L, where);
  } else if (machine->is_counting) {
    clua_count(L, machine);
  } else {
    lua_sethook(L, NULL, 0, 0); /* the stop is over */
  }
}

void clua_arm(lua_State *L) {
  lua_sethook(L, stop_hook, LUA_MASKCALL | LUA_MASKRET | LUA_MASKLINE | LUA_MASKCOUNT, 1);
}

void clua_raise_if_stopped(lua_State *L, clua_machine *machine) {
  if (!clua_is_stopped(machine)) return;
  clua_arm(L); /* whatever catches this is stopped as well */
  if (lua_isyieldable(L)) lua_yield(L, 0);
  raise_stop(L);
}

/* Only between two instructions may a hook yield; the next one comes at once. */
void clua_stop_in_hook(lua_State *L, lua_Debug *where) {
  if (lua_gethook(L) != stop_hook) clua_arm(L);
  if (!lua_isyieldable(L)) raise_stop(L);
  if (where->event != LUA_HOOKCOUNT && where->event != LUA_HOOKLINE) return;
  clua_machine *machine = clua_machine_of(L);
  lua_getinfo(L, "Sl", where);
  machine->stop_coroutine = L;
  snprintf(machine->stop_place, sizeof machine->stop_place, "%s:%d", where->short_src, where->currentline);
  lua_yield(L, 0);
}

bool clua_died_of_stop(lua_State *coroutine) {
  return lua_status(coroutine) > LUA_YIELD && lua_touserdata(coroutine, -1) == &clua_stop_mark;
}

/* Delivered to the thread that runs the script, so that nothing moves while the hook is set (as lua.c does it). */
static void on_signal(int number) {
  (void)number;
  clua_machine *machine = clua_current;
  if (!machine || !clua_is_stopped(machine)) return;
  lua_State *running = atomic_load(&machine->running);
  if (running && machine->in_script) clua_arm(running);
}

static void install_handler(void) {
  struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
  sigaction(SIGUSR2, &action, NULL);
}

void clua_handle_signals(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, install_handler);
}

/* By the kernel's number, which harms nobody when the thread has ended. */
void clua_signal(clua_machine *machine) {
  int thread = atomic_load_explicit(&machine->thread, memory_order_relaxed), error = errno;
  if (thread) syscall(SYS_tgkill, getpid(), thread, SIGUSR2);
  errno = error;
}

void clua_stop(lua_State *L, clua_stop_reason reason) {
  clua_machine *machine = clua_machine_of(L);
  atomic_store(&machine->stopped_at, clua_monotonic());
  atomic_store(&machine->stop, reason);
  atomic_store(&machine->account->is_stopped, true);
  clua_signal(machine);
}

clua_stop_reason clua_stopped(lua_State *L) { return atomic_load(&clua_machine_of(L)->stop); }

int clua_is_to_end(lua_State *L) { return clua_is_stopped(clua_machine_of(L)); }

void clua_clear_stop(lua_State *L) {
  clua_machine *machine = clua_machine_of(L);
  machine->refusals = 0;
  atomic_store(&machine->stop, CLUA_RUNNING);
  atomic_store(&machine->account->is_stopped, false);
  atomic_store(&machine->stopped_at, 0);
}

void clua_clear_limit(lua_State *L) {
  clua_machine *machine = clua_machine_of(L);
  int reason = atomic_load(&machine->stop);
  if (reason == CLUA_RUNNING || reason == CLUA_STOP_INTERRUPT) return;
  machine->refusals = 0;
  atomic_store(&machine->account->is_stopped, false);
  atomic_compare_exchange_strong(&machine->stop, &reason, CLUA_RUNNING);
  if (atomic_load(&machine->stop) != CLUA_RUNNING) atomic_store(&machine->account->is_stopped, true);
}
