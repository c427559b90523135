/* Deciding: one protected call with a view, within a number of instructions.
 * Counting is the same in every run, unlike time: a policy that is stopped is stopped at the same place again. */
#include "view.h"

/* Instructions between two looks at the budget, and what a resume is counted as (its coroutine starts a count of its own). */
enum { instructions_a_step = 1000, instructions_a_resume = 100 };

static void exhaust(clua_machine *machine) {
  int running = CLUA_RUNNING; /* another stop is not to be hidden */
  atomic_compare_exchange_strong(&machine->stop, &running, CLUA_STOP_INSTRUCTIONS);
}

static void budget_hook(lua_State *L, lua_Debug *where) {
  clua_machine *machine = clua_machine_of(L);
  if (!machine->is_counting) {
    lua_sethook(L, NULL, 0, 0); /* a coroutine of a policy that runs elsewhere now */
    return;
  }
  machine->instructions -= lua_gethookcount(L);
  if (machine->instructions <= 0) exhaust(machine);
  if (clua_is_stopped(machine)) {
    clua_stop_in_hook(L, where);
  } else if (machine->instructions < lua_gethookcount(L)) {
    clua_count(L, machine);
  }
}

void clua_count(lua_State *L, clua_machine *machine) {
  bool is_last = machine->instructions < instructions_a_step;
  lua_sethook(L, budget_hook, LUA_MASKCOUNT, is_last ? (int)machine->instructions : instructions_a_step);
}

void clua_count_resume(lua_State *coroutine, clua_machine *machine) {
  machine->instructions -= instructions_a_resume;
  if (machine->instructions <= 0) {
    exhaust(machine);
  } else {
    clua_count(coroutine, machine);
  }
}

clua_status clua_call_policy(lua_State *L, int function, clua_view *view, int parameters, int state, int instructions) {
  clua_machine *machine = clua_machine_of(L);
  if (clua_is_stopped(machine) || !lua_checkstack(L, 12)) {
    clua_push_nil(L);
    return clua_is_stopped(machine) ? CLUA_STOPPED : CLUA_ERROR;
  }
  bool was_counting = machine->is_counting;
  int64_t left = machine->instructions;
  lua_rawgeti(L, LUA_REGISTRYINDEX, function);
  if (view) clua_push_view(L, view);
  lua_rawgeti(L, LUA_REGISTRYINDEX, parameters);
  bool has_state = view && state >= 0;
  if (has_state) lua_rawgeti(L, LUA_REGISTRYINDEX, state);
  machine->is_counting = instructions > 0;
  machine->instructions = instructions;
  if (machine->is_counting) clua_count(L, machine);
  clua_entry entry = clua_enter(machine, L);
  int status = lua_pcall(L, has_state ? 3 : view ? 2 : 1, 1, 0);
  clua_leave(machine, entry);
  if (machine->is_counting && !was_counting) lua_sethook(L, NULL, 0, 0);
  machine->is_counting = was_counting;
  machine->instructions = left;
  if (status == LUA_OK) return CLUA_OK;
  int exhausted = CLUA_STOP_INSTRUCTIONS;
  if (atomic_compare_exchange_strong(&machine->stop, &exhausted, CLUA_RUNNING)) return CLUA_EXHAUSTED;
  return clua_is_stopped(machine) ? CLUA_STOPPED : CLUA_ERROR;
}
