#pragma once

#include "CLuaJSON.h"
#include "Lua.hpp"
#include <cjson/TextIndex.hpp>

namespace cjson {

/// What a script did with lazy rows of one shape, and is about to do with others.
struct Habits {
  /// Members that the rows do not have, and a script gave them: so many at most, with keys so long at most, which Lua keeps once.
  static constexpr size_t mostOthers = 16, longestOther = 28;

  struct Other {
    const char *key;  ///< alive as long as the document, which has the list of these keys
    size_t length;
  };

  size_t shape = 0;
  uint64_t asked = 0;  ///< bits of the members that were read by their names, each of more than one row
  Other others[mostOthers];
  size_t count = 0;
  bool areMore = false;  ///< whether there may be others than these
  const Row *last = nullptr;  ///< the row of which one was read last
  uint64_t askedOfLast = 0, askedBefore = 0;

  /// Notes that a member of a row was read.
  void ask(uint64_t bit, const Row *row) {
    if (row != last) {
      askedBefore |= askedOfLast;
      askedOfLast = 0;
      last = row;
    }
    askedOfLast |= bit;
    asked |= askedBefore & bit;
  }

  bool knows(const char *key) const {
    for (size_t i = 0; i < count; i++) {
      if (others[i].key == key) return true;
    }
    return false;
  }
};

/// User values of a document.
constexpr int documentValues = 3;

/// A text whose rows are still waited for: a userdata that holds its own copy of the tape that a parser lends, so that the collector
/// knows its size, and the text itself or a copy; or only the rows of what has an index of its own.
struct Document {
  void *owner;
  void (*release)(void *owner);
  const char *text;
  Tape tape;
  Row *rows;
  uint64_t *standing;  ///< of each row, what a lazy row notes
  const Row *noted;    ///< the last row whose keys were noted, or null: how often they were is its shape
  Habits habits;
  struct State *state;
  size_t size;  ///< bytes of it, with the text
  bool isHeld;  ///< whether lazy rows may hold it
  bool knowsLineBreaks, hasLineBreaks;
  bool isUniform;  ///< whether it is known that all rows have the same keys, no two of them alike, nothing else in them, and no line breaks

  /// Pushes the document of a text. With an `owner` the text stays where it is, and so does an index that is not lent; the document
  /// will release the owner, which is then set to null.
  static Document *push(lua_State *L, const cjson_index &index, void *&owner, void (*release)(void *owner));

  /// Whether the text has no line breaks.
  bool isOnOneLine();

  /// Appends a row as it came, on one line; false without memory.
  bool append(const Row &row, cjson_buffer &out) { return append(text + row.start, text + row.end, out); }

  /// Appends a part of the text, on one line; false without memory.
  bool append(const char *from, const char *end, cjson_buffer &out);

 private:
  static Document *push(lua_State *L, const cjson_index &index, size_t size);

  size_t length;
};

/// Makes the metatable of documents; once in a state.
void openDocuments(lua_State *L);

}  // namespace cjson
