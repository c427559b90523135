#pragma once

#include <cjson/Buffer.hpp>
#include "CLuaJSON.h"
#include "Lua.hpp"
#include <cjson/Tape.hpp>

namespace cjson {

/// Reads the id of an item from the member `field` of the object at `object` (of several, the last); text goes to `ids`.
/// False without memory.
bool identify(const Tape &tape, uint32_t object, const char *field, size_t length, cjson_buffer &ids,
              cjson_item &item);

/// Takes the value at `index` for the id of an item; text goes to `ids`. False without memory.
bool identify(lua_State *L, int index, cjson_buffer &ids, cjson_item &item);

}  // namespace cjson
