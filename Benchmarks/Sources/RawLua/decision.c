#include "RawLua.h"

#include <lua5.4/lauxlib.h>
#include <lua5.4/lua.h>
#include <lua5.4/lualib.h>
#include <time.h>

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static int decide(lua_State *L, int function, int view, long round) {
  lua_rawgeti(L, LUA_REGISTRYINDEX, function);
  lua_rawgeti(L, LUA_REGISTRYINDEX, view);
  lua_pushnumber(L, (lua_Number)(round % 100));
  lua_setfield(L, -2, "remainingItems");
  lua_pushnumber(L, 0.5);
  lua_setfield(L, -2, "remainingScreens");
  lua_pushnumber(L, 3.5);
  lua_setfield(L, -2, "remainingTime");
  lua_pushnumber(L, 12);
  lua_setfield(L, -2, "velocity");
  lua_pushboolean(L, 0);
  lua_setfield(L, -2, "isFetching");
  lua_pushboolean(L, 0);
  lua_setfield(L, -2, "isExhausted");
  if (lua_pcall(L, 1, 1, 0) != LUA_OK) return -1;
  int answer = lua_toboolean(L, -1);
  lua_pop(L, 1);
  return answer;
}

double raw_lua_decision(const char *source, long rounds) {
  lua_State *L = luaL_newstate();
  luaL_openlibs(L);
  if (luaL_dostring(L, source) != LUA_OK) return -1;
  int function = luaL_ref(L, LUA_REGISTRYINDEX);
  lua_newtable(L);
  int view = luaL_ref(L, LUA_REGISTRYINDEX);
  double start = now();
  for (long round = 0; round < rounds; round++) decide(L, function, view, round);
  double spent = now() - start;
  lua_close(L);
  return spent / (double)rounds;
}
