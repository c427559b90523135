#include "Build.hpp"

#include "CLuaJSON.h"
#include "Rows.hpp"

namespace cjson {

Builder makeBuilder(lua_State *L, const Tape &tape) {
  const int tables = lua_gettop(L) + 1;
  State *state = pushState(L);
  return Builder{L, state, tables, tape, nullptr, nullptr, nullptr, 0};
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
    at = tape.next(at);
  } else if (tape.kind(at) == '{') {
    pushObject(at);
  } else {
    pushArray(at);
  }
}

void Builder::members(uint32_t at, int table) {
  for (at++; tape.kind(at) != '}';) {
    state->keys.push(L, tables, tape.string(at), tape.stringLength(at));
    at++;
    push(at);
    lua_rawset(L, table);
  }
}

void Builder::members(uint32_t at, int table, uint64_t bits) {
  for (at++; tape.kind(at) != '}'; bits >>= 1) {
    if ((bits & 1) == 0) {
      at = tape.next(at + 1);
      continue;
    }
    state->keys.push(L, tables, tape.string(at), tape.stringLength(at));
    at++;
    push(at);
    lua_rawset(L, table);
  }
}

void Builder::pushObject(uint32_t &at) {
  luaL_checkstack(L, 8, "nested too deep");
  lua_createtable(L, 0, static_cast<int>(tape.count(at)));
  members(at, lua_gettop(L));
  at = tape.next(at);
}

void Builder::pushArray(uint32_t &at) {
  if (lists != listsEnd && lists->tape == at) {
    pushRows(L, documentIndex, document, *lists++);
    at = tape.next(at);
    return;
  }
  luaL_checkstack(L, 8, "nested too deep");
  lua_createtable(L, static_cast<int>(tape.count(at)), 0);
  const int table = lua_gettop(L);
  at++;
  for (lua_Integer i = 1; tape.kind(at) != ']'; i++) {
    push(at);
    lua_rawseti(L, table, i);
  }
  at++;
  lua_pushvalue(L, tables + stateArrayMark);
  lua_setmetatable(L, table);
}

}  // namespace cjson
