#pragma once

#include <cjson/Array.hpp>
#include "CLuaJSON.h"
#include "Keys.hpp"
#include "Lua.hpp"
#include "Members.hpp"
#include <cjson/Parse.hpp>

namespace cjson {

/// What one Lua state keeps for us: a userdata in its registry.
struct State {
  Parser parser;
  Keys keys;
  Array<Entry> entries;  ///< members being sorted, innermost last
  const void *arrayMark;        ///< the metatable of arrays, to compare with
  size_t held;                  ///< bytes of the documents that lazy rows hold
  bool isLazy;                  ///< whether rows are made lazily at all
  bool hasDigits;               ///< whether digits of numbers were ever noted
};

/// A state's tables, pushed together: how many, and their places from the first one.
enum StateTable : int { stateKeys = 0, stateRanks = 1, stateArrayMark = 2, stateTables = 3 };

/// How limits are kept, in all states; its functions are null where they are not.
const cjson_limits &limits();

/// Pushes the state's three tables, and answers the state.
State *pushState(lua_State *L);

/// The state, with nothing pushed; null before it was prepared.
State *stateOf(lua_State *L);

}  // namespace cjson
