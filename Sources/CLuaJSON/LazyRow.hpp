#pragma once

#include "Document.hpp"
#include "Lua.hpp"

namespace cjson {

/// A row whose members are read where a script asks for them. Its table has nothing in it but members that the document's
/// object does not have; what a script made of the object's own members lies beside it. A script that does more with the
/// row than to read, set and remove members by their names has it made plain.
struct LazyRow {
  Document *document;
  const Row *row;  ///< null: the value is none
  bool isChanged;  ///< whether the script has put anything in the place of its object's members
};

/// Rows with more members are made at once.
constexpr uint32_t mostLazyMembers = 64;

/// Pushes a row of the document at `documentIndex` as such a table; answers false, with nothing pushed, where it has to be
/// made at once.
bool pushLazyRow(lua_State *L, int documentIndex, const Row &row);

/// The row behind the value at `index`.
LazyRow lazyRowAt(lua_State *L, int index);

/// Pushes the table of what the lazy row at `index`, which is changed, has in the place of its object's members.
void pushChanges(lua_State *L, int index);

/// Whether the value at `index` of that table says that a member was removed.
bool isRemoved(lua_State *L, int index);

/// Pushes what the script has put into the lazy row at `index` for the key at `key` (nil if it removed that); false, with
/// nothing pushed, where it has put nothing.
bool pushSetMember(lua_State *L, int index, const LazyRow &lazy, int key);

/// Whether the key at `index` is none of a lazy row's members, but the host's own.
bool isKeyOfHost(lua_State *L, int index);

/// Makes the lazy row at `index` plain: all of it, or nothing when it raises.
void makePlain(lua_State *L, int index, const LazyRow &lazy);

/// `next`, for those whose tables are made plain when somebody walks them.
int nextOfPlain(lua_State *L);

}  // namespace cjson
