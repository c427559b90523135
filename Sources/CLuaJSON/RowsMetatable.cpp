#include "LazyRow.hpp"
#include "Rows.hpp"

namespace cjson {

/// The rows of the first argument, or a raised error. Their userdata is pushed.
static const Rows &rowsArgument(lua_State *L) {
  const Rows *rows = rowsAt(L, 1);
  if (!rows) luaL_argerror(L, 1, "rows expected");
  return *rows;
}

static int index(lua_State *L) {
  lua_settop(L, 2);
  const Rows &rows = rowsArgument(L);
  int isInteger = 0;
  const lua_Integer i = lua_type(L, 2) == LUA_TNUMBER ? lua_tointegerx(L, 2, &isInteger) : 0;
  if (!isInteger || i < 1 || i > rows.count) return 0;
  pushRow(L, 3, rows, i);
  return 1;
}

static int length(lua_State *L) {
  lua_pushinteger(L, rowsArgument(L).count);
  return 1;
}

static int pairs(lua_State *L) {
  materialize(L, 1);
  lua_pushcfunction(L, nextOfPlain);
  lua_pushvalue(L, 1);
  lua_pushnil(L);
  return 3;
}

static int newIndex(lua_State *L) {
  lua_settop(L, 3);
  materialize(L, 1);
  lua_settable(L, 1);
  return 0;
}

void setRowsMetamethods(lua_State *L) {
  const luaL_Reg metamethods[] = {
      {"__index", index}, {"__len", length}, {"__pairs", pairs}, {"__newindex", newIndex}, {nullptr, nullptr}};
  luaL_setfuncs(L, metamethods, 0);
  lua_pushboolean(L, 0);
  lua_setfield(L, -2, "__metatable");
  lua_pushliteral(L, "rows");
  lua_setfield(L, -2, "__name");
}

}  // namespace cjson
