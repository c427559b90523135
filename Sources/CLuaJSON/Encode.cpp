#include "Encode.hpp"

#include <cmath>
#include <cstring>

#include "CLuaJSON.h"
#include "Digits.hpp"
#include "Failure.hpp"

namespace cjson {

Encoder::Encoder(lua_State *L, cjson_buffer &out, int indent, cjson_error *error, cjson_status *failure)
    : L(L), tables(lua_gettop(L) + 1), out(&out), indent(indent), error(error), failure(failure) {
  state = pushState(L);
  lua_pushnil(L);
  keptKeys = lua_gettop(L);
  lua_pushnil(L);
  keptOthers = lua_gettop(L);
  state->entries.count = 0;
}

/// Tables between two looks at whether the script is to come to its end: a table can be written in many places.
constexpr unsigned tablesBetweenLooks = 1024;

void Encoder::value(int index) {
  switch (lua_type(L, index)) {
    case LUA_TNIL: fail("nothing (nil) can't be written as JSON; null is a value of its own");
    case LUA_TBOOLEAN:
      check(lua_toboolean(L, index) ? append(*out, "true", 4) : append(*out, "false", 5));
      return;
    case LUA_TNUMBER: number(index); return;
    case LUA_TSTRING: {
      size_t length;
      const char *bytes = lua_tolstring(L, index, &length);
      text(bytes, length);
      return;
    }
    case LUA_TTABLE: table(index); return;
    default:
      if (!cjson_is_null(L, index)) fail("a %s can't be written as JSON", luaL_typename(L, index));
      check(append(*out, "null", 4));
  }
}

void Encoder::text(const char *bytes, size_t length) {
  const char *wrong = nullptr;
  if (appendString(*out, bytes, length, &wrong)) return;
  if (!wrong) raise();
  fail("a string that is not UTF-8 (byte 0x%02x at %zu): convert it, or take its lookahead.base64.encode",
       static_cast<unsigned char>(*wrong), static_cast<size_t>(wrong - bytes) + 1);
}

void Encoder::number(int index) {
  if (lua_isinteger(L, index)) {
    check(appendInteger(*out, lua_tointeger(L, index)));
    return;
  }
  const double number = lua_tonumber(L, index);
  if (std::isnan(number)) fail("nan can't be written as JSON");
  if (std::isinf(number)) fail("%sinf can't be written as JSON", number < 0 ? "-" : "");
  check(appendFloat(*out, number));
}

int Encoder::pushNotedDigits(int index) {
  // Equal values have equal texts where keys come by their bytes: a script sees none of these digits.
  return indent >= 0 && cjson::pushDigits(L, *state, index) ? lua_gettop(L) : 0;
}

bool Encoder::digits(int noted) {
  const int value = lua_gettop(L);
  if (!pushDigitsOf(L, noted, value - 1, value)) return false;
  size_t length;
  const char *text = lua_tolstring(L, -1, &length);
  check(append(*out, text, length));
  lua_settop(L, value);
  return true;
}

bool Encoder::isMarked(int index) const {
  if (!lua_getmetatable(L, index)) return false;
  const bool isMarked = lua_topointer(L, -1) == state->arrayMark;
  lua_pop(L, 1);
  return isMarked;
}

void Encoder::table(int index) {
  const void *pointer = lua_topointer(L, index);
  for (int i = 0; i < depth; i++) {
    if (ancestors[i] == pointer) fail("a table that holds itself");
  }
  if (depth == deepest) fail("nested deeper than %d", deepest);
  if (++tablesWritten % tablesBetweenLooks == 0 && limits().is_stopped && limits().is_stopped(L)) {
    fail("stopped");
  }
  if (!lua_checkstack(L, 8)) raise();
  ancestors[depth] = pointer;
  const int top = lua_gettop(L);
  const auto length = static_cast<lua_Integer>(lua_rawlen(L, index));
  const bool isPlain = !lua_getmetatable(L, index);
  lua_settop(L, top);
  if (isPlain) {
    length > 0 ? list(index, length) : object(index);
  } else if (const LazyRow lazy = lazyRowAt(L, index); lazy.row) {
    lazyRow(index, lazy);
  } else if (isMarked(index)) {
    list(index, length);
  } else if (const Rows *found = rowsAt(L, index)) {
    rows(top + 1, *found);
  } else if (length > 0) {
    list(index, length);
  } else {
    refuseHostObject(index);
    object(index);
  }
  lua_settop(L, top);
}

/// Fails for an object of the host's that has nothing of its own: what is behind it is no data.
void Encoder::refuseHostObject(int index) {
  static constexpr char own[] = "lookahead.";
  const int top = lua_gettop(L);
  lua_pushnil(L);
  if (!lua_next(L, index) && lua_getmetatable(L, index)) {
    const int shape = lua_gettop(L);
    lua_pushliteral(L, "__name");
    const bool isNamed = lua_rawget(L, shape) == LUA_TSTRING;
    const char *name = isNamed ? lua_tostring(L, -1) : "";
    if (std::strncmp(name, own, sizeof own - 1) == 0) fail("a value of lookahead (%.60s) can't be written as JSON", name + sizeof own - 1);
    lua_pushliteral(L, "__sealed");
    if (lua_rawget(L, shape) != LUA_TNIL) fail("the library lookahead can't be written as JSON");
  }
  lua_settop(L, top);
}

void Encoder::checkList(int index, lua_Integer length) {
  lua_Integer count = 0;
  lua_pushnil(L);
  while (lua_next(L, index)) {
    lua_pop(L, 1);
    if (lua_isinteger(L, -1)) {
      const lua_Integer key = lua_tointeger(L, -1);
      if (key < 1 || key > length) {
        const char *way = isExact ? ": other keys are texts, as t[tostring(key)]" : "";
        fail("a list can't have the key %lld beside its %lld elements%s", key, length, way);
      }
      count++;
    } else if (lua_type(L, -1) == LUA_TSTRING) {
      fail("a list can't have the key \"%.60s\" beside its %lld elements", lua_tostring(L, -1), length);
    } else {
      fail("a list can't have a %s as key", luaL_typename(L, -1));
    }
  }
  if (count < length) fail("a list of %lld with %lld missing; null is a value of its own", length, length - count);
}

void Encoder::list(int index, lua_Integer length) {
  checkList(index, length);
  const int noted = pushDigits(index), top = lua_gettop(L);
  byte('[');
  for (lua_Integer i = 1; i <= length; i++) {
    path[depth++] = {nullptr, 0, i};
    separate(i == 1);
    if (noted != 0) lua_pushinteger(L, i);
    lua_rawgeti(L, index, i);
    if (noted == 0 || !digits(noted)) value(lua_gettop(L));
    lua_settop(L, top);
    depth--;
  }
  if (length > 0) newLine();
  byte(']');
}

/// What stands between two values of a container, or before the first.
void Encoder::separate(bool isFirst) {
  if (!isFirst) byte(',');
  newLine();
}

void Encoder::newLine() {
  if (indent <= 0) return;
  byte('\n');
  for (int i = 0; i < depth * indent; i++) byte(' ');
}

}  // namespace cjson

namespace {

struct Encoding {
  cjson_buffer *out;
  int indent;
  bool isExact;
  cjson_error *error;
  cjson_status *failure;
};

int encode(lua_State *L) {
  const auto &encoding = *static_cast<Encoding *>(lua_touserdata(L, 1));
  cjson::Encoder encoder(L, *encoding.out, encoding.indent, encoding.error, encoding.failure);
  encoder.isExact = encoding.isExact;
  encoder.value(2);
  return 0;
}

}  // namespace

cjson_status cjson_encode(lua_State *L, int index, int indent, int is_exact, cjson_buffer *out, cjson_error *error) {
  const size_t length = out->length;
  cjson_status failure;
  Encoding encoding{out, indent, is_exact != 0, error, &failure};
  const cjson_status status = cjson::protect(L, encode, &encoding, index, 0, 0, &failure, error);
  if (status != CJSON_OK) out->length = length;
  return status;
}
