/* Errors about null: it is a userdata to Lua, and scripts have no other. */
#include "machine.h"

#include <string.h>

static void push_piece(lua_State *L, const char *from, const char *to) { lua_pushlstring(L, from, (size_t)(to - from)); }

/* `attempt to index a userdata value (field 'data')` becomes `data is null (attempt to index it)`. */
static bool say_named(lua_State *L, const char *message, const char *start) {
  static const char value[] = " a userdata value (";
  const char *place = strstr(start, value);
  const char *name = place ? strchr(place + sizeof value - 1, '\'') : NULL;
  const char *end = name ? strstr(name + 1, "')") : NULL;
  if (!end) return false;
  push_piece(L, message, start);
  push_piece(L, name + 1, end);
  push_piece(L, start, place);
  lua_pushfstring(L, "%s%s is null (%s it)%s", lua_tostring(L, -3), lua_tostring(L, -2), lua_tostring(L, -1), end + 2);
  lua_replace(L, -5);
  lua_pop(L, 3);
  return true;
}

static void replace_first(lua_State *L, const char *word, const char *said) {
  const char *message = lua_tostring(L, -1);
  const char *place = strstr(message, word);
  if (!place) return;
  push_piece(L, message, place);
  lua_pushfstring(L, "%s%s%s", lua_tostring(L, -1), said, place + strlen(word));
  lua_replace(L, -3);
  lua_pop(L, 1);
}

void clua_say_null(lua_State *L) {
  if (lua_type(L, -1) != LUA_TSTRING || !lua_checkstack(L, 5)) return;
  const char *message = lua_tostring(L, -1);
  const char *start = strstr(message, "attempt to ");
  if (!start || !strstr(start, "userdata") || say_named(L, message, start)) return;
  replace_first(L, "two userdata values", "two nulls");
  replace_first(L, "a userdata value", "null");
  replace_first(L, "userdata", "null");
}
