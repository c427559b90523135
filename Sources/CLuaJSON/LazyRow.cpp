#include "LazyRow.hpp"

#include "Build.hpp"
#include "CLuaJSON.h"
#include "Failure.hpp"

namespace cjson {

/// Keys of a row's table: its place in the document, negative once it has changes, and these; of the metatable: the document.
/// As a value among the changes, `removed` stands for nothing.
static char placeKey, changesKey, documentKey, removed;

/// Documents held by lazy rows may have so many bytes together: a script that keeps one row of each page must not keep all
/// pages. Beyond, rows are made at once.
constexpr size_t mostHeld = 16 << 20;

/// Room in the table of a row for its place, and its changes or a new member.
constexpr int firstRoom = 2;

static LazyRow rowOf(lua_State *L, int index, Document &document) {
  lua_rawgetp(L, index, &placeKey);
  const lua_Integer place = lua_tointeger(L, -1);
  lua_pop(L, 1);
  return place < 0 ? LazyRow{&document, document.rows + ~place, true} : LazyRow{&document, document.rows + place, false};
}

static Document &documentOf(lua_State *L) { return *static_cast<Document *>(lua_touserdata(L, lua_upvalueindex(1))); }

void pushChanges(lua_State *L, int index) { lua_rawgetp(L, index, &changesKey); }

bool isRemoved(lua_State *L, int index) {
  return lua_type(L, index) == LUA_TLIGHTUSERDATA && lua_touserdata(L, index) == &removed;
}

/// Puts the value on top, which it pops, in the place of the member of the row at 1 whose key is at 2.
static void change(lua_State *L, const LazyRow &lazy) {
  if (lazy.isChanged) {
    pushChanges(L, 1);
  } else {
    lua_createtable(L, 0, 1);
    lua_pushvalue(L, -1);
    lua_rawsetp(L, 1, &changesKey);
    lua_pushinteger(L, ~(lazy.row - lazy.document->rows));
    lua_rawsetp(L, 1, &placeKey);
  }
  lua_pushvalue(L, 2);
  lua_pushvalue(L, -3);
  lua_rawset(L, -3);
  lua_pop(L, 2);
}

/// Pushes what the row has in the place of the member whose key is at `key`; false, with nothing pushed, if it is as it came.
static bool pushChange(lua_State *L, int index, int key) {
  pushChanges(L, index);
  lua_pushvalue(L, key);
  const bool isChanged = lua_rawget(L, -2) != LUA_TNIL;
  if (isChanged && isRemoved(L, -1)) {
    lua_pop(L, 1);
    lua_pushnil(L);
  }
  lua_remove(L, -2);
  if (!isChanged) lua_pop(L, 1);
  return isChanged;
}

bool pushSetMember(lua_State *L, int index, const LazyRow &lazy, int key) {
  if (lazy.isChanged && pushChange(L, index, key)) return true;
  lua_pushvalue(L, key);
  if (lua_rawget(L, index) != LUA_TNIL) return true;
  lua_pop(L, 1);
  return false;
}

/// The member that the string at 2 names, on the tape; 0 is none. Of two with one name the last counts.
static uint32_t member(lua_State *L, const LazyRow &lazy) {
  if (lua_type(L, 2) != LUA_TSTRING) return 0;
  size_t length;
  const char *key = lua_tolstring(L, 2, &length);
  return lazy.document->tape.member(lazy.row->tape, key, length);
}

static int index(lua_State *L) {
  const LazyRow lazy = rowOf(L, 1, documentOf(L));
  const Tape &tape = lazy.document->tape;
  uint32_t at = member(L, lazy);
  if (at == 0) return 0;
  if ((lazy.isChanged && pushChange(L, 1, 2)) || pushScalar(L, tape, at)) return 1;
  // What is nested has to be the same table each time, and a script may change it.
  Builder builder = makeBuilder(L, tape);
  builder.push(at);
  lua_pushvalue(L, -1);
  change(L, lazy);
  return 1;
}

static int newIndex(lua_State *L) {
  lua_settop(L, 3);
  const LazyRow lazy = rowOf(L, 1, documentOf(L));
  if (member(L, lazy) != 0) {
    if (lua_isnil(L, 3)) lua_pushlightuserdata(L, &removed);
    change(L, lazy);
    return 0;
  }
  if (lua_type(L, 2) != LUA_TSTRING) {
    makePlain(L, 1, lazy);
    lua_settable(L, 1);
  } else {
    lua_rawset(L, 1);
  }
  return 0;
}

int nextOfPlain(lua_State *L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 2);
  if (lua_next(L, 1)) return 2;
  lua_pushnil(L);
  return 1;
}

