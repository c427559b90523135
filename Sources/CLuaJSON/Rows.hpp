#pragma once

#include "Document.hpp"
#include "Lua.hpp"

namespace cjson {

/// What stands behind a table of rows: a userdata. Its user values are the document and the rows made so far, if any.
struct Rows {
  Document *document;
  Row *rows;
  lua_Integer count;
};

/// Pushes the table of a list of rows; with nothing in it, all is done by its metatable.
void pushRows(lua_State *L, int documentIndex, Document *document, const RowList &list);

/// The rows behind the value at `index`; their userdata is then pushed. Null, with nothing pushed, for anything else.
Rows *rowsAt(lua_State *L, int index);

/// Pushes the table of the rows that were made, of those whose userdata is at `index`; false, with nothing pushed, before the first.
bool pushMade(lua_State *L, int index);

/// Pushes row `i` as a new table, without remembering it.
void pushNewRow(lua_State *L, const Rows &rows, lua_Integer i);

/// Pushes row `i`, made now or before: always the same table.
void pushRow(lua_State *L, int index, const Rows &rows, lua_Integer i);

/// Turns the table at `index` into a plain one if it is rows, or a row that is lazy: all of it, or none when it raises.
void materialize(lua_State *L, int index);

/// Fills a new metatable with what makes a table rows, whose userdata, on top of the stack, is popped.
void setRowsMetamethods(lua_State *L);

}  // namespace cjson
