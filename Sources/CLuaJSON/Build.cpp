#include "Build.hpp"

#include "CLuaJSON.h"
#include "Digits.hpp"
#include "Rows.hpp"

namespace cjson {

Builder makeBuilder(lua_State *L, const Tape &tape) {
  const int tables = lua_gettop(L) + 1;
  State *state = pushState(L);
  return Builder{L, state, tables, tape, nullptr, nullptr, nullptr, 0, {}};
}

bool pushScalar(lua_State *L, const Tape &tape, uint32_t at) {
  switch (tape.kind(at)) {
    case '{':
    case '[': return false;
    case '"': lua_pushlstring(L, tape.string(at), tape.stringLength(at)); break;
    case 'l': lua_pushinteger(L, tape.integer(at)); break;
    case 'u':
    case 'd': lua_pushnumber(L, tape.number(at)); break;
    case 't': lua_pushboolean(L, 1); break;
    case 'f': lua_pushboolean(L, 0); break;
    default: cjson_push_null(L); break;
  }
  return true;
}

void Builder::push(uint32_t &at) {
  if (pushScalar(L, tape, at)) {
    text.passScalar();
    at = tape.next(at);
  } else if (tape.kind(at) == '{') {
    pushObject(at);
  } else {
    pushArray(at);
  }
}

void Builder::members(uint32_t at, int table) {
  bool isNoted = false;
  text.enter();
  for (at++; tape.kind(at) != '}'; text.goOn()) {
    state->keys.push(L, tables, tape.string(at), tape.stringLength(at));
    text.passKey();
    at++;
    put(at, table, isNoted);
  }
}

void Builder::members(uint32_t at, int table, uint64_t bits) {
  bool isNoted = false;
  text.enter();
  for (at++; tape.kind(at) != '}'; bits >>= 1, text.goOn()) {
    const uint32_t key = at++;
    text.passKey();
    if ((bits & 1) == 0) {
      text.passValue();
      at = tape.next(at);
      continue;
    }
    state->keys.push(L, tables, tape.string(key), tape.stringLength(key));
    put(at, table, isNoted);
  }
}

/// Puts the value at `at`, and moves past it, into the table at `table`, under the key on top of the stack, which is popped. Of two with
/// one key the last counts.
void Builder::put(uint32_t &at, int table, bool &isNoted) {
  const uint32_t value = at;
  const char *start = text.at;
  push(at);
  const bool loses = start && losesDigits(tape, value, start, text.at);
  if (loses || isNoted) {
    lua_pushvalue(L, -2);
    noteDigits(L, *state, table, loses ? start : nullptr, text.at);
    isNoted = true;
  }
  lua_rawset(L, table);
}

void Builder::pushObject(uint32_t &at) {
  luaL_checkstack(L, 12, "nested too deep");
  const uint32_t count = tape.count(at);
  lua_createtable(L, 0, static_cast<int>(count));
  members(at, lua_gettop(L));
  if (count == 0) text.goOn();
  at = tape.next(at);
}

void Builder::pushArray(uint32_t &at) {
  if (lists != listsEnd && lists->tape == at) {
    const RowList &list = *lists++;
    pushRows(L, documentIndex, document, list);
    if (text.at) text.at = document->text + document->rows[list.first + list.count - 1].end;
    text.goOn();
    at = tape.next(at);
    return;
  }
  luaL_checkstack(L, 12, "nested too deep");
  const uint32_t count = tape.count(at);
  lua_createtable(L, static_cast<int>(count), 0);
  const int table = lua_gettop(L);
  text.enter();
  if (count == 0) text.goOn();
  at++;
  bool isNoted = false;
  for (lua_Integer i = 1; tape.kind(at) != ']'; i++, text.goOn()) {
    const uint32_t element = at;
    const char *start = text.at;
    push(at);
    lua_rawseti(L, table, i);
    if (!start || !losesDigits(tape, element, start, text.at)) continue;
    lua_pushinteger(L, i);
    noteDigits(L, *state, table, start, text.at);
    isNoted = true;
  }
  if (isNoted) noteLength(L, *state, table);
  at++;
  lua_pushvalue(L, tables + stateArrayMark);
  lua_setmetatable(L, table);
}

}  // namespace cjson
