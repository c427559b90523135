#include "LazyRow.hpp"
#include "Rows.hpp"

namespace cjson {

/// The rows behind the table whose metamethod is called.
static const Rows &rowsOf(lua_State *L) { return *static_cast<Rows *>(lua_touserdata(L, lua_upvalueindex(1))); }

static int index(lua_State *L) {
  const Rows &rows = rowsOf(L);
  int isInteger = 0;
  const lua_Integer i = lua_type(L, 2) == LUA_TNUMBER ? lua_tointegerx(L, 2, &isInteger) : 0;
  if (!isInteger || i < 1 || i > rows.count) return 0;
  pushRow(L, lua_upvalueindex(1), rows, i);
  return 1;
}

static int length(lua_State *L) {
  lua_pushinteger(L, rowsOf(L).count);
  return 1;
}

static int pairs(lua_State *L) {
  materialize(L, 1);
  lua_pushcfunction(L, nextOfAny);
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
  luaL_setfuncs(L, metamethods, 1);
  lua_pushboolean(L, 0);
  lua_setfield(L, -2, "__metatable");
  lua_pushliteral(L, "rows");
  lua_setfield(L, -2, "__name");
}

}  // namespace cjson
