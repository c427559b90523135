/* Keys in an order that is the same in every state: Lua goes through them by hashes and addresses, which change from run to
 * run. A policy of the lab goes through its tables like this, so that its results do not change with them. */
#include "machine.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
  int rank; /* numbers, texts, false, true, and what has no order */
  bool is_integer;
  lua_Integer integer;
  lua_Number number;
  const char *text; /* the table keeps it */
  size_t length;
  int position; /* where it was found */
} key;

enum { number_rank, text_rank, false_rank, true_rank, object_rank };

static key key_at(lua_State *L, int index, int position) {
  key key = {.rank = object_rank, .position = position};
  switch (lua_type(L, index)) {
  case LUA_TNUMBER:
    key.rank = number_rank;
    key.is_integer = lua_isinteger(L, index);
    key.integer = lua_tointeger(L, index);
    key.number = lua_tonumber(L, index);
    break;
  case LUA_TSTRING:
    key.rank = text_rank;
    key.text = lua_tolstring(L, index, &key.length);
    break;
  case LUA_TBOOLEAN: key.rank = lua_toboolean(L, index) ? true_rank : false_rank; break;
  default: break;
  }
  return key;
}

static int compare(const void *left, const void *right) {
  const key *a = left, *b = right;
  if (a->rank != b->rank) return a->rank - b->rank;
  if (a->rank == text_rank) {
    int order = memcmp(a->text, b->text, a->length < b->length ? a->length : b->length);
    return order ? order : (a->length > b->length) - (a->length < b->length);
  }
  if (a->is_integer && b->is_integer) return (a->integer > b->integer) - (a->integer < b->integer);
  if (a->number != b->number) return a->number > b->number ? 1 : -1;
  return a->is_integer - b->is_integer;
}

/* Pushes the keys of the table at 1 in order, and their positions by key. */
static void push_order(lua_State *L) {
  int count = 0, objects = 0;
  for (lua_pushnil(L); lua_next(L, 1); lua_pop(L, 1)) count++;
  clua_machine *machine = clua_machine_of(L);
  if (machine->is_counting) machine->instructions -= count; /* it is work of the policy's */
  lua_createtable(L, count, 0);
  int found = lua_gettop(L);
  key *keys = lua_newuserdatauv(L, (size_t)count * sizeof(key) + 1, 0);
  int position = 0;
  for (lua_pushnil(L); lua_next(L, 1); lua_pop(L, 1)) {
    keys[position] = key_at(L, -2, position + 1);
    objects += keys[position].rank == object_rank;
    lua_pushvalue(L, -2);
    lua_rawseti(L, found, ++position);
  }
  if (objects > 1) {
    luaL_error(L, "the order of keys that are tables or functions changes from run to run: a policy of the lab can't go "
                  "through them");
  }
  qsort(keys, (size_t)count, sizeof(key), compare);
  lua_createtable(L, count, 0);
  lua_createtable(L, 0, count);
  int positions = lua_gettop(L), ordered = positions - 1;
  for (int place = 0; place < count; place++) {
    lua_rawgeti(L, found, keys[place].position);
    lua_pushvalue(L, -1);
    lua_rawseti(L, ordered, place + 1);
    lua_pushinteger(L, place + 1);
    lua_rawset(L, positions);
  }
}

/* Keeps the order of the table at 1 until it is gone through anew; at 3 and 4 afterwards. */
static void open_order(lua_State *L) {
  push_order(L);
  lua_replace(L, 4);
  lua_replace(L, 3);
  lua_settop(L, 4);
  lua_pushvalue(L, 1);
  lua_createtable(L, 2, 0);
  lua_pushvalue(L, 3);
  lua_rawseti(L, -2, 1);
  lua_pushvalue(L, 4);
  lua_rawseti(L, -2, 2);
  lua_rawset(L, lua_upvalueindex(1));
}

static void find_order(lua_State *L) {
  lua_pushvalue(L, 1);
  if (lua_isnil(L, 2) || lua_rawget(L, lua_upvalueindex(1)) != LUA_TTABLE) {
    lua_settop(L, 4);
    return open_order(L);
  }
  lua_rawgeti(L, -1, 1);
  lua_replace(L, 3);
  lua_rawgeti(L, -1, 2);
  lua_replace(L, 4);
  lua_settop(L, 4);
}

/* next(table, key), in order. */
static int ordered_next(lua_State *L) {
  clua_machine *machine = clua_machine_of(L);
  luaL_checktype(L, 1, LUA_TTABLE);
  if (clua_is_view(L, 1)) return clua_view_next(L);
  if (machine->materialize && machine->materialize(L, 1) != 0) return luaL_error(L, "not enough memory");
  lua_settop(L, 4);
  find_order(L);
  lua_Integer position = 0;
  if (!lua_isnil(L, 2)) {
    lua_pushvalue(L, 2);
    if (lua_rawget(L, 4) != LUA_TNUMBER) return luaL_error(L, "invalid key to 'next'");
    position = lua_tointeger(L, -1);
  }
  for (;;) {
    lua_settop(L, 4);
    if (lua_rawgeti(L, 3, ++position) == LUA_TNIL) return 1;
    lua_pushvalue(L, -1);
    if (lua_rawget(L, 1) != LUA_TNIL) return 2;
  }
}

static int ordered_pairs(lua_State *L) {
  luaL_checkany(L, 1);
  lua_settop(L, 1);
  clua_machine *machine = clua_machine_of(L);
  if (machine->materialize && machine->materialize(L, 1) != 0) return luaL_error(L, "not enough memory");
  if (luaL_getmetafield(L, 1, "__pairs") != LUA_TNIL) {
    lua_insert(L, 1);
    lua_call(L, 1, 3);
    return 3;
  }
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_insert(L, 1);
  lua_pushnil(L);
  return 3;
}

/* order() → next and pairs, which have a memory of their own */
int clua_order(lua_State *L) {
  lua_createtable(L, 0, 0);
  lua_createtable(L, 0, 1);
  lua_pushliteral(L, "__mode");
  lua_pushliteral(L, "k");
  lua_rawset(L, -3);
  lua_setmetatable(L, -2);
  lua_pushcclosure(L, ordered_next, 1);
  lua_pushvalue(L, -1);
  lua_pushcclosure(L, ordered_pairs, 1);
  return 2;
}
