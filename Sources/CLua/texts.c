/* Texts of values: as Lua gives them, but a number in the place of an address. Who knows an address knows where to aim. */
#include "machine.h"

#include <string.h>

static char numbers_key;

/* The table of numbers by value, which keeps no value alive; how many there are is that of true. */
static void push_numbers(lua_State *L) {
  if (lua_rawgetp(L, LUA_REGISTRYINDEX, &numbers_key) == LUA_TTABLE) return;
  lua_settop(L, -2);
  lua_createtable(L, 0, 0);
  lua_createtable(L, 0, 1);
  lua_pushliteral(L, "__mode");
  lua_pushliteral(L, "k");
  lua_rawset(L, -3);
  lua_setmetatable(L, -2);
  lua_pushvalue(L, -1);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &numbers_key);
}

/* The number of the value at `place`, the same as long as it lives. */
static lua_Integer number_of(lua_State *L, int place) {
  push_numbers(L);
  lua_pushvalue(L, place);
  if (lua_rawget(L, -2) != LUA_TNUMBER) {
    lua_pushvalue(L, place);
    lua_pushboolean(L, 1);
    lua_rawget(L, -4);
    lua_Integer next = lua_tointeger(L, -1) + 1;
    lua_settop(L, -2);
    lua_pushboolean(L, 1);
    lua_pushinteger(L, next);
    lua_rawset(L, -5);
    lua_pushinteger(L, next);
    lua_rawset(L, -4);
  }
  lua_settop(L, -2);
  lua_pushvalue(L, place);
  lua_rawget(L, -2);
  lua_Integer number = lua_tointeger(L, -1);
  lua_settop(L, -3);
  return number;
}

int clua_numbers(lua_State *L) {
  lua_settop(L, 1);
  push_numbers(L);
  lua_pushvalue(L, 1);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &numbers_key);
  return 1;
}

static bool is_plain(lua_State *L, int index) {
  switch (lua_type(L, index)) {
  case LUA_TNONE:
  case LUA_TNIL:
  case LUA_TBOOLEAN:
  case LUA_TNUMBER:
  case LUA_TSTRING: return true;
  default: return false;
  }
}

/* Pushes the text of the value at `place`; raises as luaL_tolstring does. */
static void push_text(lua_State *L, int place) {
  if (is_plain(L, place) || luaL_getmetafield(L, place, "__tostring") != LUA_TNIL) {
    luaL_tolstring(L, place, NULL);
    return;
  }
  const char *kind = luaL_typename(L, place);
  if (luaL_getmetafield(L, place, "__name") == LUA_TSTRING) kind = lua_tostring(L, -1);
  lua_pushfstring(L, "%s: %I", kind, number_of(L, place));
}

static int describe(lua_State *L) {
  push_text(L, 1);
  return 1;
}

const char *clua_describe(lua_State *L, int index, size_t *length) {
  int place = clua_place(L, index);
  clua_make_room(L);
  if (place && lua_type(L, place) == LUA_TSTRING) { /* whatever the script's limits */
    lua_pushvalue(L, place);
    return lua_tolstring(L, -1, length);
  }
  lua_pushcfunction(L, describe);
  clua_push_value(L, place);
  if (clua_call(L, 1, 1, false) != CLUA_OK || lua_type(L, -1) != LUA_TSTRING) {
    lua_settop(L, -2);
    lua_pushfstring(L, "(a %s that cannot be shown)", clua_type_name(L, place));
  }
  return lua_tolstring(L, -1, length);
}

bool clua_has_text(lua_State *L, int index) {
  int place = clua_place(L, index);
  if (!place || !lua_checkstack(L, 3) || luaL_getmetafield(L, place, "__tostring") == LUA_TNIL) return false;
  lua_settop(L, -2);
  return true;
}

static int guarded_tostring(lua_State *L) {
  luaL_checkany(L, 1);
  push_text(L, 1);
  return 1;
}

/* What may stand between a % and its conversion. */
static const bool is_modifier[256] = {['-'] = true, ['+'] = true, ['#'] = true, [' '] = true, ['.'] = true, ['0'] = true,
                                      ['1'] = true, ['2'] = true, ['3'] = true, ['4'] = true, ['5'] = true, ['6'] = true,
                                      ['7'] = true, ['8'] = true, ['9'] = true};

/* string.format: %s of a value goes by its text here, and %p is refused. */
static int guarded_format(lua_State *L) {
  size_t length;
  const char *format = luaL_checklstring(L, 1, &length), *end = format + length;
  int argument = 1, top = lua_gettop(L), plain = 1;
  while (plain <= top && is_plain(L, plain)) plain++;
  bool is_simple = plain > top && !memchr(format, 'p', length);
  while (!is_simple && (format = memchr(format, '%', (size_t)(end - format)))) {
    if (*++format == '%') {
      format++;
      continue;
    }
    while (is_modifier[(unsigned char)*format]) format++;
    argument++;
    if (*format == 'p') return luaL_error(L, "invalid conversion '%%p' to 'format': addresses are not shown");
    if (*format != 's' || is_plain(L, argument)) continue;
    push_text(L, argument);
    lua_replace(L, argument);
    lua_settop(L, top);
  }
  return lua_tocfunction(L, lua_upvalueindex(1))(L);
}

void clua_open_texts(lua_State *L) {
  lua_pushcfunction(L, guarded_tostring);
  lua_setfield(L, -2, "tostring");
  lua_getfield(L, -1, LUA_STRLIBNAME);
  clua_wrap(L, "format", guarded_format);
  lua_pop(L, 1);
}
