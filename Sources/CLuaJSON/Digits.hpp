#pragma once

#include "Document.hpp"
#include "State.hpp"
#include "TextWalk.hpp"

namespace cjson {

/// Numbers that a document writes otherwise than Lua's integers and doubles are written: 12345678901234567890, -0. A lazy row leaves them
/// in its document, so that what a script sets in their place is known to be its own. Beside each plain table that has such ones, their
/// digits are noted by their keys, in a table of the registry that keeps none alive; it is made with the first of them. What a script sets
/// in a plain table is not seen, and other numbers may be the same double. Whether a note counts is said by `pushDigits` and
/// `pushDigitsOf`, and by nothing else.

/// Whether the value at `at` of a tape may be such a number: false for most, without a look at the text.
inline bool mayBeRounded(const Tape &tape, uint32_t at) {
  const char kind = tape.kind(at);
  return kind == 'u' || kind == 'd' || (kind == 'l' && tape.integer(at) == 0);
}

/// Whether the number at `at` of a tape, which is written from `start` to `end`, is such a one.
bool losesDigits(const Tape &tape, uint32_t at, const char *start, const char *end);

/// Whether there may be such ones in the value at `at` of a tape, but for those in the lists of rows from `lists` on: false for most,
/// without a look at the text.
bool mayLoseDigits(const Tape &tape, uint32_t at, const RowList *lists = nullptr, const RowList *listsEnd = nullptr);

/// A walk along a row of a document; nowhere, where no number of it loses digits.
TextWalk walkAlong(const Document &document, const Row &row);

/// Notes the digits of the member of the table at `table` whose key is on top of the stack, which is popped; null: it has none.
void noteDigits(lua_State *L, State &state, int table, const char *start, const char *end);

/// Notes beside the list at `table`, which is whole, how many elements it has, if digits of any were noted.
void noteLength(lua_State *L, const State &state, int table);

/// Drops what was noted beside the table at `table`.
void forgetDigits(lua_State *L, const State &state, int table);

/// Pushes what was noted beside the table at `table`, by keys; false, with nothing pushed, where nothing of it counts. That of a list
/// does as long as it has as many elements as it came with, and all these numbers at their places: else elements may have moved.
bool pushDigits(lua_State *L, const State &state, int table);

/// Pushes the digits of the number at `value`, whose key is at `key`, from what `pushDigits` pushed at `noted`; false, with nothing
/// pushed, where that is not the very number that was put there.
bool pushDigitsOf(lua_State *L, int noted, int key, int value);

}  // namespace cjson
