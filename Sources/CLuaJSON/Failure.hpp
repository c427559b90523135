#pragma once

#include <cjson/Describe.hpp>

#include "CLuaJSON.h"
#include "Lua.hpp"

namespace cjson {

/// Calls `function` with `job` and with copies of the values at `first` and `second` (0: nil), protected and within the
/// state's memory limit; it may leave `results` values. `failure` is where the function says what it raised for; Lua's own errors are described.
cjson_status protect(lua_State *L, lua_CFunction function, void *job, int first, int second, int results,
                     cjson_status *failure, cjson_error *error);

/// Raises Lua's own error for a state without memory.
[[noreturn]] void raiseMemory(lua_State *L, cjson_status *failure);

}  // namespace cjson
