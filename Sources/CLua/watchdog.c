/* The watchdog: one thread that looks at every watched machine a hundred times a second, and keeps their time limits. */
#include "machine.h"

#include <math.h>
#include <signal.h>
#include <time.h>

enum { watch_interval_ms = 10 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static clua_machine *watched;
static bool has_watchdog;

static bool is_over(clua_machine *machine, int64_t now) {
  int64_t entered = atomic_load_explicit(&machine->entered, memory_order_acquire);
  int64_t spent = atomic_load_explicit(&machine->account->spent, memory_order_acquire);
  int64_t total = atomic_load_explicit(&machine->account->total, memory_order_acquire);
  if (machine->burst && now - machine->seen_at > machine->burst) return true;
  return total && spent + (entered ? now - entered : 0) > total;
}

/* Asks again at every round until the script is out: a signal may come while a C function runs. Gives what is to be called
 * when the script stays in one. */
static void (*check(clua_machine *machine, int64_t now))(void) {
  uint64_t entries = atomic_load_explicit(&machine->entries, memory_order_acquire);
  if (entries % 2 == 0) return NULL;
  if (entries != machine->seen) {
    machine->seen = entries;
    machine->seen_at = now;
    machine->is_told = false;
  }
  int running = CLUA_RUNNING;
  if (is_over(machine, now) && atomic_compare_exchange_strong(&machine->stop, &running, CLUA_STOP_TIME)) {
    atomic_store(&machine->stopped_at, now);
  }
  if (!clua_is_stopped(machine)) return NULL;
  clua_signal(machine);
  int64_t since = atomic_load(&machine->stopped_at);
  if (machine->is_told || !since || now - since <= machine->grace) return NULL;
  machine->is_told = true;
  return machine->stuck;
}

static void look(void) {
  void (*stuck)(void) = NULL;
  int64_t now = clua_monotonic();
  for (clua_machine *machine = watched; machine; machine = machine->next) {
    void (*found)(void) = check(machine, now);
    if (found) stuck = found;
  }
  pthread_mutex_unlock(&lock);
  if (stuck) stuck();
  struct timespec pause = {0, watch_interval_ms * 1000000};
  nanosleep(&pause, NULL);
  pthread_mutex_lock(&lock);
}

static void *watch(void *unused) {
  (void)unused;
  pthread_mutex_lock(&lock);
  for (;;) {
    while (!watched) pthread_cond_wait(&changed, &lock);
    look();
  }
  return NULL;
}

/* With all signals blocked, so that the host's own go to its own threads. */
static void start_watchdog(void) {
  if (has_watchdog) return;
  sigset_t all, old;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &old);
  pthread_t thread;
  has_watchdog = pthread_create(&thread, NULL, watch, NULL) == 0;
  if (has_watchdog) pthread_detach(thread);
  pthread_sigmask(SIG_SETMASK, &old, NULL);
}

static void add(clua_machine *machine) {
  if (machine->is_watched) return;
  machine->is_watched = true;
  machine->next = watched;
  watched = machine;
  start_watchdog();
  pthread_cond_signal(&changed);
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

/* Thirty years are for ever. */
static int64_t nanoseconds(double seconds) { return seconds > 0 ? (int64_t)(fmin(seconds, 1e9) * 1e9) : 0; }

void clua_set_time_limits(lua_State *L, double burst, double total) {
  clua_machine *machine = clua_machine_of(L);
  pthread_mutex_lock(&lock);
  machine->burst = nanoseconds(burst);
  atomic_store(&machine->account->total, nanoseconds(total));
  if (burst > 0 || total > 0) add(machine);
  pthread_mutex_unlock(&lock);
}

void clua_on_stuck(lua_State *L, void (*stuck)(void), double grace) {
  clua_machine *machine = clua_machine_of(L);
  pthread_mutex_lock(&lock);
  machine->stuck = stuck;
  machine->grace = nanoseconds(grace);
  if (stuck) add(machine);
  pthread_mutex_unlock(&lock);
}

void clua_renew_time(lua_State *L) {
  atomic_store_explicit(&clua_machine_of(L)->account->spent, 0, memory_order_release);
}
