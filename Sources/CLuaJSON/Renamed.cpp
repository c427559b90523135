#include "Digits.hpp"
#include "Inner.hpp"
#include "Rows.hpp"

namespace cjson {

namespace {

/// Where things are on the stack: what was given, the digits that were noted beside it, or nil, and what comes of it.
enum Place : int { given = 1, names, noted, result };

/// Gives the member whose key is below the top of the stack the name on the top, and pops both; false, with both left, where that
/// is no name.
bool rename(lua_State *L, State &state) {
  const int name = lua_gettop(L), key = name - 1, value = name + 1;
  if (lua_type(L, name) != LUA_TSTRING) return false;
  lua_pushvalue(L, key);
  if (lua_rawget(L, given) != LUA_TNIL) {
    lua_pushvalue(L, name);
    lua_pushvalue(L, value);
    lua_rawset(L, result);
    size_t length = 0;
    const bool hasDigits = lua_istable(L, noted) && pushDigitsOf(L, noted, key, value);
    const char *digits = hasDigits ? lua_tolstring(L, -1, &length) : nullptr;
    lua_pushvalue(L, name);
    noteDigits(L, state, result, digits, digits + length);
  }
  lua_settop(L, key - 1);
  return true;
}

/// Whether the key at `index` is one of 1 to `length`.
bool isPlace(lua_State *L, int index, lua_Integer length) {
  return lua_isinteger(L, index) && lua_tointeger(L, index) >= 1 && lua_tointeger(L, index) <= length;
}

/// Answers nothing, and what is on top of the stack, which is no name.
int nameless(lua_State *L) {
  lua_pushnil(L);
  lua_insert(L, -2);
  return 2;
}

}  // namespace

int renamed(lua_State *L) {
  luaL_checktype(L, given, LUA_TTABLE);
  luaL_checktype(L, names, LUA_TTABLE);
  lua_settop(L, names);
  luaL_checkstack(L, 20, "nested too deep");
  materialize(L, given);
  materialize(L, names);
  State &state = *stateOf(L);
  if (!pushDigits(L, state, given)) lua_pushnil(L);
  const auto length = static_cast<lua_Integer>(lua_rawlen(L, names));
  lua_createtable(L, 0, static_cast<int>(length));
  for (lua_Integer i = 1; i <= length; i++) {
    lua_pushinteger(L, i);
    if (lua_rawgeti(L, names, i) != LUA_TNIL && !rename(L, state)) return nameless(L);
    lua_settop(L, result);
  }
  for (lua_pushnil(L); lua_next(L, names); lua_settop(L, result + 1)) {
    if (isPlace(L, result + 1, length)) continue;
    lua_pushvalue(L, result + 1);
    lua_insert(L, -2);
    if (!rename(L, state)) return nameless(L);
  }
  return 1;
}

}  // namespace cjson
