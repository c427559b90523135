/* Looking at values without calling anything: what a prompt shows, and the words that it can go on with. */
#include "machine.h"

#include <stdlib.h>
#include <string.h>

const void *clua_identity(lua_State *L, int index) {
  int place = clua_place(L, index);
  return place ? lua_topointer(L, place) : NULL;
}

bool clua_function_lines(lua_State *L, int index, clua_lines *lines) {
  lua_Debug record;
  if (clua_type(L, index) != CLUA_FUNCTION) return false;
  clua_push_value(L, index);
  lua_getinfo(L, ">S", &record);
  if (*record.what == 'C') return false;
  *lines = (clua_lines){record.linedefined, record.lastlinedefined};
  lua_pushstring(L, record.source);
  return true;
}

const char *clua_push_upvalue(lua_State *L, int index, int number) {
  if (clua_type(L, index) != CLUA_FUNCTION || lua_iscfunction(L, index) || number < 1) return NULL;
  index = clua_place(L, index);
  clua_make_room(L);
  return lua_getupvalue(L, index, number);
}

static bool is_name(const char *bytes, size_t length) {
  if (length == 0 || (*bytes >= '0' && *bytes <= '9')) return false;
  for (size_t i = 0; i < length; i++) {
    char byte = bytes[i], letter = byte | 0x20;
    if (!((letter >= 'a' && letter <= 'z') || (byte >= '0' && byte <= '9') || byte == '_')) return false;
  }
  return true;
}

static int compare(const clua_key *left, const clua_key *right) {
  size_t shared = left->length < right->length ? left->length : right->length;
  int order = memcmp(left->bytes, right->bytes, shared);
  return order ? order : (left->length > right->length) - (left->length < right->length);
}

static int compare_in_order(const void *left, const void *right) { return compare(left, right); }

/* Puts the key at `place` of the heap, whose largest is at 0, or where it belongs below. */
static void sink(clua_key *heap, size_t count, size_t place, clua_key key) {
  for (;;) {
    size_t child = 2 * place + 1;
    if (child >= count) break;
    if (child + 1 < count && compare(&heap[child], &heap[child + 1]) < 0) child++;
    if (compare(&key, &heap[child]) >= 0) break;
    heap[place] = heap[child];
    place = child;
  }
  heap[place] = key;
}

/* Keeps the `limit` smallest. */
static void keep(clua_matches *matches, size_t limit, clua_key key) {
  if (matches->count++ == 0 || compare(&key, &matches->last) > 0) matches->last = key;
  if (matches->count <= limit) {
    matches->keys[matches->count - 1] = key;
    if (matches->count < limit) return;
    for (size_t place = limit / 2 + 1; place-- > 0;) sink(matches->keys, limit, place, matches->keys[place]);
  } else if (compare(&key, &matches->keys[0]) < 0) {
    sink(matches->keys, limit, 0, key);
  }
}

void clua_match_keys(lua_State *L, int index, const clua_wanted *wanted, clua_matches *matches) {
  index = clua_table_place(L, index);
  matches->count = matches->pairs = 0;
  if (!index) return;
  clua_push_nil(L);
  for (; clua_next(L, index); lua_pop(L, 1)) {
    matches->pairs++;
    if (lua_type(L, -2) != LUA_TSTRING) continue;
    clua_key key;
    key.bytes = lua_tolstring(L, -2, &key.length);
    if (key.length < wanted->length || memcmp(key.bytes, wanted->prefix, wanted->length) != 0) continue;
    if (wanted->is_method && !lua_isfunction(L, -1)) continue;
    if (wanted->is_name && !is_name(key.bytes, key.length)) continue;
    key.is_function = lua_isfunction(L, -1);
    keep(matches, wanted->limit, key);
  }
  size_t kept = matches->count < wanted->limit ? matches->count : wanted->limit;
  qsort(matches->keys, kept, sizeof *matches->keys, compare_in_order);
}
