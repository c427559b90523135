#include <cstdlib>

#include "CLuaJSON.h"
#include "Digits.hpp"
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

bool reserveItems(cjson_page &page, size_t wanted) {
  Array<cjson_item> items{page.items, page.count, page.capacity};
  if (!items.reserve(wanted)) return false;
  page.items = items.elements;
  page.capacity = items.capacity;
  return true;
}

/// Adds an item that begins there; null without memory.
cjson_item *addItem(cjson_page &page, size_t offset) {
  if (page.count == page.capacity && !reserveItems(page, page.count + 1)) return nullptr;
  cjson_item *item = page.items + page.count++;
  *item = cjson_item{offset, 0, CJSON_ID_NONE, 0, 0, 0};
  return item;
}

/// Adds an item behind what is there.
cjson_item *addItem(cjson_page &page) {
  const bool isFirst = page.bytes.length == 0;
  return isFirst || append(page.bytes, "\n", 1) ? addItem(page, page.bytes.length) : nullptr;
}

/// Makes room for rows that are mostly as they came; where there is none, it will be asked for row by row.
void reserveFor(const Rows &rows, cjson_page &page) {
  const size_t text = rows.rows[rows.count - 1].end - rows.rows[0].start + padding;
  if (page.bytes.limit == 0 || page.bytes.length + text <= page.bytes.limit) (void)reserve(page.bytes, text);
  (void)reserveItems(page, page.count + static_cast<size_t>(rows.count));
}

/// Writes items and takes their ids, which are in the list at 3, or in their own field.
struct Pages {
  lua_State *L;
  const State &state;
  cjson_page &page;
  Encoder encoder;
  const char *field;  ///< null for a list of ids
  size_t fieldLength;
  int fieldIndex;
  RowFinder finder;

  /// Appends rows as they came: those behind `first` too that are, while each is one byte behind the one before, a comma. Answers
  /// the one behind them.
  const Row *append(Document &document, const Row *first, const Row *end) {
    const Row *last = first + 1;
    const uint64_t *standing = document.standing + (last - document.rows);
    if (document.isOnOneLine()) {
      while (last < end && *standing++ == LazyRow::asItCame && last->start == last[-1].end + 1) last++;
    }
    cjson_item *item = addItem(page);
    encoder.check(item);
    const size_t start = item->offset;
    encoder.check(document.append(document.text + first->start, document.text + last[-1].end, page.bytes));
    for (const Row *row = first; row < last; row++) {
      if (row > first) {
        page.bytes.bytes[start + row->start - first->start - 1] = '\n';
        item = addItem(page, start + row->start - first->start);
        encoder.check(item);
      }
      item->length = last == first + 1 ? page.bytes.length - start : row->end - row->start;
      if (field) identifyRow(document.tape, idOf(document, *row), *item);
    }
    return last;
  }

  /// The id of a row as it came, on the tape.
  uint32_t idOf(const Document &document, const Row &row) const {
    const Tape &tape = document.tape;
    return document.isUniform ? tape.onlyMember(row.tape, field, fieldLength) : tape.member(row.tape, field, fieldLength);
  }

  /// Appends the lazy row whose table is at `index`.
  void append(const LazyRow &lazy, int index, cjson_item &item) {
    encoder.lazyRow(index, lazy);
    if (!field) return;
    const LazyRow::Member member = lazy.member(field, fieldLength);
    if (member.at != 0 && (lazy.standing() & member.bit) != 0) return identifyRow(lazy.document->tape, member.at, item);
    lua_pushvalue(L, fieldIndex);
    lua_rawget(L, index);
    encoder.check(identify(L, -1, page.ids, item));
  }

  /// Appends the value at `index`.
  void append(int index, cjson_item &item) {
    if (const LazyRow lazy = finder.at(index); lazy.row) return append(lazy, index, item);
    encoder.value(index);
    if (!field || !lua_istable(L, index)) return;
    lua_pushvalue(L, fieldIndex);
    lua_rawget(L, index);
    const int value = lua_gettop(L);
    // A number that Lua has no integer for is told by its digits.
    const bool hasDigits = pushDigits(L, state, index) && pushDigitsOf(L, value + 1, fieldIndex, value);
    encoder.check(hasDigits && isNatural(L, -1) ? identify(L, -1, page.ids, item) : identify(L, value, page.ids, item));
  }

  void identifyRow(const Tape &tape, uint32_t at, cjson_item &item) { encoder.check(identify(tape, at, page.ids, item)); }
};

/// Appends the elements of the list at 2.
int appendItems(lua_State *L) {
  const auto &paging = *static_cast<Paging *>(lua_touserdata(L, 1));
  cjson_page &page = *paging.page;
  lua_pushstring(L, paging.idField);
  size_t fieldLength = 0;
  const char *field = lua_tolstring(L, -1, &fieldLength);
  const int fieldIndex = lua_gettop(L);
  lua_pushnil(L);
  Pages pages{L,     *stateOf(L), page,       Encoder(L, page.bytes, 0, paging.error, paging.failure),
              field, fieldLength, fieldIndex, RowFinder{L, fieldIndex + 1}};
  Encoder &encoder = pages.encoder;
  encoder.isVerbatim = true;
  if (!lua_istable(L, 2)) encoder.fail("expected a list of items, got a %s", luaL_typename(L, 2));

  const Rows *rows = rowsAt(L, 2);
  const auto length = rows ? rows->count : static_cast<lua_Integer>(lua_rawlen(L, 2));
  if (!rows) encoder.checkList(2, length);
  const int list = !rows ? 2 : pushMade(L, lua_gettop(L)) ? lua_gettop(L) : 0;
  const int noted = rows ? 0 : encoder.pushDigits(list);
  const int top = lua_gettop(L);
  if (rows) reserveFor(*rows, page);
  const bool hasOwnIDs = paging.hasIDs && !field;
  const Row *end = rows ? rows->rows + length : nullptr;
  for (lua_Integer i = 1; i <= length; i++) {
    encoder.item = static_cast<size_t>(i);
    Row *row = rows ? rows->rows + i - 1 : nullptr;
    const LazyRow lazy{row ? rows->document : nullptr, row};
    if (row && lazy.standing() == LazyRow::asItCame) {
      const Row *next = pages.append(*rows->document, row, hasOwnIDs ? row + 1 : end);
      i += next - row - 1;
    } else {
      cjson_item *item = addItem(page);
      encoder.check(item);
      const size_t start = item->offset;
      if (noted != 0) lua_pushinteger(L, i);
      lua_rawgeti(L, list, i);
      if (row && lazy.isStill()) {
        pages.append(lazy, top + 1, *item);
      } else if (noted == 0 || !encoder.digits(noted)) {
        pages.append(lua_gettop(L), *item);
      }
      item->length = page.bytes.length - start;
    }
    if (hasOwnIDs) {
      lua_rawgeti(L, 3, i);
      encoder.check(identify(L, -1, page.ids, page.items[page.count - 1]));
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
