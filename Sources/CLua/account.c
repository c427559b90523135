/* The account of a script: bytes and processor time that it uses itself, and that are used for it elsewhere. It outlives
 * the state as long as something is held on it. */
#include "machine.h"

#include <stdlib.h>

clua_account *clua_retain_account(clua_account *account) {
  atomic_fetch_add_explicit(&account->holders, 1, memory_order_relaxed);
  return account;
}

void clua_release_account(clua_account *account) {
  if (atomic_fetch_sub_explicit(&account->holders, 1, memory_order_acq_rel) == 1) free(account);
}

clua_account *clua_new_account(void) {
  clua_account *account = calloc(1, sizeof *account);
  if (account) atomic_store(&account->holders, 1);
  return account;
}

clua_account *clua_account_of(lua_State *L) { return clua_machine_of(L)->account; }

void clua_hold(clua_account *account, int64_t bytes) {
  atomic_fetch_add_explicit(&account->held, bytes, memory_order_relaxed);
  if (bytes > 0) atomic_fetch_add_explicit(&account->untold, bytes, memory_order_relaxed);
}

bool clua_spend(clua_account *account, int64_t nanoseconds) {
  int64_t spent = atomic_fetch_add_explicit(&account->spent, nanoseconds, memory_order_acq_rel) + nanoseconds;
  int64_t total = atomic_load_explicit(&account->total, memory_order_acquire);
  return (!total || spent <= total) && !atomic_load_explicit(&account->is_stopped, memory_order_acquire);
}

bool clua_is_paid_elsewhere(lua_State *L) { return clua_machine_of(L)->is_paid_elsewhere; }
void clua_set_paid_elsewhere(lua_State *L, bool is_paid) { clua_machine_of(L)->is_paid_elsewhere = is_paid; }

size_t clua_memory_used(lua_State *L) {
  clua_machine *machine = clua_machine_of(L);
  int64_t held = atomic_load_explicit(&machine->account->held, memory_order_relaxed);
  return machine->used + (held > 0 ? (size_t)held : 0);
}

size_t clua_memory_left(lua_State *L) {
  size_t limit = clua_machine_of(L)->limit, used = clua_memory_used(L);
  if (!limit) return PTRDIFF_MAX;
  return used < limit ? limit - used : 0;
}

int clua_refuse(lua_State *L, int refuses) {
  clua_machine *machine = clua_machine_of(L);
  int before = machine->in_script;
  machine->in_script = refuses;
  return before;
}

int clua_reserve(lua_State *L, size_t bytes) {
  if (bytes <= clua_memory_left(L)) return true;
  lua_gc(L, LUA_GCCOLLECT); /* what nobody refers to any more may be held as well */
  return bytes <= clua_memory_left(L);
}
