/* What belongs to one state and all its coroutines; reached from each through its extra space. */
#ifndef CLUA_MACHINE_H
#define CLUA_MACHINE_H

#include "CLua.h"

#include <lua5.4/lauxlib.h>
#include <lua5.4/lua.h>
#include <lua5.4/lualib.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>

struct clua_account {
  atomic_int holders;
  _Atomic int64_t held;         /* bytes outside of the Lua heap */
  _Atomic int64_t untold;       /* those of them that the collector was not told of */
  _Atomic int64_t spent, total; /* nanoseconds; a total of 0 is no limit */
  atomic_bool is_stopped;
};

/* The small blocks of a state, by their size in steps of 16 bytes. */
enum { clua_block_step = 16, clua_largest_block = 512 };
typedef struct {
  void *free[clua_largest_block / clua_block_step + 1]; /* given back, each holding the next */
  char *next, *end;                                     /* what is left of the newest piece */
  struct clua_piece *pieces;
} clua_blocks;
/* A block with the contents of another one, or of none, which is gone then; NULL, and nothing changed, without memory. */
void *clua_resize(clua_blocks *blocks, void *block, size_t old_size, size_t new_size);
void clua_give_back(clua_blocks *blocks, void *block, size_t size);
/* All of them, at the end of the state. */
void clua_free_blocks(clua_blocks *blocks);

typedef struct clua_machine {
  lua_State *main;
  clua_host_function call;
  int (*materialize)(lua_State *L, int index);
  int (*make_plain)(lua_State *L, int index);
  void (*stuck)(void);

  /* Memory. While the host runs (`in_script` 0) no allocation is refused, so that none can raise through it. */
  size_t used, limit;
  clua_blocks blocks;
  clua_account *account;
  bool is_paid_elsewhere;
  int in_script;
  int refusals;

  /* What the host function that runs said wrongly of the stack; empty: nothing. */
  char fault[96];

  /* Stopping. `running` is the coroutine whose Lua code runs now; only its own thread writes it. */
  lua_State *_Atomic running;
  atomic_int stop;
  atomic_int thread; /* the kernel's number of the thread that ran a script last; 0 before the first */
  int barriers;      /* resumes above us whose caller cannot yield */
  /* Where a stop has yielded: afterwards Lua tells the line of the instruction before. */
  lua_State *stop_coroutine;
  char stop_place[LUA_IDSIZE + 16];

  /* Time, in nanoseconds of the monotonic clock. `entries` is odd while a script runs. `entered` is kept only for a limit
   * on the total: reading the clock costs as much as a small policy. */
  _Atomic uint64_t entries;
  _Atomic int64_t entered, stopped_at;

  /* What the watchdog goes by, under its lock; `seen` is the entry it saw last, and since when. */
  int64_t burst, grace;
  uint64_t seen;
  int64_t seen_at;
  bool is_told; /* `stuck` was called for this stop */
  bool is_watched;
  struct clua_machine *next;

  /* Counting, while a policy decides. */
  int64_t instructions;
  bool is_counting;

  lua_Integer random_seed;
} clua_machine;

/* The machine whose script runs on this thread. */
extern _Thread_local clua_machine *clua_current;

int64_t clua_monotonic(void);

/* The value that a waiting host function yields; scripts never see it. */
extern char clua_wait_mark;
/* The error value of a script that was stopped. */
extern char clua_stop_mark;

/* The extra space of a coroutine holds its machine and, in the lowest bits, whether it is one of the host's own, whether a
 * script has seen that one, and whether another waits in a task for what it is to go on with. */
enum { clua_is_hosts = 1, clua_is_seen = 2, clua_is_waiting = 4, clua_flags = 7 };

static inline clua_machine *clua_machine_of(lua_State *L) {
  return (clua_machine *)(*(uintptr_t *)lua_getextraspace(L) & ~(uintptr_t)clua_flags);
}

/* Whether only the host may resume or close the coroutine, even where a script got hold of it. */
static inline bool clua_is_host_coroutine(lua_State *L) {
  return *(uintptr_t *)lua_getextraspace(L) & clua_is_hosts || L == clua_machine_of(L)->main;
}

/* The host said something wrong of the stack: the first fault of a host function is raised when it returns. */
void clua_fault(lua_State *L, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The place from the bottom of what is on the stack at `index`; 0 for nothing. */
int clua_place(lua_State *L, int index);
/* The same for a table; 0, and a fault, for anything else. */
int clua_table_place(lua_State *L, int index);
/* Room for one more value, in any case. */
void clua_make_room(lua_State *L);

clua_account *clua_new_account(void);

/* Whether scripts are to be stopped. */
static inline bool clua_is_stopped(clua_machine *machine) {
  return atomic_load_explicit(&machine->stop, memory_order_relaxed) != CLUA_RUNNING;
}

/* Leaves a script that is to be stopped, and returns otherwise. Where it can it yields, which no script can catch, and which
 * costs the same however deep the calls are; elsewhere it raises. */
void clua_raise_if_stopped(lua_State *L, clua_machine *machine);
/* The same for a hook, which has to return after it. */
void clua_stop_in_hook(lua_State *L, lua_Debug *where);

/* Whether the coroutine died of a stop. Lua leaves hooks off in it for good, so nothing may run there again. */
bool clua_died_of_stop(lua_State *coroutine);

/* Makes the coroutine count its instructions for the policy that runs. */
void clua_count(lua_State *L, clua_machine *machine);
/* The same for a coroutine that is resumed, and counts the resume. */
void clua_count_resume(lua_State *coroutine, clua_machine *machine);

/* Whether the value is the table of a view. */
bool clua_is_view(lua_State *L, int index);
/* What next(view, key) and rawget(view, key) give: the view is the first argument. */
int clua_view_next(lua_State *L);
int clua_view_get(lua_State *L);

/* copied(value, isolate) → the isolate's own copy of it (see copies.c). */
int clua_copied(lua_State *L);
/* order() → next and pairs in an order that is the same in every state (see order.c). */
int clua_order(lua_State *L);
/* numbers(table) → the numbers that texts have shown so far in the place of addresses; instead, those in the table, or none. */
int clua_numbers(lua_State *L);

/* Bracket every entry into Lua code: enter returns what leave restores. */
typedef struct {
  lua_State *running;
  clua_machine *current;
  int in_script;
} clua_entry;
clua_entry clua_enter(clua_machine *machine, lua_State *L);
void clua_leave(clua_machine *machine, clua_entry entry);

void clua_handle_signals(void);
/* Makes the thread that runs the machine arm its hook. */
void clua_signal(clua_machine *machine);
void clua_unwatch(clua_machine *machine);

/* Installs the hook that stops `L` at its next instruction; safe in a signal handler. */
void clua_arm(lua_State *L);

/* The sandbox: what scripts get instead of the standard functions. */
void clua_open_library(lua_State *L);
void clua_open_coroutines(lua_State *L);
void clua_open_guards(lua_State *L);
void clua_open_texts(lua_State *L);
void clua_open_calendar(lua_State *L);
/* Wraps the field of the table on the top in `guard`, with the standard function as its upvalue. */
void clua_wrap(lua_State *L, const char *name, lua_CFunction guard);

/* Says `data is null` in the error on the top, where Lua speaks of a userdata. */
void clua_say_null(lua_State *L);

#endif
