#include "Rows.hpp"

#include "Build.hpp"
#include "CLuaJSON.h"
#include "Digits.hpp"
#include "Failure.hpp"
#include "LazyRow.hpp"

namespace cjson {

static char rowsKey;

enum UserValue : int { documentValue = 1, madeValue = 2 };

/// Room in the table of made rows from the start; with more rows than these it grows with what is touched.
constexpr lua_Integer firstRoom = 1024;

void pushRows(lua_State *L, int documentIndex, Document *document, const RowList &list) {
  luaL_checkstack(L, 8, "nested too deep");
  lua_newtable(L);
  lua_createtable(L, 0, 8);
  auto *rows = static_cast<Rows *>(lua_newuserdatauv(L, sizeof(Rows), madeValue));
  *rows = Rows{document, document->rows + list.first, list.count};
  lua_pushvalue(L, documentIndex);
  lua_setiuservalue(L, -2, documentValue);
  lua_pushvalue(L, -1);
  lua_rawsetp(L, -3, &rowsKey);
  setRowsMetamethods(L);
  lua_setmetatable(L, -2);
}

Rows *rowsAt(lua_State *L, int index) {
  if (!lua_istable(L, index) || !lua_getmetatable(L, index)) return nullptr;
  if (lua_rawgetp(L, -1, &rowsKey) == LUA_TUSERDATA) {
    lua_remove(L, -2);
    return static_cast<Rows *>(lua_touserdata(L, -1));
  }
  lua_pop(L, 2);
  return nullptr;
}

bool pushMade(lua_State *L, int index) {
  if (lua_getiuservalue(L, index, madeValue) == LUA_TTABLE) return true;
  lua_pop(L, 1);
  return false;
}

void pushNewRow(lua_State *L, const Rows &rows, lua_Integer i) {
  const int top = lua_gettop(L);
  luaL_checkstack(L, 8, "nested too deep");
  Builder builder = makeBuilder(L, rows.document->tape);
  builder.text = walkAlong(*rows.document, rows.rows[i - 1]);
  uint32_t at = rows.rows[i - 1].tape;
  builder.push(at);
  lua_insert(L, top + 1);
  lua_settop(L, top + 1);
}

void pushRow(lua_State *L, int index, const Rows &rows, lua_Integer i) {
  if (!pushMade(L, index)) {
    lua_createtable(L, static_cast<int>(rows.count < firstRoom ? rows.count : firstRoom), 0);
    lua_pushvalue(L, -1);
    lua_setiuservalue(L, index, madeValue);
  }
  const int made = lua_gettop(L);
  if (lua_rawgeti(L, made, i) != LUA_TTABLE) {
    if (rows.count > firstRoom) {
      // Room for it first: a row that was made is to be found.
      lua_pushboolean(L, 0);
      lua_rawseti(L, made, i);
    }
    lua_getiuservalue(L, index, documentValue);
    if (!pushLazyRow(L, made + 2, rows.rows[i - 1])) {
      pushNewRow(L, rows, i);
      LazyRow{rows.document, rows.rows + i - 1}.standing() = 0;
    }
    lua_pushvalue(L, -1);
    lua_rawseti(L, made, i);
  }
  lua_replace(L, made);
  lua_settop(L, made);
}

/// Puts every row into the table at 1, whose userdata of rows is at 2.
static int fill(lua_State *L) {
  const auto &rows = *static_cast<Rows *>(lua_touserdata(L, 2));
  for (lua_Integer i = 1; i <= rows.count; i++) {
    pushRow(L, 2, rows, i);
    lua_rawseti(L, 1, i);
  }
  return 0;
}

/// Takes out what `fill` put in before it raised.
static void empty(lua_State *L, int index, lua_Integer count) {
  for (lua_Integer i = 1; i <= count && lua_rawgeti(L, index, i) != LUA_TNIL; i++) {
    lua_pop(L, 1);
    lua_pushnil(L);
    lua_rawseti(L, index, i);
  }
}

void materialize(lua_State *L, int index) {
  index = lua_absindex(L, index);
  const int top = lua_gettop(L);
  luaL_checkstack(L, 8, "nested too deep");
  if (const LazyRow lazy = lazyRowAt(L, index); lazy.row) return makePlain(L, index, lazy);
  const Rows *rows = rowsAt(L, index);
  if (!rows) return;
  lua_pushcfunction(L, fill);
  lua_pushvalue(L, index);
  lua_pushvalue(L, top + 1);
  if (lua_pcall(L, 2, 0, 0) != LUA_OK) {
    empty(L, index, rows->count);
    lua_settop(L, top + 2);
    lua_error(L);
  }
  const int tables = lua_gettop(L) + 1;
  pushState(L);
  lua_pushvalue(L, tables + stateArrayMark);
  lua_setmetatable(L, index);
  lua_settop(L, top);
}

}  // namespace cjson

int cjson_is_rows(lua_State *L, int index) {
  if (!lua_checkstack(L, 2)) return 0;
  const cjson::Rows *rows = cjson::rowsAt(L, index);
  if (!rows) return 0;
  const auto count = static_cast<int>(rows->count);
  lua_pop(L, 1);
  return count;
}

cjson_status cjson_materialize(lua_State *L, int index) {
  cjson_status failure;
  auto run = [](lua_State *L) {
    cjson::materialize(L, 2);
    return 0;
  };
  return cjson::protect(L, run, nullptr, index, 0, 0, &failure, nullptr);
}

cjson_status cjson_push_row(lua_State *L, int index, int64_t position) {
  cjson_status failure;
  auto run = [](lua_State *L) {
    const cjson::Rows *rows = cjson::rowsAt(L, 2);
    const auto position = *static_cast<const int64_t *>(lua_touserdata(L, 1));
    if (!rows || position < 1 || position > rows->count) return 0;
    cjson::pushRow(L, lua_gettop(L), *rows, position);
    return 1;
  };
  return cjson::protect(L, run, &position, index, 0, 1, &failure, nullptr);
}
