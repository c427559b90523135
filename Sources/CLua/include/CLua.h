/* The C side of Lua: everything Swift may say to a Lua state, and nothing that raises through a Swift frame.
 *
 * lua.h is not included here, so no raising call can be reached from Swift. Each function below either cannot raise, or
 * runs protected and answers with a status. Allocating functions cannot fail while the host is on the stack: the memory
 * limit is refused to running scripts only (see clua_machine), and a machine without memory stops the process.
 *
 * Every place, type and count is checked in every build. What the host says wrongly reads as nil or changes nothing, and is a
 * fault: the script gets it as an error when the host function returns (see clua_has_fault). */
#ifndef CLUA_H
#define CLUA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct lua_State lua_State;

/* -- states ------------------------------------------------------------------------------------------------------- */

/* What a host function answers: the number of results (>= 0), or one of these. */
#define CLUA_RAISE (-1) /* the error value is on the top of the stack; the C frame raises it */
#define CLUA_WAIT (-2)  /* suspend the coroutine; the results, or the error, come with clua_resume */

/* Called for each host function, with the context it was pushed with. No Lua error can pass through it. */
typedef int (*clua_host_function)(lua_State *L, void *context);

/* Why a script was stopped from outside. */
typedef enum {
  CLUA_RUNNING = 0,
  CLUA_STOP_INTERRUPT = 1,
  CLUA_STOP_TIME = 2,
  CLUA_STOP_MEMORY = 3,
  CLUA_STOP_INSTRUCTIONS = 4
} clua_stop_reason;

typedef enum {
  CLUA_OK = 0,
  CLUA_WAITS = 1,      /* clua_resume: the coroutine waits for the host */
  CLUA_ERROR = 2,      /* the error value is on the top of the stack */
  CLUA_STOPPED = 3,    /* stopped from outside; see clua_stopped; one value is on the top as well */
  CLUA_STRAY_YIELD = 4, /* clua_resume: the script yielded outside of a coroutine of its own */
  CLUA_EXHAUSTED = 5    /* clua_call_policy: it used up its instructions; the stop is over */
} clua_status;

/* A new state with the safe library (lua.md 4), or NULL without memory. `call` serves its host functions. */
lua_State *clua_new(clua_host_function call, uint64_t random_seed);
void clua_close(lua_State *L);

/* Whether the host function that runs has said something wrong of the stack; it is raised when the function returns, and
 * has to be looked at before the coroutine is suspended. */
bool clua_has_fault(lua_State *L);
/* What it was. */
const char *clua_fault_message(lua_State *L);
/* Forgets it, where it was told in another way. */
void clua_clear_fault(lua_State *L);
/* The host function that runs was given a string that is no UTF-8, where a text is wanted. */
void clua_fault_of_text(lua_State *L);

/* Bytes that scripts may hold; 0 is no limit. */
void clua_set_memory_limit(lua_State *L, size_t bytes);
/* Bytes of the Lua heap, and those held on the account. */
size_t clua_memory_used(lua_State *L);
/* Bytes that are left below the limit. */
size_t clua_memory_left(lua_State *L);
/* Has allocations over the limit refused, or not; answers what they were before. For protected work only. */
int clua_refuse(lua_State *L, int refuses);
/* Whether this many bytes are left, after a collection where that is needed. */
int clua_reserve(lua_State *L, size_t bytes);

/* What a script uses, and what is used for it outside of the state: bytes and processor time. Of any thread; it lives until
 * all that retained it have released it, so that what is held may outlive the state. */
typedef struct clua_account clua_account;
clua_account *clua_account_of(lua_State *L);
clua_account *clua_retain_account(clua_account *account);
void clua_release_account(clua_account *account);
/* Puts bytes on the account, or with a negative number takes them off. */
void clua_hold(clua_account *account, int64_t bytes);
/* Pays for processor time; false when the time in all is used up, or a stop holds. */
bool clua_spend(clua_account *account, int64_t nanoseconds);

/* Seconds that a script may run between two waits, and in all; 0 is no limit. A watchdog thread keeps them. */
void clua_set_time_limits(lua_State *L, double burst, double total);
/* Whether somebody else pays the account for the time of what runs here. */
bool clua_is_paid_elsewhere(lua_State *L);
void clua_set_paid_elsewhere(lua_State *L, bool is_paid);
/* Begins the time in all anew; nothing of the state runs meanwhile. */
void clua_renew_time(lua_State *L);
/* Called once on the watchdog's thread when a stopped script does not end within `grace` seconds: it sits in one C call. */
void clua_on_stuck(lua_State *L, void (*stuck)(void), double grace);

/* Stops what runs, from any thread or signal handler; nothing runs any more until clua_clear_stop, closes included. */
void clua_stop(lua_State *L, clua_stop_reason reason);
clua_stop_reason clua_stopped(lua_State *L);
int clua_is_to_end(lua_State *L);
void clua_clear_stop(lua_State *L);
/* The same, unless the reason is CLUA_STOP_INTERRUPT, also when that comes meanwhile. */
void clua_clear_limit(lua_State *L);

