#include <cstring>

#include "Encode.hpp"
#include "Failure.hpp"
#include "RowText.hpp"

namespace cjson {

void Encoder::rows(int index, const Rows &rows) {
  byte('[');
  for (lua_Integer i = 1; i <= rows.count; i++) {
    path[depth++] = {nullptr, 0, i};
    separate(i == 1);
    const bool isMade = pushMadeRow(L, index, i);
    if (isMade || indent > 0) {
      if (!isMade) pushNewRow(L, rows, i);
      value(lua_gettop(L));
      lua_pop(L, 1);
    } else {
      check(rows.document->append(rows.rows[i - 1], *out));
    }
    depth--;
  }
  newLine();
  byte(']');
}

/// Writes a row as it came but for what was changed, and behind its members those that were added.
void Encoder::lazyRow(int index, const LazyRow &lazy) {
  if (!isVerbatim) {
    makePlain(L, index, lazy);
    return object(index);
  }
  if (!lua_checkstack(L, static_cast<int>(2 * mostKept + 16))) raise();
  const size_t first = state->entries.count;
  const int top = lua_gettop(L);
  bool isEmpty = false;
  if (lazy.isChanged) {
    pushChanges(L, index);
    isEmpty = !changedRow(lazy, first, collect(top + 1, first));
    lua_settop(L, top);
  } else {
    check(lazy.document->append(*lazy.row, *out));
  }
  const size_t count = collect(index, first);
  if (count == 0 && !lazy.isChanged) return;
  if (!lazy.isChanged) {
    do out->length--;
    while (out->bytes[out->length - 1] == ' ' || out->bytes[out->length - 1] == '\t');
  }
  members(index, first, count, isEmpty);
  byte('}');
}

/// Writes the members of a row but for the end, with those collected from `first` on in the place of its own; false if none
/// is left.
bool Encoder::changedRow(const LazyRow &lazy, size_t first, size_t count) {
  Document &document = *lazy.document;
  RowText text{document.text + lazy.row->start};
  const char *from = nullptr, *end = nullptr;  // of members that are as they came
  bool isEmpty = true;
  byte('{');
  auto writeUnchanged = [&] {
    if (!from) return;
    separate(isEmpty);
    check(document.append(from, end, *out));
    from = nullptr;
    isEmpty = false;
  };
  const Tape &tape = document.tape;
  for (uint32_t at = lazy.row->tape + 1; tape.kind(at) != '}'; at = tape.next(at + 1)) {
    const RowText::Member member = text.next();
    const size_t place = find(tape.string(at), tape.stringLength(at), first, count);
    if (place == count) {
      if (!from) from = member.start;
      end = member.end;
      continue;
    }
    writeUnchanged();
    const Entry entry = state->entries.elements[first + place];
    if (isRemoved(L, entry.slot)) continue;
    path[depth++] = {entry.string, entry.length, entry.integer};
    separate(isEmpty);
    check(document.append(member.start, member.value, *out));
    value(entry.slot);
    depth--;
    isEmpty = false;
  }
  writeUnchanged();
  state->entries.count = first;
  return !isEmpty;
}

/// The place among the members collected from `first` on of the one with this key, or `count`.
size_t Encoder::find(const char *key, size_t length, size_t first, size_t count) const {
  const Entry *entries = state->entries.elements + first;
  for (size_t i = 0; i < count; i++) {
    if (entries[i].length == length && std::memcmp(entries[i].key(), key, length) == 0) return i;
  }
  return count;
}

}  // namespace cjson
