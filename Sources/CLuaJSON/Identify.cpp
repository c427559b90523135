#include "Identify.hpp"

#include <charconv>
#include <cmath>
#include <cstdio>

namespace cjson {

static bool identify(const char *text, size_t length, cjson_buffer &ids, cjson_item &item) {
  item.id_kind = CJSON_ID_TEXT;
  item.id_offset = ids.length;
  item.id_length = length;
  return append(ids, text, length);
}

static void identify(int64_t integer, cjson_item &item) {
  item.id_kind = CJSON_ID_INTEGER;
  item.id_integer = integer;
}

/// A float with the value of an integer is that integer; from 2^53 on it may stand for its neighbours too.
static void identify(double number, cjson_item &item) {
  const bool isInteger = std::fabs(number) < 0x1p53 && std::trunc(number) == number;
  if (isInteger) {
    identify(static_cast<int64_t>(number), item);
  } else {
    item.id_kind = CJSON_ID_OTHER;
  }
}

bool identify(const Tape &tape, uint32_t at, cjson_buffer &ids, cjson_item &item) {
  if (at == 0) return true;
  switch (tape.kind(at)) {
    case '"': return identify(tape.string(at), tape.stringLength(at), ids, item);
    case 'l': identify(tape.integer(at), item); return true;
    case 'u': { /* beyond the integers of Lua: its digits, as the number would stand for its neighbours too */
      char digits[24];
      const int count = std::snprintf(digits, sizeof digits, "%llu", static_cast<unsigned long long>(tape.natural(at)));
      return identify(digits, static_cast<size_t>(count), ids, item);
    }
    case 'd': identify(tape.number(at), item); return true;
    case 'n': return true;
    default: item.id_kind = CJSON_ID_OTHER; return true;
  }
}

bool identify(lua_State *L, int index, cjson_buffer &ids, cjson_item &item) {
  switch (lua_type(L, index)) {
    case LUA_TSTRING: {
      size_t length;
      const char *text = lua_tolstring(L, index, &length);
      if (!isText(text, length)) return item.id_kind = CJSON_ID_OTHER, true;
      return identify(text, length, ids, item);
    }
    case LUA_TNUMBER:
      if (lua_isinteger(L, index)) {
        identify(static_cast<int64_t>(lua_tointeger(L, index)), item);
      } else {
        identify(static_cast<double>(lua_tonumber(L, index)), item);
      }
      return true;
    case LUA_TNIL: return true;
    default:
      if (!cjson_is_null(L, index)) item.id_kind = CJSON_ID_OTHER;
      return true;
  }
}

bool isNatural(lua_State *L, int index) {
  size_t length;
  const char *text = lua_tolstring(L, index, &length);
  uint64_t natural;
  const auto [end, problem] = std::from_chars(text, text + length, natural);
  return problem == std::errc{} && end == text + length && natural > INT64_MAX;
}

}  // namespace cjson