/* Turn a table that is not there yet into one, before raw access: any, and one that is a row, which the host does as soon
 * as it looks into a table; set by the JSON side. */
void clua_set_materialize(lua_State *L, int (*materialize)(lua_State *L, int index),
                          int (*make_plain)(lua_State *L, int index));

/* Collects all garbage. */
void clua_collect(lua_State *L);

/* Nothing is collected from here on, while all that is made is there to stay; and then, once as much again has been made. */
void clua_pause_collector(lua_State *L);
void clua_resume_collector(lua_State *L);

/* -- loading and calling ------------------------------------------------------------------------------------------ */

/* Pushes the function of a text chunk (never bytecode), or the message; `name` as "@feed.lua". */
clua_status clua_load(lua_State *L, const char *text, size_t length, const char *name);
/* Pushes the function of a chunk that this very Lua has compiled, and nobody has touched since. */
clua_status clua_load_compiled(lua_State *L, const char *code, size_t length);
/* Pushes that of a text chunk, with the table at `environment` for its globals. */
clua_status clua_load_in(lua_State *L, const char *text, size_t length, const char *name, int environment);

/* Calls the function below its `arguments`; it may not wait. An error becomes text with a traceback when asked. */
clua_status clua_call(lua_State *L, int arguments, int results, bool traceback);

/* A new coroutine for the function on the top of L, which is popped; anchored until clua_unreference(*reference). */
lua_State *clua_new_coroutine(lua_State *L, int *reference);
/* Whether the coroutine is over and can run another function: what it had is gone then. One that failed, that waits or that a
 * script may have kept can't. */
bool clua_clear_coroutine(lua_State *coroutine);
/* Takes the function on the top of L into such a coroutine; false if there is none. */
bool clua_restart_coroutine(lua_State *L, lua_State *coroutine);
/* Starts it with `values` arguments, or goes on: then the first value is true and the rest the results of the call that
 * waited, or false and the error that it raises. `*results` are left on the coroutine's stack when it is over. */
clua_status clua_resume(lua_State *coroutine, int values, int *results);
/* Ends a coroutine that waits or failed; runs its pending closes, unless a stop holds. */
void clua_reset_coroutine(lua_State *coroutine);
/* Whether the running function may wait here. */
bool clua_can_wait(lua_State *L);
/* Replaces a text, or the mark of a stop, on the top of L with a text that ends in the traceback of the coroutine, which may
 * be dead: its own stack may have no room left. */
void clua_traceback(lua_State *L, lua_State *coroutine);
/* Pushes the traceback of the coroutine, which may be dead, on L. */
void clua_push_traceback(lua_State *L, lua_State *coroutine);

/* -- the stack ---------------------------------------------------------------------------------------------------- */

typedef enum {
  CLUA_NONE = -1, CLUA_NIL = 0, CLUA_BOOLEAN = 1, CLUA_LIGHT = 2, CLUA_NUMBER = 3, CLUA_STRING = 4, CLUA_TABLE = 5,
  CLUA_FUNCTION = 6, CLUA_USERDATA = 7, CLUA_THREAD = 8
} clua_type_tag;

int clua_top(lua_State *L);
void clua_set_top(lua_State *L, int top);
void clua_pop(lua_State *L, int count);
bool clua_check_stack(lua_State *L, int slots);
int clua_absolute(lua_State *L, int index);
void clua_push_value(lua_State *L, int index);
void clua_insert(lua_State *L, int index);
void clua_remove(lua_State *L, int index);
/* Moves `count` values between coroutines of one state. */
void clua_move(lua_State *from, lua_State *to, int count);

clua_type_tag clua_type(lua_State *L, int index);
/* "string", "table", ...; what a person calls it ("null" for the JSON sentinel is the caller's business). */
const char *clua_type_name(lua_State *L, int index);
bool clua_is_integer(lua_State *L, int index);
bool clua_to_boolean(lua_State *L, int index);
double clua_to_number(lua_State *L, int index);
int64_t clua_to_integer(lua_State *L, int index);
/* The bytes of a string at `index`; NULL for any other type. Valid while the string is on the stack. */
const char *clua_to_string(lua_State *L, int index, size_t *length);
/* Pushes a text for any value, as tostring does; protected. */
const char *clua_describe(lua_State *L, int index, size_t *length);
/* Whether the value says itself what its text is. */
bool clua_has_text(lua_State *L, int index);

void clua_push_nil(lua_State *L);
void clua_push_boolean(lua_State *L, bool value);
void clua_push_integer(lua_State *L, int64_t value);
void clua_push_number(lua_State *L, double value);
void clua_push_string(lua_State *L, const char *bytes, size_t length);
void clua_push_host_function(lua_State *L, void *context);
/* Pushes "feed.lua:12: " for the innermost line of the script, or "": chunks whose names begin with "lookahead:" are the host's. */
void clua_push_script_where(lua_State *L);

