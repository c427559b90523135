#include "Digits.hpp"
#include "Inner.hpp"
#include "LazyRow.hpp"

namespace cjson {

namespace {

/// A table that has the values of an array or an object, on its way beside the tape and the text.
struct Comparison {
  lua_State *L;
  const State &state;
  const Tape &tape;
  TextWalk text;

  /// Whether what is noted beside the table on top of the stack, and beside those in it, are the digits of the value at `at`.
  bool hasDigits(uint32_t at) {
    if (!lua_checkstack(L, 8)) return false;
    const int table = lua_gettop(L), noted = pushDigits(L, state, table) ? table + 1 : 0, top = lua_gettop(L);
    const bool isObject = tape.kind(at) == '{', isEmpty = tape.count(at) == 0;
    const char end = isObject ? '}' : ']';
    bool areThere = true;
    text.enter();
    if (isEmpty) text.goOn();
    lua_Integer place = 0;
    for (at++; areThere && tape.kind(at) != end; at = tape.next(at), text.goOn()) {
      if (isObject) {
        lua_pushlstring(L, tape.string(at), tape.stringLength(at));
        text.passKey();
        at++;
      } else {
        lua_pushinteger(L, ++place);
      }
      areThere = hasMember(at, table, noted);
      lua_settop(L, top);
    }
    lua_settop(L, table);
    return areThere;
  }

  /// The same of the member whose key is on top of the stack.
  bool hasMember(uint32_t at, int table, int noted) {
    if (tape.kind(at) == '{' || tape.kind(at) == '[') {
      lua_rawget(L, table);
      return hasDigits(at);
    }
    const char *start = text.at;
    text.passScalar();
    if (!losesDigits(tape, at, start, text.at)) return true;
    const int key = lua_gettop(L);
    lua_pushvalue(L, key);
    lua_rawget(L, table);
    if (noted == 0 || !pushDigitsOf(L, noted, key, key + 1)) return false;
    size_t length;
    const char *digits = lua_tolstring(L, -1, &length);
    return length == static_cast<size_t>(text.at - start) && std::memcmp(digits, start, length) == 0;
  }
};

}  // namespace

bool LazyRow::hasDigitsWithin(uint32_t at, lua_State *L, int index, MemberTexts &texts) const {
  const TextWalk text = texts.walk(at);
  if (!text.at) return true;
  const int top = lua_gettop(L);
  lua_pushvalue(L, index);
  const bool areThere = Comparison{L, *document->state, document->tape, text}.hasDigits(at);
  lua_settop(L, top);
  return areThere;
}

/// Whether a number that scripts see for a member of a row is the one that its document has, to the last digit, or one of their own.
static bool keepsDigits(const LazyRow &lazy, const char *name, size_t length) {
  const LazyRow::Member member = lazy.member(name, length);
  const Tape &tape = lazy.document->tape;
  if ((lazy.standing() & member.bit) == 0 || !mayBeRounded(tape, member.at)) return true;
  const TextWalk text = MemberTexts(*lazy.document, *lazy.row).walk(member.at);
  return !text.at || cjson_keeps_digits(text.at, static_cast<size_t>(text.end - text.at), tape.number(member.at));
}

/// The same of the member of the plain table at 1 whose key is at 2: what Lua writes otherwise was noted.
static bool keepsNotedDigits(lua_State *L) {
  const State *state = stateOf(L);
  lua_pushvalue(L, 2);
  lua_rawget(L, 1);
  if (!state || !pushDigits(L, *state, 1) || !pushDigitsOf(L, 4, 2, 3)) return true;
  size_t length;
  const char *digits = lua_tolstring(L, -1, &length);
  return cjson_keeps_digits(digits, length, lua_tonumber(L, 3));
}

int keepsDigits(lua_State *L) {
  size_t length;
  const char *name = luaL_checklstring(L, 2, &length);
  lua_settop(L, 2);
  const LazyRow lazy = lazyRowAt(L, 1);
  lua_pushboolean(L, lazy.row ? keepsDigits(lazy, name, length) : !lua_istable(L, 1) || keepsNotedDigits(L));
  return 1;
}

}  // namespace cjson
