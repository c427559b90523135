#include "Encode.hpp"
#include "Failure.hpp"

namespace cjson {

void Encoder::object(int index) {
  const int noted = pushDigits(index);
  const size_t first = state->entries.count, count = collect(index, first);
  byte('{');
  members(index, first, count, true, noted);
  if (count > 0) newLine();
  byte('}');
}

/// Writes the members collected from `first` on, of the table at `index`, beside which those digits are noted.
void Encoder::members(int index, size_t first, size_t count, bool isFirst, int noted) {
  Array<Entry> &entries = state->entries;
  // Rows are written as they came only to a line; else they are made for the moment only, and their keys' addresses may come again.
  Shape *shape = indent == 0 ? shapes.find(entries.elements + first, count) : nullptr;
  const bool isKnown = shape && shape->isOf(entries.elements + first, count);
  if (shape && !isKnown) shape->begin(entries.elements + first, count);
  if (!isKnown) order(first, count);
  if (shape) shape->users++;
  for (size_t i = 0; i < count; i++) {
    const Entry entry = entries.elements[first + (isKnown ? shape->place(i) : i)];
    path[depth++] = {entry.string, entry.length, entry.integer};
    separate(isFirst && i == 0);
    if (isKnown) {
      check(append(*out, shape->key(i), shape->keyLength(i)));
    } else {
      const size_t start = out->length;
      text(entry.key(), entry.length);
      check(append(*out, ": ", indent > 0 ? 2 : 1));
      if (shape) shape->add(entry.place, out->bytes + start, out->length - start);
    }
    member(index, entry, noted);
    depth--;
  }
  if (shape) shape->users--;
  entries.count = first;
}

/// Puts members in the order in which they are written.
void Encoder::order(size_t first, size_t count) {
  Entry *entries = state->entries.elements + first;
  for (size_t i = 0; i < count; i++) {
    lua_pushlstring(L, entries[i].key(), entries[i].length);
    entries[i].rank = indent < 0 ? 0 : state->keys.rank(L, tables, lua_gettop(L));
    lua_pop(L, 1);
  }
  if (const Entry *twice = sort(entries, count)) {
    fail("the key %.*s is there twice, as an integer and as text", static_cast<int>(twice->length), twice->key());
  }
}

/// Notes the members of the table at `index`, their values on the stack, each behind its key, where they are few; but for those of
/// the object behind a row, if one is given.
size_t Encoder::collect(int index, size_t first, const LazyRow *except) {
  Array<Entry> &entries = state->entries;
  const int bottom = lua_gettop(L) + 1;
  size_t count = 0;
  for (lua_pushnil(L); lua_next(L, index);) {
    // Room as it is needed: a coroutine keeps what its stack has once had.
    if (count % 8 == 0 && !lua_checkstack(L, 24)) raise();
    Entry entry;
    if (lua_type(L, -2) == LUA_TSTRING) {
      entry.string = lua_tolstring(L, -2, &entry.length);
    } else if (isKeyOfHost(L, -2)) {
      lua_pop(L, 1);
      continue;
    } else {
      readInteger(entry, -2);
    }
    if (except && entry.string && except->member(entry.string, entry.length).at != 0) {
      lua_pop(L, 1);
      continue;
    }
    entry.place = static_cast<uint32_t>(count);
    if (count < mostKept) {
      entry.slot = lua_gettop(L);
      lua_pushvalue(L, -2);
    } else {
      lua_pop(L, 1);
      entry.slot = 0;
    }
    check(entries.append(entry));
    if (count == mostKept) {  // too many: keep none
      lua_replace(L, bottom);
      lua_settop(L, bottom);
      for (size_t i = first; i < entries.count; i++) entries.elements[i].slot = 0;
    }
    count++;
  }
  return count;
}

/// Reads a key that is no string.
void Encoder::readInteger(Entry &entry, int index) {
  if (isExact || !lua_isinteger(L, index)) refuseKey(index);
  entry.string = nullptr;
  entry.integer = lua_tointeger(L, index);
  cjson_buffer digits{entry.digits, 0, sizeof entry.digits, 0, 0};
  appendInteger(digits, entry.integer);
  entry.length = digits.length;
}

/// Says of a key of an object that it can't be one, and what can.
void Encoder::refuseKey(int index) {
  const char *allowed = isExact ? "text: t[tostring(key)]" : "text or an integer";
  if (lua_isinteger(L, index)) fail("a key can't be the integer %lld, only %s", lua_tointeger(L, index), allowed);
  if (lua_type(L, index) == LUA_TNUMBER) fail("a key can't be %.14g, only %s", lua_tonumber(L, index), allowed);
  if (lua_isboolean(L, index)) fail("a key can't be %s, only %s", lua_toboolean(L, index) ? "true" : "false", allowed);
  fail("a key can't be a %s, only %s", luaL_typename(L, index), allowed);
}

/// Writes the value of a member of the object at `object`.
void Encoder::member(int object, const Entry &entry, int noted) {
  if (entry.slot != 0 && noted == 0) return value(entry.slot);
  const int top = lua_gettop(L);
  if (entry.slot != 0) {
    lua_pushvalue(L, entry.slot - 1);
    lua_pushvalue(L, entry.slot);
  } else {
    entry.string ? static_cast<void>(lua_pushlstring(L, entry.string, entry.length)) : lua_pushinteger(L, entry.integer);
    lua_pushvalue(L, -1);
    lua_rawget(L, object);
  }
  if (noted == 0 || !digits(noted)) value(lua_gettop(L));
  lua_settop(L, top);
}

}  // namespace cjson