/* Tables, without metamethods. Keys are texts. */
void clua_new_table(lua_State *L, int array, int fields);
clua_type_tag clua_get_field(lua_State *L, int index, const char *key);
void clua_set_field(lua_State *L, int index, const char *key);
clua_type_tag clua_get_index(lua_State *L, int index, int64_t position);
void clua_set_index(lua_State *L, int index, int64_t position);
size_t clua_length(lua_State *L, int index);
/* As lua_next: pops a key, pushes the next pair, or nothing at the end. A key that has gone meanwhile ends it, as a fault. */
bool clua_next(lua_State *L, int index);
/* Pops a table and makes it the metatable of the value at `index`. */
void clua_set_metatable(lua_State *L, int index);
bool clua_get_metatable(lua_State *L, int index);
void clua_push_globals(lua_State *L);
bool clua_same(lua_State *L, int left, int right);
/* Adds what only the host's own Lua code may call to the table at `index`: metatable, setMetatable, place, scriptPlace,
 * newRandom, copied, order, numbers. */
void clua_add_inner(lua_State *L, int index);

/* References keep a value alive; -1 and -2 are never valid references. */
int clua_reference(lua_State *L);
void clua_unreference(lua_State *L, int reference);
clua_type_tag clua_push_reference(lua_State *L, int reference);

/* Pushes a value that scripts can hold and pass, nothing else; release(owner) is called when nothing refers to it. */
void clua_push_owner(lua_State *L, void *owner, void (*release)(void *owner));
/* The owner behind the value at `index`; NULL for any other value. */
void *clua_to_owner(lua_State *L, int index);

/* Source file and line of the function at `index`, as "feed.lua:12"; empty for C functions. Pushes a string. */
void clua_push_place(lua_State *L, int index);

/* -- policies ----------------------------------------------------------------------------------------------------- */

/* One field of a view as a policy sees it. */
typedef struct {
  enum { CLUA_CELL_NIL, CLUA_CELL_BOOLEAN, CLUA_CELL_INTEGER, CLUA_CELL_NUMBER, CLUA_CELL_TEXT, CLUA_CELL_VIEW } kind;
  union {
    bool boolean;
    int64_t integer;
    double number;
    const char *text; /* static */
    struct clua_view *view;
  } value;
} clua_cell;

/* A table that shows host cells by name, and cannot be written. Reused for every decision. */
typedef struct clua_view clua_view;

/* `names` has `count` static texts and outlives the view. */
clua_view *clua_new_view(lua_State *L, const char *const *names, int count);
void clua_free_view(lua_State *L, clua_view *view);
/* The cells, in the order of the names, to be filled before each call. */
clua_cell *clua_view_cells(clua_view *view);
/* Calls function(view, parameters, state) within `instructions` (0: no limit), or without a view, function(parameters); one
 * result is on the stack when CLUA_OK. A state below 0 is nil. */
clua_status clua_call_policy(lua_State *L, int function, clua_view *view, int parameters, int state, int instructions);

/* -- looking ------------------------------------------------------------------------------------------------------ */

/* What tells one table, function or the like from another; NULL for plain values. */
const void *clua_identity(lua_State *L, int index);
/* As clua_get_field, for a key of any bytes. */
clua_type_tag clua_get_bytes(lua_State *L, int index, const char *bytes, size_t length);

/* Replaces the key on the top with its value in the table at `index`. */
clua_type_tag clua_get_raw(lua_State *L, int index);

/* The first and the last line of a function. */
typedef struct {
  int first, last;
} clua_lines;
/* Pushes the name of the chunk of a Lua function, as "@feed.lua"; false, with nothing pushed, for any other value. */
bool clua_function_lines(lua_State *L, int index, clua_lines *lines);
/* Pushes what a Lua function holds under this number, from 1, and gives its name; NULL, with nothing pushed, behind the last. */
const char *clua_push_upvalue(lua_State *L, int index, int number);

/* Pushes a table with all fields of the view at `index`; false, with nothing pushed, for any other value. */
bool clua_push_view_fields(lua_State *L, int index);

/* Pairs of a table. */
size_t clua_count_pairs(lua_State *L, int index);

/* A key of a table; valid as long as the table holds it. */
typedef struct {
  const char *bytes;
  size_t length;
  bool is_function; /* its value */
} clua_key;

/* Which keys are looked for: texts that begin with `prefix`. */
typedef struct {
  const char *prefix;
  size_t length;
  bool is_name;   /* those only that can stand behind a dot */
  bool is_method; /* those only whose value is a function */
  size_t limit;   /* at least 1 */
} clua_wanted;

/* `keys`, the caller's, has room for the limit: the first in the order of their bytes. `count` is that of all that fit,
 * `last` the last of them all, and `pairs` how many the table has, whatever their keys. */
typedef struct {
  clua_key *keys;
  size_t count;
  size_t pairs;
  clua_key last;
} clua_matches;

/* Looks through the table at `index`. */
void clua_match_keys(lua_State *L, int index, const clua_wanted *wanted, clua_matches *matches);

#endif
