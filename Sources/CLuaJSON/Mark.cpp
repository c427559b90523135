#include "CLuaJSON.h"
#include "Failure.hpp"
#include "Rows.hpp"
#include "State.hpp"

namespace cjson {

/// Marks the table at 2; rows are arrays anyway.
static int mark(lua_State *L) {
  luaL_checktype(L, 2, LUA_TTABLE);
  if (rowsAt(L, 2)) return 0;
  const int tables = lua_gettop(L) + 1;
  const State *state = pushState(L);
  if (lua_getmetatable(L, 2) && lua_topointer(L, -1) != state->arrayMark) {
    return luaL_error(L, "a table with a metatable can't be marked");
  }
  lua_pushvalue(L, tables + stateArrayMark);
  lua_setmetatable(L, 2);
  return 0;
}

}  // namespace cjson

cjson_status cjson_mark_array(lua_State *L, int index) {
  cjson_status failure;
  return cjson::protect(L, cjson::mark, nullptr, index, 0, 0, &failure, nullptr);
}
