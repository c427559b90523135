/* Tables, for a host that must not be raised through: raw access, to tables only. */
#include "machine.h"

/* Pushes nil in the place of what no table gives. */
static clua_type_tag push_nothing(lua_State *L) {
  clua_push_nil(L);
  return CLUA_NIL;
}

/* A size that is worth being reserved; the table grows with what is put in. */
static int reserved(int size) {
  enum { most = 1 << 16 };
  return size < 0 ? 0 : size > most ? most : size;
}

void clua_new_table(lua_State *L, int array, int fields) {
  clua_make_room(L);
  lua_createtable(L, reserved(array), reserved(fields));
}

clua_type_tag clua_get_bytes(lua_State *L, int index, const char *bytes, size_t length) {
  int table = clua_table_place(L, index);
  if (!table) return push_nothing(L);
  clua_push_string(L, bytes, length);
  return (clua_type_tag)lua_rawget(L, table);
}

clua_type_tag clua_get_field(lua_State *L, int index, const char *key) {
  int table = clua_table_place(L, index);
  if (!table) return push_nothing(L);
  clua_make_room(L);
  lua_pushstring(L, key);
  return (clua_type_tag)lua_rawget(L, table);
}

/* Whether the value on the top can be put into the table at `*place`; else it is dropped. */
static bool takes_value(lua_State *L, int index, int *place) {
  *place = clua_table_place(L, index);
  if (*place && lua_gettop(L) > *place) return true;
  if (!*place && lua_gettop(L) > 0) lua_settop(L, -2);
  return false;
}

void clua_set_field(lua_State *L, int index, const char *key) {
  int table;
  if (!takes_value(L, index, &table)) return;
  clua_make_room(L);
  lua_pushstring(L, key);
  lua_insert(L, -2);
  lua_rawset(L, table);
}

clua_type_tag clua_get_index(lua_State *L, int index, int64_t position) {
  int table = clua_table_place(L, index);
  if (!table) return push_nothing(L);
  clua_make_room(L);
  return (clua_type_tag)lua_rawgeti(L, table, position);
}

void clua_set_index(lua_State *L, int index, int64_t position) {
  int table;
  if (!takes_value(L, index, &table)) return;
  lua_rawseti(L, table, position);
}

clua_type_tag clua_get_raw(lua_State *L, int index) {
  int table = clua_table_place(L, index);
  if (lua_gettop(L) == 0) return push_nothing(L);
  if (table && table != lua_gettop(L)) return (clua_type_tag)lua_rawget(L, table);
  lua_settop(L, -2);
  return push_nothing(L);
}

size_t clua_length(lua_State *L, int index) {
  int table = clua_table_place(L, index);
  return table ? lua_rawlen(L, table) : 0;
}

/* Whether the key on the top is one of the table; nil is where a walk begins. lua_next raises for any other. */
static bool is_key(lua_State *L, int table) {
  if (lua_isnil(L, -1)) return true;
  clua_push_value(L, -1);
  bool is_there = lua_rawget(L, table) != LUA_TNIL;
  lua_settop(L, -2);
  if (!is_there) clua_fault(L, "the table was changed while the host read it");
  return is_there;
}

bool clua_next(lua_State *L, int index) {
  int table = clua_table_place(L, index);
  if (table && lua_gettop(L) > table && lua_checkstack(L, 2) && is_key(L, table)) return lua_next(L, table);
  if (lua_gettop(L) > table) lua_settop(L, -2);
  return false;
}

size_t clua_count_pairs(lua_State *L, int index) {
  int table = clua_table_place(L, index);
  size_t count = 0;
  if (!table) return 0;
  clua_push_nil(L);
  for (; clua_next(L, table); lua_settop(L, -2)) count++;
  return count;
}

void clua_set_metatable(lua_State *L, int index) {
  int table;
  if (!takes_value(L, index, &table)) return;
  if (clua_table_place(L, -1)) {
    lua_setmetatable(L, table);
  } else {
    lua_settop(L, -2);
  }
}

bool clua_get_metatable(lua_State *L, int index) {
  int place = clua_place(L, index);
  clua_make_room(L);
  return place && lua_getmetatable(L, place);
}

void clua_push_globals(lua_State *L) {
  clua_make_room(L);
  lua_pushglobaltable(L);
}
