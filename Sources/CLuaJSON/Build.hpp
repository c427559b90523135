#pragma once

#include "Document.hpp"
#include "State.hpp"
#include "TextWalk.hpp"

namespace cjson {

/// Turns values on a tape into values on the Lua stack.
struct Builder {
  lua_State *L;
  State *state;
  int tables;  ///< where the state's tables are on the stack
  Tape tape;
  const RowList *lists;  ///< the next array that becomes rows, where any may
  const RowList *listsEnd;
  Document *document;
  int documentIndex;
  TextWalk text;  ///< at the value that is built next; nowhere, where no number in it loses digits

  /// Pushes the value at `at` and moves past it.
  void push(uint32_t &at);

  /// Puts the members of the object at `at` into the table at `table`.
  void members(uint32_t at, int table);

  /// The same of those whose bits are set, of up to 64 members.
  void members(uint32_t at, int table, uint64_t bits);

 private:
  void put(uint32_t &at, int table, bool &isNoted);
  void pushObject(uint32_t &at);
  void pushArray(uint32_t &at);
};

/// Pushes the value at `at` unless it is an object or an array.
bool pushScalar(lua_State *L, const Tape &tape, uint32_t at);

/// Pushes the state's tables and answers what builds plain values from `tape`.
Builder makeBuilder(lua_State *L, const Tape &tape);

}  // namespace cjson
