#include "Keys.hpp"

#include <cstring>

#include "State.hpp"

namespace cjson {

/// One of the two slots for the key, side by side: its first bytes and its length, mixed.
static size_t slotOf(const char *bytes, uint32_t length) {
  uint64_t head;
  std::memcpy(&head, bytes, sizeof head);
  if (length < 8) head &= (uint64_t{1} << (8 * length)) - 1;
  return ((head ^ length) * 0x9E3779B97F4A7C15) >> 56;
}

/// The slot where the key is, or may be put.
size_t Keys::slot(const char *bytes, uint32_t length) const {
  const size_t first = slotOf(bytes, length), second = first ^ 1;
  if (kept[first].is(bytes, length)) return first;
  return kept[second].is(bytes, length) || (kept[first].length > 0 && kept[second].length == 0) ? second : first;
}

void Keys::push(lua_State *L, int tables, const char *bytes, uint32_t length) {
  if (length > longestKept) {
    lua_pushlstring(L, bytes, length);
    see(L, tables);
    return;
  }
  const size_t slot = this->slot(bytes, length);
  Kept &known = kept[slot];
  if (known.is(bytes, length)) {
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

bool Keys::know(const Tape &tape, uint32_t at) const {
  const bool isObject = tape.kind(at) == '{';
  const char end = isObject ? '}' : ']';
  for (at++; tape.kind(at) != end; at = tape.next(at)) {
    if (isObject) {
      const uint32_t length = tape.stringLength(at);
      if (length > longestKept || !kept[slot(tape.string(at), length)].is(tape.string(at), length)) return false;
      at++;
    }
    if ((tape.kind(at) == '{' || tape.kind(at) == '[') && !know(tape, at)) return false;
  }
  return true;
}

void Keys::note(lua_State *L, int tables, const Tape &tape, uint32_t at) {
  const bool isObject = tape.kind(at) == '{';
  const char end = isObject ? '}' : ']';
  for (at++; tape.kind(at) != end; at = tape.next(at)) {
    if (isObject) {
      push(L, tables, tape.string(at), tape.stringLength(at));
      lua_pop(L, 1);
      at++;
    }
    if (tape.kind(at) == '{' || tape.kind(at) == '[') note(L, tables, tape, at);
  }
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
