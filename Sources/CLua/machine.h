/* What belongs to one state and all its coroutines; reached from each through its extra space. */
#ifndef CLUA_MACHINE_H
#define CLUA_MACHINE_H

#include "CLua.h"

#include <lua5.4/lauxlib.h>
#include <lua5.4/lua.h>
#include <lua5.4/lualib.h>
#include <pthread.h>
#include <stdatomic.h>

typedef struct clua_machine {
  lua_State *main;
  clua_host_function call;
  int (*materialize)(lua_State *L, int index);
  void (*stuck)(void);

  /* Memory. While the host runs (`in_script` 0) no allocation is refused, so that none can raise through it. */
  size_t used, limit;
  int in_script;
  int refusals;

  /* Stopping. `running` is the coroutine whose Lua code runs now; only its own thread writes it. */
  lua_State *_Atomic running;
  atomic_int stop;
  int barriers; /* resumes above us whose caller cannot yield */

  /* Time, in nanoseconds of the monotonic clock; `entered` is 0 while no script runs. */
  pthread_t thread;
  _Atomic int64_t entered, spent;
  int64_t burst, total;
  _Atomic int64_t stopped_at;
  struct clua_machine *next; /* watched machines */
  bool is_watched;

  int64_t instructions; /* left to the policy that runs */
} clua_machine;

/* The machine whose script runs on this thread. */
extern _Thread_local clua_machine *clua_current;

int64_t clua_monotonic(void);

/* The value that a waiting host function yields; scripts never see it. */
extern char clua_wait_mark;
/* The error value of a script that was stopped. */
extern char clua_stop_mark;

static inline clua_machine *clua_machine_of(lua_State *L) { return *(clua_machine **)lua_getextraspace(L); }

/* Raises the stop in a script; returns only when nothing is to be stopped. */
void clua_raise_if_stopped(lua_State *L, clua_machine *machine);

/* Bracket every entry into Lua code: enter returns what leave restores. */
typedef struct {
  lua_State *running;
  clua_machine *current;
  int in_script;
} clua_entry;
clua_entry clua_enter(clua_machine *machine, lua_State *L);
void clua_leave(clua_machine *machine, clua_entry entry);

void clua_watch(clua_machine *machine);
/* Makes the calling thread one that a stop can reach. */
void clua_listen(void);
void clua_unwatch(clua_machine *machine);

/* Installs the hook that stops `L` at its next instruction; safe in a signal handler. */
void clua_arm(lua_State *L);

/* The sandbox: what scripts get instead of the standard functions. */
void clua_open_library(lua_State *L, uint64_t random_seed);
void clua_open_coroutines(lua_State *L);
void clua_open_guards(lua_State *L);

#endif
