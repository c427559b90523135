#include "CLuaJSON.h"
#include "Inner.hpp"
#include "LazyRow.hpp"
#include "Rows.hpp"
#include "State.hpp"

namespace cjson {

namespace {

/// Where things are on the stack: what was given, what is kept of it, and the item at hand with what came of it.
enum Place : int { items = 1, transform, add, notes, itself, userdata, kept, keptNotes, item, answer };

/// A function that is none of Lua's is never looked at as it runs: whether it has to stop is asked after so many of its answers.
constexpr lua_Integer answersBetweenLooks = 256;

/// A list on its way through a function that makes of each item what is to be kept: nothing, an item, or a list of them. While it
/// answers with the rows of a document themselves, nothing is put together: the list will do as it is.
struct Transforming {
  const Rows *rows;  ///< null for another list
  lua_Integer position, length;
  lua_Integer count;  ///< of what is kept
  bool isKept;        ///< whether there is another list of what is kept
  bool hasNotes;

  /// Begins a list of its own, of the rows before the one at hand.
  void keep(lua_State *L) {
    isKept = true;
    lua_createtable(L, static_cast<int>(length), 0);
    lua_replace(L, kept);
    lua_createtable(L, hasNotes ? static_cast<int>(length) : 0, 0);
    lua_replace(L, keptNotes);
    if (position == 1) return;
    pushMade(L, userdata);
    const int made = lua_gettop(L);
    for (lua_Integer i = 1; i < position; i++) {
      lua_rawgeti(L, made, i);
      lua_rawseti(L, kept, i);
      note(L, i, i);
    }
    lua_settop(L, made - 1);
    count = position - 1;
  }

  /// What was noted of an item belongs to what is kept of it.
  void note(lua_State *L, lua_Integer of, lua_Integer place) const {
    if (!hasNotes) return;
    lua_rawgeti(L, notes, of);
    lua_rawseti(L, keptNotes, place);
  }

  /// Whether the answer is an item for sure, and no list: what has elements may be one, and what has nothing is one.
  bool isItem(lua_State *L, bool isSame) const {
    if (!lua_istable(L, answer)) return true;
    LazyRow lazy{rows ? rows->document : nullptr, rows ? rows->rows + position - 1 : nullptr};
    if (!isSame || !rows || !lazy.isStill()) lazy = lazyRowAt(L, answer);
    if (lazy.row && lazy.hasStanding()) return true;
    if (lua_rawlen(L, answer) != 0) return false;
    for (lua_pushnil(L); lua_next(L, answer); lua_pop(L, 1)) {
      if (isKeyOfHost(L, -2)) continue;
      lua_settop(L, answer);
      return true;
    }
    return false;
  }

  /// Takes the answer for the item at hand.
  void take(lua_State *L) {
    const bool isSame = lua_rawequal(L, item, answer), isOne = isItem(L, isSame);
    if (!isKept && isSame && isOne) return;
    if (!isKept) keep(L);
    if (lua_isnil(L, answer)) return;
    const lua_Integer before = count;
    if (isOne) {
      lua_rawseti(L, kept, ++count);
    } else {
      lua_pushvalue(L, add);
      lua_pushvalue(L, kept);
      lua_pushinteger(L, count);
      lua_pushvalue(L, answer);
      lua_call(L, 3, 1);
      count = lua_tointeger(L, -1);
    }
    for (lua_Integer place = before + 1; place <= count; place++) note(L, position, place);
  }
};

int resume(lua_State *L, int, lua_KContext job);

/// Goes on with the item at hand, to the end.
int goOn(lua_State *L, Transforming &job) {
  for (; job.position <= job.length; job.position++) {
    lua_settop(L, keptNotes);
    if (job.position % answersBetweenLooks == 0 && limits().is_stopped && limits().is_stopped(L)) luaL_error(L, "stopped");
    if (job.rows) {
      pushRow(L, userdata, *job.rows, job.position);
    } else {
      lua_geti(L, items, job.position);
    }
    lua_pushvalue(L, transform);
    lua_pushvalue(L, item);
    lua_callk(L, 1, 1, reinterpret_cast<lua_KContext>(&job), resume);
    job.take(L);
  }
  lua_settop(L, keptNotes);
  // The function may have changed the list itself.
  if (!job.isKept && rowsAt(L, items) != job.rows) job.keep(L);
  lua_pushvalue(L, job.isKept ? kept : items);
  lua_pushvalue(L, job.isKept && job.hasNotes ? keptNotes : notes);
  return 2;
}

/// Goes on behind a transform that has waited.
int resume(lua_State *L, int, lua_KContext context) {
  auto &job = *reinterpret_cast<Transforming *>(context);
  job.take(L);
  job.position++;
  return goOn(L, job);
}

}  // namespace

int transformed(lua_State *L) {
  luaL_checktype(L, items, LUA_TTABLE);
  luaL_checkstack(L, 16, "nested too deep");
  lua_settop(L, notes);
  auto &job = *static_cast<Transforming *>(lua_newuserdatauv(L, sizeof(Transforming), 0));
  const Rows *rows = rowsAt(L, items);
  if (!rows) lua_pushnil(L);
  lua_settop(L, keptNotes);
  job = Transforming{rows, 1, rows ? rows->count : static_cast<lua_Integer>(lua_rawlen(L, items)), 0, false, lua_istable(L, notes)};
  if (!rows) job.keep(L);
  return goOn(L, job);
}

}  // namespace cjson
