#include "State.hpp"

#include <atomic>
#include <cstring>

#include "CLuaJSON.h"
#include "Document.hpp"
#include "Failure.hpp"

namespace cjson {

static char stateKey, null;

static constexpr cjson_limits none{};
static std::atomic<const cjson_limits *> given{&none};

const cjson_limits &limits() { return *given.load(std::memory_order_acquire); }

State *stateOf(lua_State *L) {
  lua_rawgetp(L, LUA_REGISTRYINDEX, &stateKey);
  auto *state = static_cast<State *>(lua_touserdata(L, -1));
  lua_pop(L, 1);
  return state;
}

State *pushState(lua_State *L) {
  lua_rawgetp(L, LUA_REGISTRYINDEX, &stateKey);
  const int index = lua_gettop(L);
  for (int table = 0; table < stateTables; table++) lua_getiuservalue(L, index, table + 1);
  auto *state = static_cast<State *>(lua_touserdata(L, index));
  lua_remove(L, index);
  return state;
}

static int collect(lua_State *L) {
  auto *state = static_cast<State *>(lua_touserdata(L, 1));
  state->parser.free();
  state->entries.free();
  return 0;
}

static int open(lua_State *L) {
  openDocuments(L);
  auto *state = static_cast<State *>(lua_newuserdatauv(L, sizeof(State), stateTables));
  const int index = lua_gettop(L);
  std::memset(static_cast<void *>(state), 0, sizeof *state);
  state->isLazy = true;

  lua_createtable(L, Keys::slots, 0);
  lua_setiuservalue(L, index, stateKeys + 1);
  lua_newtable(L);
  lua_setiuservalue(L, index, stateRanks + 1);

  lua_newtable(L);
  lua_pushboolean(L, 0);
  lua_setfield(L, -2, "__metatable");
  state->arrayMark = lua_topointer(L, -1);
  lua_setiuservalue(L, index, stateArrayMark + 1);

  lua_createtable(L, 0, 1);
  lua_pushcfunction(L, collect);
  lua_setfield(L, -2, "__gc");
  lua_setmetatable(L, index);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &stateKey);
  return 0;
}

}  // namespace cjson

cjson_status cjson_open(lua_State *L, const cjson_limits *limits) {
  if (!lua_checkstack(L, 1)) return CJSON_MEMORY;
  if (cjson::stateOf(L)) return CJSON_OK;
  if (limits) cjson::given.store(limits, std::memory_order_release);
  cjson_status failure;
  return cjson::protect(L, cjson::open, nullptr, 0, 0, 0, &failure, nullptr);
}

void cjson_push_null(lua_State *L) { lua_pushlightuserdata(L, &cjson::null); }

int cjson_is_null(lua_State *L, int index) {
  return lua_islightuserdata(L, index) && lua_touserdata(L, index) == &cjson::null;
}
