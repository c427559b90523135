#pragma once

#include <cjson/Buffer.hpp>
#include <cjson/Depth.hpp>
#include "LazyRow.hpp"
#include "Members.hpp"
#include "Rows.hpp"
#include "Shape.hpp"
#include "State.hpp"

namespace cjson {

/// Writes values from the Lua stack as JSON. Raises on failure, after it said why.
struct Encoder {
  /// Pushes the state's tables.
  Encoder(lua_State *L, cjson_buffer &out, int indent, cjson_error *error, cjson_status *failure);

  size_t item = 0;  ///< which item of a page is written; 0: none
  bool isVerbatim = false;  ///< whether lazy rows are written as they came, not as the tables that a script sees
  bool isExact = false;  ///< whether keys that would come back as other ones are refused

  /// Writes the value at `index` (which counts from the bottom).
  void value(int index);

  /// Writes the lazy row whose table is at `index`.
  void lazyRow(int index, const LazyRow &lazy);

  /// Refuses the table at `index` if it has keys besides 1 to `length`.
  void checkList(int index, lua_Integer length);

  /// Whether the table at `index` is marked as an array.
  bool isMarked(int index) const;

  /// Pushes what counts of the digits noted beside the table at `index`, and answers where it is; 0 where there are none to be written.
  int pushDigits(int index) { return state->hasDigits ? pushNotedDigits(index) : 0; }

  /// Writes the number on top of the stack, with the digits that are noted under the key below it; false where there are none.
  bool digits(int noted);

  /// Raises; the message names the place.
  [[noreturn]] void fail(const char *format, ...) __attribute__((format(printf, 2, 3)));

  /// Raises when an append or a reserve found no memory, or no more room below the limit.
  void check(bool hadMemory) {
    if (!hadMemory) raise();
  }

 private:
  /// Objects with up to this many members keep their values on the stack while their keys are sorted.
  static constexpr size_t mostKept = 64;
  static_assert(mostKept >= mostLazyMembers);
  static constexpr int deepest = static_cast<int>(mostNested);

  struct Step {
    const char *key;  ///< null for an index
    size_t length;
    lua_Integer index;
  };

  [[noreturn]] void raise();
  int pushNotedDigits(int index);
  void number(int index);
  void text(const char *bytes, size_t length);
  void table(int index);
  void list(int index, lua_Integer length);
  void rows(int index, const Rows &rows);
  void object(int index);
  void refuseHostObject(int index);
  bool keepKeys(int index, const LazyRow &lazy);
  size_t others(int index, size_t first, const LazyRow &lazy);
  uint64_t changes(int index, const LazyRow &lazy, bool areKept);
  bool changedRow(int index, const LazyRow &lazy, uint64_t changed);
  void members(int index, size_t first, size_t count, bool isFirst, int noted = 0);
  size_t collect(int index, size_t first, const LazyRow *except = nullptr);
  void readInteger(Entry &entry, int index);
  [[noreturn]] void refuseKey(int index);
  void order(size_t first, size_t count);
  void member(int object, const Entry &entry, int noted);
  void byte(char byte) { check(append(*out, &byte, 1)); }
  void separate(bool isFirst);
  void newLine();
  size_t describePath(char *end, size_t room) const;

  lua_State *L;
  State *state;
  int tables;
  cjson_buffer *out;
  int indent;
  cjson_error *error;
  cjson_status *failure;
  int depth = 0;
  unsigned tablesWritten = 0;
  Shapes shapes;
  int keptKeys;  ///< where the noted keys of a document's rows are on the stack
  int keptOthers;  ///< where the keys are of others that such rows are given
  const Row *keptOf = nullptr;  ///< the row that they were noted for
  const Document *othersOf = nullptr;
  const void *ancestors[deepest];
  Step path[deepest];
};

}  // namespace cjson