static int pairs(lua_State *L) {
  makePlain(L, 1, rowOf(L, 1, documentOf(L)));
  lua_pushcfunction(L, nextOfPlain);
  lua_pushvalue(L, 1);
  lua_pushnil(L);
  return 3;
}

/// Pushes the metatable of the rows of the document at `documentIndex`, which the document keeps.
static void pushMetatable(lua_State *L, int documentIndex) {
  if (lua_getiuservalue(L, documentIndex, 1) == LUA_TTABLE) return;
  lua_pop(L, 1);
  const luaL_Reg metamethods[] = {{"__index", index}, {"__newindex", newIndex}, {"__pairs", pairs}, {nullptr, nullptr}};
  lua_createtable(L, 0, 4);
  lua_pushvalue(L, documentIndex);
  luaL_setfuncs(L, metamethods, 1);
  lua_pushvalue(L, documentIndex);
  lua_rawsetp(L, -2, &documentKey);
  lua_pushvalue(L, -1);
  lua_setiuservalue(L, documentIndex, 1);
}

bool pushLazyRow(lua_State *L, int documentIndex, const Row &row) {
  luaL_checkstack(L, 8, "nested too deep");
  auto &document = *static_cast<Document *>(lua_touserdata(L, documentIndex));
  const uint32_t members = document.tape.count(row.tape);
  if (members == 0 || members > mostLazyMembers) return false;
  State &state = *document.state;
  if (!document.isHeld) {
    if (!state.isLazy || state.held + document.size > mostHeld) return false;
    state.held += document.size;
    document.isHeld = true;
  }
  if (!state.keys.know(document.tape, row.tape)) {
    const int tables = lua_gettop(L) + 1;
    pushState(L);
    state.keys.note(L, tables, document.tape, row.tape);
    lua_settop(L, tables - 1);
  }
  lua_createtable(L, 0, firstRoom);
  lua_pushinteger(L, &row - document.rows);
  lua_rawsetp(L, -2, &placeKey);
  pushMetatable(L, documentIndex);
  lua_setmetatable(L, -2);
  return true;
}

LazyRow lazyRowAt(lua_State *L, int index) {
  if (!lua_istable(L, index) || !lua_getmetatable(L, index)) return {};
  auto *document = lua_rawgetp(L, -1, &documentKey) == LUA_TUSERDATA ? static_cast<Document *>(lua_touserdata(L, -1)) : nullptr;
  lua_pop(L, 2);
  return document ? rowOf(L, index, *document) : LazyRow{};
}

bool isKeyOfHost(lua_State *L, int index) {
  if (lua_type(L, index) != LUA_TLIGHTUSERDATA) return false;
  const void *key = lua_touserdata(L, index);
  return key == &placeKey || key == &changesKey;
}

/// Puts the members of the row at 2 into the table at 1, changed as they are.
static int fill(lua_State *L) {
  const auto &lazy = *static_cast<const LazyRow *>(lua_touserdata(L, 2));
  Builder builder = makeBuilder(L, lazy.document->tape);
  builder.members(lazy.row->tape, 1);
  if (!lazy.isChanged) return 0;
  pushChanges(L, 1);
  const int changes = lua_gettop(L);
  for (lua_pushnil(L); lua_next(L, changes);) {
    if (isRemoved(L, -1)) {
      lua_pop(L, 1);
      lua_pushnil(L);
    }
    lua_pushvalue(L, -2);
    lua_insert(L, -2);
    lua_rawset(L, 1);
  }
  return 0;
}

/// Takes out what `fill` put in before it raised.
static void empty(lua_State *L, int index, const LazyRow &lazy) {
  for (lua_pushnil(L); lua_next(L, index);) {
    lua_pop(L, 1);
    if (lua_type(L, -1) != LUA_TSTRING) continue;
    size_t length;
    const char *key = lua_tolstring(L, -1, &length);
    if (lazy.document->tape.member(lazy.row->tape, key, length) == 0) continue;
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
  lua_rawsetp(L, index, &changesKey);
  lua_pushnil(L);
  lua_setmetatable(L, index);
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
