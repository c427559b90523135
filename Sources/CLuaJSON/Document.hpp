#pragma once

#include "CLuaJSON.h"
#include "Lua.hpp"
#include <cjson/Parse.hpp>
#include <cjson/Written.hpp>

namespace cjson {

/// A text whose rows are still waited for: a userdata that holds its own copy of the tape, so that the collector knows
/// its size, and the text itself or a copy; or only the rows of what was written with its tape.
struct Document {
  void *owner;
  void (*release)(void *owner);
  const char *text;
  Tape tape;
  Row *rows;
  uint64_t *standing;  ///< of each row, what a lazy row notes
  const Row *noted;    ///< the last row whose keys were noted, or null: how often they were is its shape
  struct State *state;
  size_t size;  ///< bytes of it, with the text
  bool isHeld;  ///< whether lazy rows may hold it
  bool knowsLineBreaks, hasLineBreaks;

  /// Pushes the document of what the parser parsed last. With an `owner` the text stays where it is, and the document
  /// will release it: `owner` is then set to null.
  static Document *push(lua_State *L, const Parser &parser, const Parsed &parsed, void *&owner,
                        void (*release)(void *owner));

  /// Pushes the document of rows that were written, which stay where they are: it will release their `owner`, and set it to null.
  static Document *push(lua_State *L, const cjson_rows &written, void *&owner, void (*release)(void *owner));

  /// Whether the text has no line breaks.
  bool isOnOneLine();

  /// Appends a row as it came, on one line; false without memory.
  bool append(const Row &row, cjson_buffer &out) { return append(text + row.start, text + row.end, out); }

  /// Appends a part of the text, on one line; false without memory.
  bool append(const char *from, const char *end, cjson_buffer &out);

 private:
  static Document *push(lua_State *L, const Array<Row> &rows, size_t size);
  void own(lua_State *L, void *&owner, void (*release)(void *owner));

  size_t length;
};

/// Makes the metatable of documents; once in a state.
void openDocuments(lua_State *L);

}  // namespace cjson
