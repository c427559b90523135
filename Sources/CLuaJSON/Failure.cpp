#include "Failure.hpp"

#include "State.hpp"

namespace cjson {

cjson_status protect(lua_State *L, lua_CFunction function, void *job, int first, int second, int results,
                     cjson_status *failure, cjson_error *error) {
  *failure = CJSON_OK;
  if (!lua_checkstack(L, 5)) {
    describe(error, 0, 0, "not enough memory");
    return CJSON_MEMORY;
  }
  const int top = lua_gettop(L);
  auto place = [top](int index) { return index < 0 ? index + top + 1 : index; };
  first = place(first);
  second = place(second);
  auto pushArgument = [L, top](int index) {
    index < 1 || index > top ? lua_pushnil(L) : lua_pushvalue(L, index);
  };
  lua_pushcfunction(L, function);
  lua_pushlightuserdata(L, job);
  pushArgument(first);
  pushArgument(second);
  const auto refuse = limits().refuse;
  const int before = refuse ? refuse(L, 1) : 0;
  const int result = lua_pcall(L, 3, results, 0);
  if (refuse) refuse(L, before);
  if (result == LUA_OK) return CJSON_OK;
  if (result == LUA_ERRMEM) *failure = CJSON_MEMORY;
  if (*failure == CJSON_MEMORY) describe(error, 0, 0, "not enough memory");
  if (*failure == CJSON_OK) {
    *failure = CJSON_INVALID;
    describe(error, 0, 0, "%s", lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "an unknown error");
  }
  lua_pop(L, 1);
  return *failure;
}

void raiseMemory(lua_State *L, cjson_status *failure) {
  *failure = CJSON_MEMORY;
  lua_pushnil(L);
  lua_error(L);
  __builtin_unreachable();
}

}  // namespace cjson
