/* Stopping scripts from outside: a hook that is installed only when it is to bite, and the watchdog that asks for it. */
#include "machine.h"

#include <signal.h>
#include <time.h>

enum { watch_interval_ms = 10 };
static const int64_t stuck_after = 5000000000;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static clua_machine *watched;
static bool has_watchdog;

static void stop_hook(lua_State *L, lua_Debug *where) {
  (void)where;
  clua_machine *machine = clua_machine_of(L);
  if (atomic_load(&machine->stop) == CLUA_RUNNING) {
    lua_sethook(L, NULL, 0, 0);
    return;
  }
  clua_raise_if_stopped(L, machine);
}

void clua_arm(lua_State *L) {
  lua_sethook(L, stop_hook, LUA_MASKCALL | LUA_MASKRET | LUA_MASKLINE | LUA_MASKCOUNT, 1);
}

void clua_raise_if_stopped(lua_State *L, clua_machine *machine) {
  if (atomic_load_explicit(&machine->stop, memory_order_relaxed) == CLUA_RUNNING) return;
  clua_arm(L); /* whatever catches this error is stopped as well */
  lua_pushlightuserdata(L, &clua_stop_mark);
  lua_error(L);
}

/* Delivered to the thread that runs the script, so that nothing moves while the hook is set (as lua.c does it). */
static void on_signal(int number) {
  (void)number;
  clua_machine *machine = clua_current;
  if (!machine || atomic_load(&machine->stop) == CLUA_RUNNING) return;
  lua_State *running = atomic_load(&machine->running);
  if (running && machine->in_script) clua_arm(running);
}

/* Asks again at every round until the script is out: a signal may come while a C function runs. */
static void check(clua_machine *machine, int64_t now) {
  int64_t entered = atomic_load(&machine->entered);
  if (!entered) return;
  int64_t ran = now - entered;
  if (atomic_load(&machine->stop) == CLUA_RUNNING) {
    bool is_over = (machine->burst && ran > machine->burst) ||
                   (machine->total && atomic_load(&machine->spent) + ran > machine->total);
    if (!is_over) return;
    atomic_store(&machine->stopped_at, now);
    atomic_store(&machine->stop, CLUA_STOP_TIME);
  }
  pthread_kill(machine->thread, SIGUSR2);
  int64_t since = atomic_load(&machine->stopped_at);
  if (machine->stuck && since && now - since > stuck_after) machine->stuck();
}

static void *watch(void *unused) {
  (void)unused;
  pthread_mutex_lock(&lock);
  for (;;) {
    while (!watched) pthread_cond_wait(&changed, &lock);
    int64_t now = clua_monotonic();
    for (clua_machine *machine = watched; machine; machine = machine->next) check(machine, now);
    pthread_mutex_unlock(&lock);
    struct timespec pause = {0, watch_interval_ms * 1000000};
    nanosleep(&pause, NULL);
    pthread_mutex_lock(&lock);
  }
  return NULL;
}

void clua_watch(clua_machine *machine) {
  pthread_mutex_lock(&lock);
  if (!machine->is_watched) {
    machine->is_watched = true;
    machine->next = watched;
    watched = machine;
  }
  if (!has_watchdog) {
    has_watchdog = true;
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
    sigaction(SIGUSR2, &action, NULL);
    sigset_t all, old;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    pthread_t thread;
    if (pthread_create(&thread, NULL, watch, NULL) == 0) pthread_detach(thread);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
  }
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&lock);
}

void clua_unwatch(clua_machine *machine) {
  pthread_mutex_lock(&lock);
  for (clua_machine **link = &watched; *link; link = &(*link)->next) {
    if (*link != machine) continue;
    *link = machine->next;
    break;
  }
  pthread_mutex_unlock(&lock);
}

/* A parent, or a pool of threads, may have left the signal blocked. */
void clua_listen(void) {
  static _Thread_local bool listens;
  if (listens) return;
  listens = true;
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGUSR2);
  pthread_sigmask(SIG_UNBLOCK, &signals, NULL);
}

void clua_set_time_limits(lua_State *L, double burst, double total) {
  clua_machine *machine = clua_machine_of(L);
  machine->burst = (int64_t)(burst * 1e9);
  machine->total = (int64_t)(total * 1e9);
  clua_watch(machine);
}

void clua_stop(lua_State *L, clua_stop_reason reason) {
  clua_machine *machine = clua_machine_of(L);
  atomic_store(&machine->stopped_at, clua_monotonic());
  atomic_store(&machine->stop, reason);
  if (atomic_load(&machine->running) && machine->is_watched) pthread_kill(machine->thread, SIGUSR2);
}

clua_stop_reason clua_stopped(lua_State *L) { return atomic_load(&clua_machine_of(L)->stop); }

void clua_clear_stop(lua_State *L) {
  clua_machine *machine = clua_machine_of(L);
  machine->refusals = 0;
  atomic_store(&machine->stop, CLUA_RUNNING);
  atomic_store(&machine->stopped_at, 0);
}
