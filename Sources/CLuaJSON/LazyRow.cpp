#include "LazyRow.hpp"

#include <cstring>

#include "Build.hpp"
#include "CLuaJSON.h"
#include "Digits.hpp"
#include "Failure.hpp"

namespace cjson {

/// Keys of a row's table: its place in the document; of the metatable: the document.
static char placeKey, documentKey;

/// Documents held by lazy rows may have so many bytes together: a script that keeps one row of each page must not keep all
/// pages. Beyond, rows are made at once.
constexpr size_t mostHeld = 16 << 20;

/// Room in the table of a row for its place, and for some members.
constexpr int firstRoom = 4;

enum DocumentValue : int { metatableValue = 1, keysValue = 2, othersValue = 3 };
static_assert(othersValue == documentValues);

LazyRow rowOf(lua_State *L, int index, Document &document) {
  lua_rawgetp(L, index, &placeKey);
  const lua_Integer place = lua_tointeger(L, -1);
  lua_pop(L, 1);
  return {&document, document.rows + place};
}

Document &documentOf(lua_State *L) { return *static_cast<Document *>(lua_touserdata(L, lua_upvalueindex(1))); }

LazyRow::Member LazyRow::member(const char *key, size_t length) const {
  const Tape &tape = document->tape;
  uint64_t bit = 1;
  for (uint32_t at = row->tape + 1; tape.kind(at) != '}'; at = tape.next(at + 1), bit <<= 1) {
    if (tape.isString(at, key, length)) return {at + 1, bit};
  }
  return {};
}

/// Whether the table at `table` has so many members.
static bool hasCount(lua_State *L, int table, size_t count) {
  lua_pushnil(L);
  while (lua_next(L, table)) {
    lua_pop(L, 1);
    if (count-- == 0) {
      lua_pop(L, 1);
      return false;
    }
  }
  return count == 0;
}

/// Whether the table at `table` has the members of the object at `at`, and no others.
static bool hasObject(const LazyRow &lazy, uint32_t at, lua_State *L, int table) {
  const Tape &tape = lazy.document->tape;
  if (lua_getmetatable(L, table)) {
    lua_pop(L, 1);
    return false;
  }
  size_t count = 0;
  for (at++; tape.kind(at) != '}'; at = tape.next(at + 1), count++) {
    lua_pushlstring(L, tape.string(at), tape.stringLength(at));
    lua_rawget(L, table);
    const bool isSame = lazy.has(at + 1, L, lua_gettop(L));
    lua_pop(L, 1);
    if (!isSame) return false;
  }
  return hasCount(L, table, count);
}

/// Whether the table at `table` is a list of the elements of the array at `at`.
static bool hasArray(const LazyRow &lazy, uint32_t at, lua_State *L, int table) {
  const Tape &tape = lazy.document->tape;
  const State *state = stateOf(L);
  if (!state || !lua_getmetatable(L, table)) return false;
  const bool isList = lua_topointer(L, -1) == state->arrayMark;
  lua_pop(L, 1);
  if (!isList) return false;
  size_t count = 0;
  for (at++; tape.kind(at) != ']'; at = tape.next(at)) {
    lua_rawgeti(L, table, static_cast<lua_Integer>(++count));
    const bool isSame = lazy.has(at, L, lua_gettop(L));
    lua_pop(L, 1);
    if (!isSame) return false;
  }
  return hasCount(L, table, count);
}

bool LazyRow::has(uint32_t at, lua_State *L, int index) const {
  const Tape &tape = document->tape;
  switch (tape.kind(at)) {
    case '{':
    case '[': {
      if (!lua_istable(L, index) || !lua_checkstack(L, 4)) return false;
      const int table = lua_absindex(L, index);
      return tape.kind(at) == '{' ? hasObject(*this, at, L, table) : hasArray(*this, at, L, table);
    }
    case '"': {
      if (lua_type(L, index) != LUA_TSTRING) return false;
      size_t length;
      const char *text = lua_tolstring(L, index, &length);
      return tape.isString(at, text, length);
    }
    case 'l': return lua_isinteger(L, index) && lua_tointeger(L, index) == tape.integer(at);
    case 'u':
    case 'd': {
      if (lua_type(L, index) != LUA_TNUMBER || lua_isinteger(L, index)) return false;
      const double number = lua_tonumber(L, index), own = tape.number(at);
      return std::memcmp(&number, &own, sizeof own) == 0;
    }
    case 't': return lua_isboolean(L, index) && lua_toboolean(L, index);
    case 'f': return lua_isboolean(L, index) && !lua_toboolean(L, index);
    default: return cjson_is_null(L, index);
  }
}

LazyRow::Member namedMember(lua_State *L, const LazyRow &lazy) {
  if (lua_type(L, 2) != LUA_TSTRING) return {};
  size_t length;
  const char *key = lua_tolstring(L, 2, &length);
  return lazy.member(key, length);
}

void LazyRow::take(lua_State *L, const Member &member) const {
  const int key = lua_gettop(L);
  MemberTexts texts(*document, *row);
  if (pushScalar(L, document->tape, member.at)) {
    if (texts.loseDigits(member.at)) {
      // It stays: where it does no more, a script has set another number, which may be the same double.
      lua_replace(L, key);
      return;
    }
  } else {
    Builder builder = makeBuilder(L, document->tape);
    builder.text = texts.walk(member.at);
    uint32_t at = member.at;
    builder.push(at);
    lua_replace(L, key + 1);
    lua_settop(L, key + 1);
  }
  lua_pushvalue(L, key + 1);
  lua_insert(L, key);
  lua_rawset(L, 1);
  standing() &= ~member.bit;
}

static int index(lua_State *L) {
  const LazyRow lazy = rowOf(L, 1, documentOf(L));
  const LazyRow::Member found = namedMember(L, lazy);
  if ((lazy.standing() & found.bit) == 0) return 0;
  if (lazy.hasHabits()) lazy.document->habits.ask(found.bit, lazy.row);
  lua_settop(L, 2);
  lazy.take(L, found);
  return 1;
}

/// Notes that rows are given a member of the name at 2, which they do not have.
static void noteOther(lua_State *L, Document &document) {
  Habits &habits = document.habits;
  size_t length;
  const char *key = lua_tolstring(L, 2, &length);
  habits.areMore = habits.areMore || habits.count == Habits::mostOthers || length > Habits::longestOther;
  if (habits.areMore) return;
  if (lua_getiuservalue(L, lua_upvalueindex(1), othersValue) != LUA_TTABLE) {
    lua_pop(L, 1);
    lua_createtable(L, firstRoom, 0);
    lua_pushvalue(L, -1);
    lua_setiuservalue(L, lua_upvalueindex(1), othersValue);
  }
  lua_pushvalue(L, 2);
  lua_rawseti(L, -2, static_cast<lua_Integer>(habits.count) + 1);
  lua_pop(L, 1);
  habits.others[habits.count++] = {key, length};
}

static int newIndex(lua_State *L) {
  const LazyRow lazy = rowOf(L, 1, documentOf(L));
  if (lua_type(L, 2) != LUA_TSTRING) {
    makePlain(L, 1, lazy);
    lua_settable(L, 1);
    return 0;
  }
  uint64_t bit = LazyRow::noOthers;
  if (!lazy.hasHabits() || !lazy.document->habits.knows(lua_tostring(L, 2))) {
    const LazyRow::Member found = namedMember(L, lazy);
    if (found.at != 0) {
      bit = found.bit;
    } else if (lazy.hasHabits()) {
      noteOther(L, *lazy.document);
    }
  }
  lua_rawset(L, 1);
  lazy.standing() &= ~bit;
  return 0;
}

/// Pushes the metatable of the rows of the document at `documentIndex`, which the document keeps.
static void pushMetatable(lua_State *L, int documentIndex) {
  if (lua_getiuservalue(L, documentIndex, metatableValue) == LUA_TTABLE) return;
  lua_pop(L, 1);
  const luaL_Reg metamethods[] = {{"__index", index}, {"__newindex", newIndex}, {"__pairs", pairsOfRow}, {nullptr, nullptr}};
  lua_createtable(L, 0, 4);
  lua_pushvalue(L, documentIndex);
  luaL_setfuncs(L, metamethods, 1);
  lua_pushvalue(L, documentIndex);
  lua_rawsetp(L, -2, &documentKey);
  lua_pushvalue(L, -1);
  lua_setiuservalue(L, documentIndex, metatableValue);
}

/// Ranks the keys of a row, and keeps those of its own with the document; nothing is done where the row before it had the same.
/// False for a row with two members of one name.
static bool noteKeys(lua_State *L, int documentIndex, Row &row) {
  auto &document = *static_cast<Document *>(lua_touserdata(L, documentIndex));
  const Tape &tape = document.tape;
  row.shape = document.noted ? document.noted->shape : 0;
  if (document.noted && (document.isUniform || tape.hasKeysOf(row.tape, document.noted->tape))) return true;
  if (!document.isUniform && tape.hasKeyTwice(row.tape)) return false;
  row.shape++;
  const int tables = lua_gettop(L) + 1;
  pushState(L);
  Keys &keys = document.state->keys;
  if (!keys.know(tape, row.tape)) keys.note(L, tables, tape, row.tape);
  lua_createtable(L, static_cast<int>(tape.count(row.tape)), 0);
  lua_Integer place = 1;
  for (uint32_t at = row.tape + 1; tape.kind(at) != '}'; at = tape.next(at + 1)) {
    keys.push(L, tables, tape.string(at), tape.stringLength(at));
    lua_rawseti(L, -2, place++);
  }
  lua_setiuservalue(L, documentIndex, keysValue);
  lua_settop(L, tables - 1);
  document.noted = &row;
  document.habits = Habits{row.shape};
  return true;
}

/// Puts those of these members that are no tables, and lose no digits, into the row whose keys were noted last, which is on top of the
/// stack. Answers their bits, which still stand.
static uint64_t putAsked(lua_State *L, int documentIndex, const LazyRow &lazy, uint64_t asked) {
  const Tape &tape = lazy.document->tape;
  const int table = lua_gettop(L);
  lua_getiuservalue(L, documentIndex, keysValue);
  uint32_t at = lazy.row->tape + 1;
  uint64_t taken = 0;
  MemberTexts texts(*lazy.document, *lazy.row);
  for (lua_Integer place = 1; asked >> (place - 1) != 0; at = tape.next(at + 1), place++) {
    const uint64_t bit = uint64_t{1} << (place - 1);
    if ((asked & bit) == 0 || texts.loseDigits(at + 1)) continue;
    lua_rawgeti(L, table + 1, place);
    if (pushScalar(L, tape, at + 1)) {
      lua_rawset(L, table);
      taken |= bit;
    }
  }
  lua_settop(L, table);
  return taken;
}

bool pushLazyRow(lua_State *L, int documentIndex, Row &row) {
  luaL_checkstack(L, 12, "nested too deep");
  auto &document = *static_cast<Document *>(lua_touserdata(L, documentIndex));
  const uint32_t members = document.tape.count(row.tape);
  if (members == 0 || members > mostLazyMembers) return false;
  State &state = *document.state;
  if (!document.isHeld) {
    if (!state.isLazy || state.held + document.size > mostHeld) return false;
    state.held += document.size;
    document.isHeld = true;
  }
  if (!noteKeys(L, documentIndex, row)) return false;
  const Habits &habits = document.habits;
  const int room = 1 + __builtin_popcountll(habits.asked) + static_cast<int>(habits.count);
  lua_createtable(L, 0, room < firstRoom ? firstRoom : room);
  const LazyRow lazy{&document, &row};
  const uint64_t taken = habits.asked != 0 ? putAsked(L, documentIndex, lazy, habits.asked) : 0;
  lua_pushinteger(L, &row - document.rows);
  lua_rawsetp(L, -2, &placeKey);
  pushMetatable(L, documentIndex);
  lua_setmetatable(L, -2);
  // Not before there is a row that has them: without memory there is none.
  lazy.standing() &= ~taken;
  return true;
}

LazyRow lazyRowAt(lua_State *L, int index) {
  if (!lua_istable(L, index) || !lua_getmetatable(L, index)) return {};
  auto *document = lua_rawgetp(L, -1, &documentKey) == LUA_TUSERDATA ? static_cast<Document *>(lua_touserdata(L, -1)) : nullptr;
  lua_pop(L, 2);
  return document ? rowOf(L, index, *document) : LazyRow{};
}

LazyRow RowFinder::at(int index) {
  if (!lua_getmetatable(L, index)) return {};
  if (document && lua_topointer(L, -1) == lua_topointer(L, kept)) {
    lua_pop(L, 1);
    return rowOf(L, index, *document);
  }
  const LazyRow lazy = lazyRowAt(L, index);
  if (lazy.row) {
    document = lazy.document;
    lua_replace(L, kept);
  } else {
    lua_pop(L, 1);
  }
  return lazy;
}

void pushDocument(lua_State *L, int index) {
  lua_getmetatable(L, index);
  lua_rawgetp(L, -1, &documentKey);
  lua_remove(L, -2);
}

void pushNotedKeys(lua_State *L, int documentIndex) { lua_getiuservalue(L, documentIndex, keysValue); }

void pushOthers(lua_State *L, int documentIndex) { lua_getiuservalue(L, documentIndex, othersValue); }

bool isKeyOfHost(lua_State *L, int index) {
  return lua_type(L, index) == LUA_TLIGHTUSERDATA && lua_touserdata(L, index) == &placeKey;
}

/// Puts the members that stand of the row at 2 into the table at 1.
static int fill(lua_State *L) {
  const auto &lazy = *static_cast<const LazyRow *>(lua_touserdata(L, 2));
  Builder builder = makeBuilder(L, lazy.document->tape);
  builder.text = walkAlong(*lazy.document, *lazy.row);
  builder.members(lazy.row->tape, 1, lazy.standing());
  return 0;
}

/// Takes out what `fill` put in before it raised.
static void empty(lua_State *L, int index, const LazyRow &lazy) {
  forgetDigits(L, *lazy.document->state, index);
  for (lua_pushnil(L); lua_next(L, index);) {
    lua_pop(L, 1);
    if (lua_type(L, -1) != LUA_TSTRING) continue;
    size_t length;
    const char *key = lua_tolstring(L, -1, &length);
    if ((lazy.member(key, length).bit & lazy.standing()) == 0) continue;
    lua_pushvalue(L, -1);
    lua_pushnil(L);
    lua_rawset(L, index);
  }
}

void makePlain(lua_State *L, int index, const LazyRow &lazy) {
  index = lua_absindex(L, index);
  luaL_checkstack(L, 8, "nested too deep");
  const int top = lua_gettop(L);
  lua_pushcfunction(L, fill);
  lua_pushvalue(L, index);
  lua_pushlightuserdata(L, const_cast<LazyRow *>(&lazy));
  if (lua_pcall(L, 2, 0, 0) != LUA_OK) {
    empty(L, index, lazy);
    lua_settop(L, top + 1);
    lua_error(L);
  }
  lua_pushnil(L);
  lua_rawsetp(L, index, &placeKey);
  lua_pushnil(L);
  lua_setmetatable(L, index);
  lazy.standing() = 0;
  lua_settop(L, top);
}

}  // namespace cjson

void cjson_set_lazy(lua_State *L, int is_lazy) {
  if (cjson::State *state = cjson::stateOf(L)) state->isLazy = is_lazy != 0;
}

cjson_status cjson_make_plain(lua_State *L, int index) {
  cjson_status failure;
  auto run = [](lua_State *L) {
    const cjson::LazyRow lazy = cjson::lazyRowAt(L, 2);
    if (lazy.row) cjson::makePlain(L, 2, lazy);
    return 0;
  };
  return cjson::protect(L, run, nullptr, index, 0, 0, &failure, nullptr);
}
