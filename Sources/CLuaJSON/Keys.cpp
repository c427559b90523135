#include "Keys.hpp"

#include <cstring>

#include "State.hpp"

namespace cjson {

/// A slot for the key: its first bytes and its length, mixed.
static size_t slotOf(const char *bytes, uint32_t length) {
  uint64_t head;
  std::memcpy(&head, bytes, sizeof head);
  if (length < 8) head &= (uint64_t{1} << (8 * length)) - 1;
  return ((head ^ length) * 0x9E3779B97F4A7C15) >> 56;
}

void Keys::push(lua_State *L, int tables, const char *bytes, uint32_t length) {
  if (length > longestKept) {
    lua_pushlstring(L, bytes, length);
    see(L, tables);
    return;
  }
  const size_t slot = slotOf(bytes, length);
  Kept &known = kept[slot];
  if (known.length == length && length > 0 && std::memcmp(known.bytes, bytes, length) == 0) {
    lua_rawgeti(L, tables + stateKeys, static_cast<lua_Integer>(slot) + 1);
    return;
  }
  lua_pushlstring(L, bytes, length);
  see(L, tables);
  lua_pushvalue(L, -1);
  lua_rawseti(L, tables + stateKeys, static_cast<lua_Integer>(slot) + 1);
  known.length = length;
  std::memcpy(known.bytes, bytes, length);
}

/// Ranks the key on top of the stack if it has no rank yet.
void Keys::see(lua_State *L, int tables) {
  if (ranks == mostRanks) return;
  lua_pushvalue(L, -1);
  const bool isNew = lua_rawget(L, tables + stateRanks) == LUA_TNIL;
  lua_pop(L, 1);
  if (!isNew) return;
  lua_pushvalue(L, -1);
  lua_pushinteger(L, ranks);
  lua_rawset(L, tables + stateRanks);
  ranks++;
}

uint32_t Keys::rank(lua_State *L, int tables, int index) {
  const char *string = lua_tostring(L, index);
  Ranked &known = ranked[(reinterpret_cast<uintptr_t>(string) * 0x9E3779B97F4A7C15) >> 56];
  if (known.string == string) return known.rank;
  lua_pushvalue(L, index);
  const bool isRanked = lua_rawget(L, tables + stateRanks) != LUA_TNIL;
  const auto rank = isRanked ? static_cast<uint32_t>(lua_tointeger(L, -1)) : unranked;
  lua_pop(L, 1);
  if (isRanked && lua_rawlen(L, index) <= longestKept) known = {string, rank};
  return rank;
}

}  // namespace cjson
