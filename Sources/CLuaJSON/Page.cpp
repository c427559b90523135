#include <cstdlib>

#include "CLuaJSON.h"
#include "Encode.hpp"
#include "Failure.hpp"
#include "Identify.hpp"

namespace {

using namespace cjson;

/// Readable bytes promised after a page's own.
constexpr size_t padding = 64;

/// What a protected append is given.
struct Paging {
  cjson_page *page;
  const char *idField;
  bool hasIDs;
  cjson_error *error;
  cjson_status *failure;
};

/// Adds a place for the next item; null without memory.
cjson_item *addItem(cjson_page &page) {
  Array<cjson_item> items{page.items, page.count, page.capacity};
  const bool isFirst = page.bytes.length == 0;
  if (!isFirst && !append(page.bytes, "\n", 1)) return nullptr;
  if (!items.append(cjson_item{page.bytes.length, 0, CJSON_ID_NONE, 0, 0, 0})) return nullptr;
  page.items = items.elements;
  page.count = items.count;
  page.capacity = items.capacity;
  return page.items + page.count - 1;
}

/// Makes room for rows that are mostly as they came; where there is none, it will be asked for row by row.
void reserveFor(const Rows &rows, cjson_page &page) {
  const size_t text = rows.rows[rows.count - 1].end - rows.rows[0].start + padding;
  if (page.bytes.limit == 0 || page.bytes.length + text <= page.bytes.limit) (void)reserve(page.bytes, text);
  Array<cjson_item> items{page.items, page.count, page.capacity};
  (void)items.reserve(page.count + static_cast<size_t>(rows.count));
  page.items = items.elements;
  page.capacity = items.capacity;
}

/// Appends the elements of the list at 2; their ids are at 3, or in their own field, whose name is at 4.
int appendItems(lua_State *L) {
  const auto &paging = *static_cast<Paging *>(lua_touserdata(L, 1));
  cjson_page &page = *paging.page;
  lua_pushstring(L, paging.idField);
  const int idField = lua_gettop(L);
  size_t fieldLength = 0;
  const char *field = lua_tolstring(L, idField, &fieldLength);
  Encoder encoder(L, page.bytes, 0, paging.error, paging.failure);
  encoder.isVerbatim = true;
  if (!lua_istable(L, 2)) encoder.fail("expected a list of items, got a %s", luaL_typename(L, 2));

  const Rows *rows = rowsAt(L, 2);
  const int rowsIndex = lua_gettop(L);
  const auto length = rows ? rows->count : static_cast<lua_Integer>(lua_rawlen(L, 2));
  if (!rows) encoder.checkList(2, length);
  const int top = lua_gettop(L);
  if (rows) reserveFor(*rows, page);
  for (lua_Integer i = 1; i <= length; i++) {
    encoder.item = static_cast<size_t>(i);
    cjson_item *item = addItem(page);
    encoder.check(item);
    const bool isMade = !rows || pushMadeRow(L, rowsIndex, i);
    if (!rows) lua_rawgeti(L, 2, i);
    if (isMade) {
      encoder.value(top + 1);
    } else {
      encoder.check(rows->document->append(rows->rows[i - 1], page.bytes));
    }
    item->length = page.bytes.length - item->offset;
    if (field && !isMade) {
      encoder.check(identify(rows->document->tape, rows->rows[i - 1].tape, field, fieldLength, page.ids, *item));
    } else if (field && lua_istable(L, top + 1)) {
      const LazyRow lazy = lazyRowAt(L, top + 1);
      if (lazy.row && !pushSetMember(L, top + 1, lazy, idField)) {
        encoder.check(identify(lazy.document->tape, lazy.row->tape, field, fieldLength, page.ids, *item));
      } else {
        if (!lazy.row) {
          lua_pushvalue(L, idField);
          lua_rawget(L, top + 1);
        }
        encoder.check(identify(L, -1, page.ids, *item));
      }
    } else if (!field && paging.hasIDs) {
      lua_rawgeti(L, 3, i);
      encoder.check(identify(L, -1, page.ids, *item));
    }
    lua_settop(L, top);
  }
  encoder.check(reserve(page.bytes, padding));
  std::memset(page.bytes.bytes + page.bytes.length, 0, padding);
  return 0;
}

}  // namespace

cjson_status cjson_page_append(lua_State *L, int index, const char *id_field, int ids_index, cjson_page *page,
                               cjson_error *error) {
  const size_t bytes = page->bytes.length, ids = page->ids.length, count = page->count;
  cjson_status failure;
  Paging paging{page, id_field, ids_index != 0 && lua_istable(L, ids_index), error, &failure};
  const cjson_status status = protect(L, appendItems, &paging, index, ids_index, 0, &failure, error);
  if (status != CJSON_OK) {
    page->bytes.length = bytes;
    page->ids.length = ids;
    page->count = count;
  }
  return status;
}

void cjson_page_free(cjson_page *page) {
  cjson_buffer_free(&page->bytes);
  cjson_buffer_free(&page->ids);
  std::free(page->items);
  *page = cjson_page{};
}
