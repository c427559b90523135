#pragma once

#include <cjson/Buffer.hpp>
#include "CLuaJSON.h"
#include "Lua.hpp"
#include <cjson/Tape.hpp>

namespace cjson {

/// Takes the value at `at` of a tape for the id of an item, 0 for none; text goes to `ids`. False without memory.
bool identify(const Tape &tape, uint32_t at, cjson_buffer &ids, cjson_item &item);

/// Takes the value at `index` for the id of an item; text goes to `ids`. False without memory.
bool identify(lua_State *L, int index, cjson_buffer &ids, cjson_item &item);

/// Whether the text at `index` is a number that Lua has no integer for, but 64 bits: it is an id by its digits.
bool isNatural(lua_State *L, int index);

}  // namespace cjson
