#include "Inner.hpp"

#include "CLuaJSON.h"
#include "Failure.hpp"

cjson_status cjson_add_inner(lua_State *L, int index) {
  cjson_status failure;
  auto run = [](lua_State *L) {
    const luaL_Reg functions[] = {{"transformed", cjson::transformed},
                                  {"keepsDigits", cjson::keepsDigits},
                                  {"renamed", cjson::renamed},
                                  {nullptr, nullptr}};
    lua_settop(L, 2);
    luaL_setfuncs(L, functions, 0);
    return 0;
  };
  return cjson::protect(L, run, nullptr, index, 0, 0, &failure, nullptr);
}
