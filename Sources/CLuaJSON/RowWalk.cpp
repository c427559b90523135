#include "Build.hpp"
#include "LazyRow.hpp"
#include "Rows.hpp"

namespace cjson {

int nextOfAny(lua_State *L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  materialize(L, 1);
  lua_settop(L, 2);
  if (lua_next(L, 1)) return 2;
  lua_pushnil(L);
  return 1;
}

/// Where a script is that walks over the members of a row: those of the document in their order, and then others. What it asks and sets
/// meanwhile is seen, also where the row is made plain by that.
struct Walk {
  LazyRow lazy;
  const void *table;
  const void *key;  ///< the one that was told last, which the list of keys has; null at the start, and behind all members
  uint32_t at;      ///< the next member, on the tape
  int place;        ///< how many there are before that
  lua_Integer other;  ///< how many were told of those that the document has not

  const Tape &tape() const { return lazy.document->tape; }

  /// Goes behind the member with the key at 2, to the first one for nil, and to the end for a key that the document has not.
  void find(lua_State *L) {
    at = lazy.row->tape + 1;
    place = 0;
    if (lua_isnil(L, 2)) return;
    const LazyRow::Member member = namedMember(L, lazy);
    for (bool isFound = false; !isFound && tape().kind(at) != '}'; step()) isFound = at + 1 == member.at;
  }

  /// Goes behind the next member.
  void step() {
    at = tape().next(at + 1);
    place++;
  }
};

/// Values of the function that walks; it keeps the document and the row as long as it is there.
enum WalkValue : int { walkItself = 1, walkKeys = 2, walkDocument = 3, walkRow = 4, walkOthers = 5 };

/// Lists the keys of the row's table that the document has not. They are not looked for one by one: a member that is asked for
/// meanwhile moves into the table, in which others may then come again, or not at all.
static void listOthers(lua_State *L, Walk &walk) {
  lua_newtable(L);
  const int list = lua_gettop(L);
  lua_Integer count = 0;
  for (lua_pushnil(L); lua_next(L, 1);) {
    lua_pop(L, 1);
    if (isKeyOfHost(L, -1)) continue;
    if (lua_type(L, -1) == LUA_TSTRING) {
      size_t length;
      const char *key = lua_tolstring(L, -1, &length);
      if (walk.lazy.member(key, length).at != 0) continue;
    }
    lua_pushvalue(L, -1);
    lua_rawseti(L, list, ++count);
  }
  lua_replace(L, lua_upvalueindex(walkOthers));
  walk.other = 0;
}

/// Goes to the key at 2 in that list; false if it is not there.
static bool findOther(lua_State *L, Walk &walk) {
  if (!lua_istable(L, lua_upvalueindex(walkOthers))) listOthers(L, walk);
  const auto count = static_cast<lua_Integer>(lua_rawlen(L, lua_upvalueindex(walkOthers)));
  // It is the one that was told last, but for a script that calls the function as it likes.
  for (lua_Integer tried = 0; tried < count; tried++) {
    const lua_Integer place = (walk.other + count - 1 + tried) % count + 1;
    lua_rawgeti(L, lua_upvalueindex(walkOthers), place);
    const bool isFound = lua_rawequal(L, -1, 2);
    lua_pop(L, 1);
    if (!isFound) continue;
    walk.other = place;
    return true;
  }
  return false;
}

/// The member behind the key at 2 of the row's table that the document has not, the first one for a key that it has, as it is known
/// to have if it `isMember`; nil at the end.
static int nextOther(lua_State *L, Walk &walk, bool isMember) {
  const LazyRow &lazy = walk.lazy;
  const bool areNone = lazy.isStill() && (lazy.standing() & LazyRow::noOthers) != 0;
  if (isMember || lua_isnil(L, 2) || namedMember(L, lazy).at != 0) {
    if (areNone) {
      lua_pushnil(L);
      return 1;
    }
    listOthers(L, walk);
  } else if (!findOther(L, walk)) {
    return luaL_error(L, "invalid key to 'next'");
  }
  while (lua_rawgeti(L, lua_upvalueindex(walkOthers), ++walk.other) != LUA_TNIL) {
    lua_pushvalue(L, -1);
    if (lua_rawget(L, 1) != LUA_TNIL) return 2;
    lua_pop(L, 2);
  }
  return 1;
}

/// `next`, of the row that is walked over.
static int nextOfRow(lua_State *L) {
  auto &walk = *static_cast<Walk *>(lua_touserdata(L, lua_upvalueindex(walkItself)));
  if (lua_gettop(L) != 2) lua_settop(L, 2);
  if (lua_topointer(L, 1) != walk.table) return nextOfAny(L);
  const bool isMember = walk.key && lua_topointer(L, 2) == walk.key;
  if (!isMember) walk.find(L);
  while (walk.tape().kind(walk.at) != '}') {
    const LazyRow::Member member{walk.at + 1, uint64_t{1} << walk.place};
    walk.step();
    lua_rawgeti(L, lua_upvalueindex(walkKeys), walk.place);
    walk.key = lua_topointer(L, 3);
    const bool stands = (walk.lazy.standing() & member.bit) != 0;
    if (stands && pushScalar(L, walk.tape(), member.at)) return 2;
    lua_pushvalue(L, 3);
    if (stands) {
      walk.lazy.take(L, member);
    } else {
      lua_rawget(L, 1);
    }
    if (!lua_isnil(L, 4)) return 2;
    lua_settop(L, 2);
  }
  walk.key = nullptr;
  return nextOther(L, walk, isMember);
}

/// Pushes the list of the row's keys.
static void pushKeys(lua_State *L, const LazyRow &lazy) {
  if (lazy.row->shape == lazy.document->noted->shape) return pushNotedKeys(L, lua_upvalueindex(1));
  const Tape &tape = lazy.document->tape;
  lua_createtable(L, static_cast<int>(tape.count(lazy.row->tape)), 0);
  lua_Integer place = 1;
  for (uint32_t at = lazy.row->tape + 1; tape.kind(at) != '}'; at = tape.next(at + 1)) {
    lua_pushlstring(L, tape.string(at), tape.stringLength(at));
    lua_rawseti(L, -2, place++);
  }
}

int pairsOfRow(lua_State *L) {
  const LazyRow lazy = rowOf(L, 1, documentOf(L));
  lua_settop(L, 1);
  auto *walk = static_cast<Walk *>(lua_newuserdatauv(L, sizeof(Walk), 0));
  *walk = Walk{lazy, lua_topointer(L, 1), nullptr, lazy.row->tape + 1, 0, 0};
  pushKeys(L, lazy);
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_pushvalue(L, 1);
  lua_pushnil(L);
  lua_pushcclosure(L, nextOfRow, walkOthers);
  lua_pushvalue(L, 1);
  lua_pushnil(L);
  return 3;
}

}  // namespace cjson
