#include "Digits.hpp"

#include <algorithm>

#include "CLuaJSON.h"

namespace cjson {

static char digitsKey;

/// The key under which the notes of a list have its length; its elements begin with 1.
constexpr lua_Integer lengthKey = 0;

bool losesDigits(const Tape &tape, uint32_t at, const char *start, const char *end) {
  switch (tape.kind(at)) {
    case 'u': return true;
    case 'l': return tape.integer(at) == 0 && *start == '-';
    case 'd': {
      const bool isInteger = std::none_of(start, end, [](char byte) { return byte == '.' || (byte | 0x20) == 'e'; });
      return isInteger || !cjson_gives_back(start, static_cast<size_t>(end - start), tape.number(at));
    }
    default: return false;
  }
}

bool mayLoseDigits(const Tape &tape, uint32_t at, const RowList *lists, const RowList *listsEnd) {
  for (const uint32_t end = tape.next(at); at < end;) {
    if (lists != listsEnd && lists->tape == at) {
      at = tape.next(at);
      lists++;
    } else if (mayBeRounded(tape, at)) {
      return true;
    } else {
      at += tape.kind(at) == 'l' ? 2 : 1;
    }
  }
  return false;
}

TextWalk walkAlong(const Document &document, const Row &row) {
  // Uniform rows were written here, from Lua's own numbers.
  if (document.isUniform || !mayLoseDigits(document.tape, row.tape)) return {};
  return {document.text + row.start, document.text + row.end};
}

/// Pushes the table of what was noted, by tables.
static void pushAllNotes(lua_State *L, State &state) {
  if (lua_rawgetp(L, LUA_REGISTRYINDEX, &digitsKey) == LUA_TTABLE) return;
  lua_pop(L, 1);
  lua_newtable(L);
  lua_createtable(L, 0, 1);
  lua_pushliteral(L, "k");
  lua_setfield(L, -2, "__mode");
  lua_setmetatable(L, -2);
  lua_pushvalue(L, -1);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &digitsKey);
  state.hasDigits = true;
}

/// Pushes what was noted beside the table at `table`, whether it counts or not; false, with nothing pushed, where there is nothing.
static bool pushNotes(lua_State *L, const State &state, int table) {
  if (!state.hasDigits) return false;
  table = lua_absindex(L, table);
  lua_rawgetp(L, LUA_REGISTRYINDEX, &digitsKey);
  lua_pushvalue(L, table);
  if (lua_rawget(L, -2) == LUA_TTABLE) {
    lua_remove(L, -2);
    return true;
  }
  lua_pop(L, 2);
  return false;
}

void noteDigits(lua_State *L, State &state, int table, const char *start, const char *end) {
  const int key = lua_gettop(L);
  bool isThere = pushNotes(L, state, table);
  if (!isThere && start) {
    pushAllNotes(L, state);
    lua_pushvalue(L, table);
    lua_createtable(L, 0, 1);
    lua_pushvalue(L, -1);
    lua_insert(L, key + 1);
    lua_rawset(L, -3);
    lua_settop(L, key + 1);
    isThere = true;
  }
  if (isThere) {
    lua_pushvalue(L, key);
    start ? static_cast<void>(lua_pushlstring(L, start, static_cast<size_t>(end - start))) : lua_pushnil(L);
    lua_rawset(L, key + 1);
  }
  lua_settop(L, key - 1);
}

void noteLength(lua_State *L, const State &state, int table) {
  table = lua_absindex(L, table);
  if (!pushNotes(L, state, table)) return;
  lua_pushinteger(L, static_cast<lua_Integer>(lua_rawlen(L, table)));
  lua_rawseti(L, -2, lengthKey);
  lua_pop(L, 1);
}

void forgetDigits(lua_State *L, const State &state, int table) {
  if (!state.hasDigits) return;
  table = lua_absindex(L, table);
  lua_rawgetp(L, LUA_REGISTRYINDEX, &digitsKey);
  lua_pushvalue(L, table);
  lua_pushnil(L);
  lua_rawset(L, -3);
  lua_pop(L, 1);
}

/// Whether the text at `digits` was noted for the very number at `value`.
static bool areDigits(lua_State *L, int digits, int value) {
  if (lua_type(L, digits) != LUA_TSTRING || lua_type(L, value) != LUA_TNUMBER) return false;
  size_t length;
  const char *text = lua_tolstring(L, digits, &length);
  const bool isMinusZero = length == 2 && std::memcmp(text, "-0", 2) == 0;
  if (isMinusZero || lua_isinteger(L, value)) return isMinusZero && lua_isinteger(L, value) && lua_tointeger(L, value) == 0;
  return cjson_reads_as(text, length, lua_tonumber(L, value));
}

/// Whether the table at `table` is no list, or still has the elements for which the notes on top of the stack were made.
static bool isAsNoted(lua_State *L, int table) {
  const int notes = lua_gettop(L);
  const bool isList = lua_rawgeti(L, notes, lengthKey) != LUA_TNIL;
  const lua_Integer length = lua_tointeger(L, -1);
  lua_pop(L, 1);
  if (!isList) return true;
  if (static_cast<lua_Integer>(lua_rawlen(L, table)) != length) return false;
  for (lua_Integer place = 1; place <= length; place++) {
    if (lua_rawgeti(L, notes, place) == LUA_TSTRING) lua_rawgeti(L, table, place);
    const bool isThere = lua_gettop(L) == notes + 1 || areDigits(L, notes + 1, notes + 2);
    lua_settop(L, notes);
    if (!isThere) return false;
  }
  return true;
}

bool pushDigits(lua_State *L, const State &state, int table) {
  table = lua_absindex(L, table);
  if (!pushNotes(L, state, table)) return false;
  if (isAsNoted(L, table)) return true;
  lua_pop(L, 1);
  return false;
}

bool pushDigitsOf(lua_State *L, int noted, int key, int value) {
  noted = lua_absindex(L, noted);
  value = lua_absindex(L, value);
  lua_pushvalue(L, key);
  lua_rawget(L, noted);
  if (areDigits(L, -1, value)) return true;
  lua_pop(L, 1);
  return false;
}

}  // namespace cjson

const char *cjson_digits(lua_State *L, int index, const char *key, size_t key_length, size_t *length) {
  using namespace cjson;
  const State *state = lua_checkstack(L, 8) ? stateOf(L) : nullptr;
  if (!state || !state->hasDigits || !lua_istable(L, index)) return nullptr;
  const int table = lua_absindex(L, index), top = lua_gettop(L);
  lua_pushlstring(L, key, key_length);
  lua_pushvalue(L, -1);
  lua_rawget(L, table);
  const bool areThere = pushDigits(L, *state, table) && pushDigitsOf(L, top + 3, top + 1, top + 2);
  const char *digits = areThere ? lua_tolstring(L, -1, length) : nullptr;
  lua_settop(L, top);
  return digits;
}

int cjson_push_digits(lua_State *L, int index) {
  using namespace cjson;
  const State *state = lua_checkstack(L, 8) ? stateOf(L) : nullptr;
  return state && lua_istable(L, index) && pushDigits(L, *state, index);
}
