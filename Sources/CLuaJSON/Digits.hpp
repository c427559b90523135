#pragma once

#include "Document.hpp"
#include "State.hpp"
#include "TextWalk.hpp"

namespace cjson {

/// Numbers that a document writes otherwise than Lua's integers and doubles are written: 12345678901234567890, -0. Beside each plain
/// table that has such ones, their digits are noted by their keys, in a table of the registry that keeps none alive; it is made with the
/// first of them. They are a member's as long as that is the very number that was put there.

/// Whether the number at `at` of a tape, which is written from `start` to `end`, is such a one.
bool losesDigits(const Tape &tape, uint32_t at, const char *start, const char *end);

/// Whether there may be such ones in the value at `at` of a tape, but for those in the lists of rows from `lists` on: false for most,
/// without a look at the text.
bool mayLoseDigits(const Tape &tape, uint32_t at, const RowList *lists = nullptr, const RowList *listsEnd = nullptr);

/// A walk along a row of a document; nowhere, where no number of it loses digits.
TextWalk walkAlong(const Document &document, const Row &row);

/// Notes the digits of the member of the table at `table` whose key is on top of the stack, which is popped; null: it has none.
void noteDigits(lua_State *L, State &state, int table, const char *start, const char *end);

/// Pushes what was noted beside the table at `table`; false, with nothing pushed, where there is nothing.
bool pushDigits(lua_State *L, const State &state, int table);

/// Whether the value at `digits` is what was noted for the very number at `value`.
bool areDigits(lua_State *L, int digits, int value);

/// Pushes the digits of the member at `value` of the table at `table`, whose key is at `key`; false, with nothing pushed, where the
/// number is all there is.
bool pushDigitsOf(lua_State *L, const State &state, int table, int key, int value);

}  // namespace cjson
