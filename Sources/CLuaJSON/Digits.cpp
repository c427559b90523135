#include "Digits.hpp"

#include <algorithm>

#include "CLuaJSON.h"

namespace cjson {

static char digitsKey;

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
    const char kind = tape.kind(at);
    if (lists != listsEnd && lists->tape == at) {
      at = tape.next(at);
      lists++;
    } else if (kind == 'u' || kind == 'd' || (kind == 'l' && tape.integer(at) == 0)) {
      return true;
    } else {
      at += kind == 'l' ? 2 : 1;
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
static void pushNotes(lua_State *L, State &state) {
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

void noteDigits(lua_State *L, State &state, int table, const char *start, const char *end) {
  const int key = lua_gettop(L);
  bool isThere = pushDigits(L, state, table);
  if (!isThere && start) {
    pushNotes(L, state);
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

bool pushDigits(lua_State *L, const State &state, int table) {
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

bool areDigits(lua_State *L, int digits, int value) {
  if (lua_type(L, digits) != LUA_TSTRING || lua_type(L, value) != LUA_TNUMBER) return false;
  size_t length;
  const char *text = lua_tolstring(L, digits, &length);
  const bool isMinusZero = length == 2 && std::memcmp(text, "-0", 2) == 0;
  if (isMinusZero || lua_isinteger(L, value)) return isMinusZero && lua_isinteger(L, value) && lua_tointeger(L, value) == 0;
  return cjson_reads_as(text, length, lua_tonumber(L, value));
}

bool pushDigitsOf(lua_State *L, const State &state, int table, int key, int value) {
  key = lua_absindex(L, key);
  value = lua_absindex(L, value);
  if (!pushDigits(L, state, table)) return false;
  lua_pushvalue(L, key);
  lua_rawget(L, -2);
  lua_remove(L, -2);
  if (areDigits(L, -1, value)) return true;
  lua_pop(L, 1);
  return false;
}

}  // namespace cjson

const char *cjson_digits(lua_State *L, int index, const char *key, size_t key_length, int64_t place, size_t *length) {
  using namespace cjson;
  const State *state = lua_checkstack(L, 8) ? stateOf(L) : nullptr;
  if (!state || !state->hasDigits || !lua_istable(L, index)) return nullptr;
  const int table = lua_absindex(L, index), top = lua_gettop(L);
  key ? static_cast<void>(lua_pushlstring(L, key, key_length)) : lua_pushinteger(L, place);
  lua_pushvalue(L, -1);
  lua_rawget(L, table);
  const char *digits = pushDigitsOf(L, *state, table, top + 1, top + 2) ? lua_tolstring(L, -1, length) : nullptr;
  lua_settop(L, top);
  return digits;
}
