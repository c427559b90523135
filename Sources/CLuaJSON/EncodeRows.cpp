#include "Encode.hpp"
#include "Failure.hpp"
#include "RowText.hpp"

namespace cjson {

void Encoder::rows(int index, const Rows &rows) {
  byte('[');
  const int made = pushMade(L, index) ? lua_gettop(L) : 0;
  for (lua_Integer i = 1; i <= rows.count; i++) {
    path[depth++] = {nullptr, 0, i};
    separate(i == 1);
    const int top = lua_gettop(L);
    const bool isMade = made != 0 && lua_rawgeti(L, made, i) == LUA_TTABLE;
    if (isMade || indent != 0) {
      if (!isMade) pushNewRow(L, rows, i);
      value(lua_gettop(L));
    } else {
      check(rows.document->append(rows.rows[i - 1], *out));
    }
    lua_settop(L, top);
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
  if (lazy.standing() == LazyRow::asItCame) return check(lazy.document->append(*lazy.row, *out));
  if (!lua_checkstack(L, static_cast<int>(mostLazyMembers + 16))) raise();
  const uint64_t changed = changes(index, lazy, keepKeys(index, lazy));
  bool isEmpty = false;
  if (changed != 0) {
    isEmpty = !changedRow(index, lazy, changed);
  } else {
    check(lazy.document->append(*lazy.row, *out));
  }
  const bool hasOthers = (lazy.standing() & LazyRow::noOthers) == 0;
  const size_t first = state->entries.count, count = hasOthers ? others(index, first, lazy) : 0;
  if (count == 0 && changed == 0) return;
  if (changed == 0) {
    do out->length--;
    while (out->bytes[out->length - 1] == ' ' || out->bytes[out->length - 1] == '\t');
  }
  members(index, first, count, isEmpty);
  byte('}');
}

/// Keeps the keys of the row at `index` on the stack; false if it has others than were noted last.
bool Encoder::keepKeys(int index, const LazyRow &lazy) {
  const Row *noted = lazy.document->noted;
  if (lazy.row->shape != noted->shape) return false;
  if (keptOf != noted) {
    pushDocument(L, index);
    pushNotedKeys(L, -1);
    lua_replace(L, keptKeys);
    lua_pop(L, 1);
    keptOf = noted;
  }
  return true;
}

/// Notes the members that the row at `index` was given, and its document has not.
size_t Encoder::others(int index, size_t first, const LazyRow &lazy) {
  const Habits &habits = lazy.document->habits;
  if (!lazy.hasHabits() || habits.areMore) return collect(index, first, &lazy);
  if (othersOf != lazy.document) {
    pushDocument(L, index);
    pushOthers(L, -1);
    lua_replace(L, keptOthers);
    lua_pop(L, 1);
    othersOf = lazy.document;
  }
  for (size_t i = 0; i < habits.count; i++) {
    lua_rawgeti(L, keptOthers, static_cast<lua_Integer>(i) + 1);
    if (lua_rawget(L, index) == LUA_TNIL) {
      lua_pop(L, 1);
      continue;
    }
    Entry entry;
    entry.string = habits.others[i].key;
    entry.length = habits.others[i].length;
    entry.slot = lua_gettop(L);
    entry.place = static_cast<uint32_t>(state->entries.count - first);
    check(state->entries.append(entry));
  }
  return state->entries.count - first;
}

/// Bits of the members for which the row at `index` has another value than its document, or a rounded one.
uint64_t Encoder::changes(int index, const LazyRow &lazy, bool areKept) {
  const Tape &tape = lazy.document->tape;
  const int top = lua_gettop(L);
  uint64_t changed = 0, bit = 1;
  lua_Integer place = 1;
  MemberTexts texts(*lazy.document, *lazy.row);
  for (uint32_t at = lazy.row->tape + 1; tape.kind(at) != '}'; at = tape.next(at + 1), bit <<= 1, place++) {
    if ((lazy.standing() & bit) != 0) continue;
    if (areKept) {
      lua_rawgeti(L, keptKeys, place);
    } else {
      state->keys.push(L, tables, tape.string(at), tape.stringLength(at));
    }
    lua_rawget(L, index);
    if (!lazy.has(at + 1, L, -1) || !lazy.hasDigits(at + 1, L, -1, texts)) changed |= bit;
  }
  lua_settop(L, top);
  return changed;
}

/// Writes the members of a row but for the end, with what the table at `index` has in the place of those that are changed;
/// false if none is left.
bool Encoder::changedRow(int index, const LazyRow &lazy, uint64_t changed) {
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
  for (uint32_t at = lazy.row->tape + 1; tape.kind(at) != '}'; at = tape.next(at + 1), changed >>= 1) {
    const RowText::Member member = text.next();
    if ((changed & 1) == 0) {
      if (!from) from = member.start;
      end = member.end;
      continue;
    }
    writeUnchanged();
    state->keys.push(L, tables, tape.string(at), tape.stringLength(at));
    lua_rawget(L, index);
    if (!lua_isnil(L, -1)) {
      path[depth++] = {tape.string(at), tape.stringLength(at), 0};
      separate(isEmpty);
      check(document.append(member.start, member.value, *out));
      value(lua_gettop(L));
      depth--;
      isEmpty = false;
    }
    lua_pop(L, 1);
  }
  writeUnchanged();
  return !isEmpty;
}

}  // namespace cjson
