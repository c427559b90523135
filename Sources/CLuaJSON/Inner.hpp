#pragma once

#include "Lua.hpp"

namespace cjson {

/// transformed(items, transform, add, notes), as `cjson_add_inner` tells.
int transformed(lua_State *L);

/// keepsDigits(item, name), as `cjson_add_inner` tells.
int keepsDigits(lua_State *L);

/// renamed(given, names), as `cjson_add_inner` tells.
int renamed(lua_State *L);

}  // namespace cjson
