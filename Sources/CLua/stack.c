/* The stack, for a host that must not be raised through. Every place and every count is checked, in every build: what the
 * host says wrongly is a fault, which the script gets as an error when the host function returns. */
#include "machine.h"

#include <stdio.h>
#include <string.h>

void clua_fault(lua_State *L, const char *format, ...) {
  clua_machine *machine = clua_machine_of(L);
  if (machine->fault[0]) return;
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(machine->fault, sizeof machine->fault, format, arguments);
  va_end(arguments);
}

bool clua_has_fault(lua_State *L) { return clua_machine_of(L)->fault[0] != 0; }
const char *clua_fault_message(lua_State *L) { return clua_machine_of(L)->fault; }
void clua_clear_fault(lua_State *L) { clua_machine_of(L)->fault[0] = 0; }

void clua_fault_of_text(lua_State *L) {
  clua_fault(L, "a string is not UTF-8, where a text is wanted: convert it, or take its lookahead.base64.encode");
}

int clua_place(lua_State *L, int index) {
  int top = lua_gettop(L);
  if (index < 0) index += top + 1;
  return index > 0 && index <= top ? index : 0;
}

int clua_table_place(lua_State *L, int index) {
  int place = clua_place(L, index);
  if (place && lua_istable(L, place)) {
    if (lua_checkstack(L, 1) && lua_getmetatable(L, place)) {
      lua_settop(L, -2);
      clua_machine *machine = clua_machine_of(L);
      if (machine->make_plain && machine->make_plain(L, place) != 0) clua_fault(L, "not enough memory for a row");
    }
    return place;
  }
  clua_fault(L, "the host expected a table, got %s", place ? luaL_typename(L, place) : "nothing");
  return 0;
}

/* What a push needs, with what it puts there for a moment. */
enum { room_of_a_push = 4 };

void clua_make_room(lua_State *L) {
  if (lua_checkstack(L, room_of_a_push)) return;
  clua_fault(L, "stack overflow in a function of the host");
  if (lua_gettop(L) > 0) lua_settop(L, -2); /* the new value takes the place of the last one */
}

int clua_top(lua_State *L) { return lua_gettop(L); }

void clua_set_top(lua_State *L, int top) {
  int held = lua_gettop(L);
  if (top < 0 || top > held) clua_fault(L, "the host set the stack of %d values to %d", held, top);
  if (top >= 0 && top <= held) lua_settop(L, top);
}

void clua_pop(lua_State *L, int count) {
  int held = lua_gettop(L);
  if (count >= 0 && count <= held) {
    lua_settop(L, -count - 1);
  } else {
    clua_fault(L, "the host popped %d of %d values", count, held);
  }
}

bool clua_check_stack(lua_State *L, int slots) { return slots >= 0 && lua_checkstack(L, slots); }

int clua_absolute(lua_State *L, int index) { return index < 0 ? clua_place(L, index) : index; }

void clua_push_value(lua_State *L, int index) {
  int place = clua_place(L, index);
  clua_make_room(L);
  if (place && place <= lua_gettop(L)) {
    lua_pushvalue(L, place);
  } else {
    lua_pushnil(L);
  }
}

/* Whether the value at `index` can be moved; a fault otherwise. */
static bool is_there(lua_State *L, int index) {
  if (clua_place(L, index)) return true;
  clua_fault(L, "the host moved a value that is not there");
  return false;
}

void clua_insert(lua_State *L, int index) {
  if (is_there(L, index)) lua_insert(L, index);
}

void clua_remove(lua_State *L, int index) {
  if (is_there(L, index)) lua_remove(L, index);
}

void clua_move(lua_State *from, lua_State *to, int count) {
  if (from == to || count <= 0 || !is_there(from, -count)) return;
  if (lua_checkstack(to, count)) {
    lua_xmove(from, to, count);
  } else {
    lua_settop(from, -count - 1);
    clua_fault(to, "stack overflow in a function of the host");
  }
}

/* Whether Lua may be asked for the value at `index`: above the stack it finds none, and below it it would look. */
static bool can_ask(lua_State *L, int index) { return index > 0 || (index < 0 && index >= -lua_gettop(L)); }

clua_type_tag clua_type(lua_State *L, int index) {
  return can_ask(L, index) ? (clua_type_tag)lua_type(L, index) : CLUA_NONE;
}

const char *clua_type_name(lua_State *L, int index) { return lua_typename(L, clua_type(L, index)); }

bool clua_is_integer(lua_State *L, int index) {
  return can_ask(L, index) && lua_isinteger(L, index);
}

bool clua_to_boolean(lua_State *L, int index) {
  return can_ask(L, index) && lua_toboolean(L, index);
}

double clua_to_number(lua_State *L, int index) {
  return can_ask(L, index) ? lua_tonumber(L, index) : 0;
}

int64_t clua_to_integer(lua_State *L, int index) {
  return can_ask(L, index) ? lua_tointeger(L, index) : 0;
}

const char *clua_to_string(lua_State *L, int index, size_t *length) {
  return clua_type(L, index) == CLUA_STRING ? lua_tolstring(L, index, length) : NULL;
}

bool clua_same(lua_State *L, int left, int right) {
  return clua_place(L, left) && clua_place(L, right) && lua_rawequal(L, left, right);
}

void clua_push_nil(lua_State *L) {
  clua_make_room(L);
  lua_pushnil(L);
}

void clua_push_boolean(lua_State *L, bool value) {
  clua_make_room(L);
  lua_pushboolean(L, value);
}

void clua_push_integer(lua_State *L, int64_t value) {
  clua_make_room(L);
  lua_pushinteger(L, value);
}

void clua_push_number(lua_State *L, double value) {
  clua_make_room(L);
  lua_pushnumber(L, value);
}

void clua_push_string(lua_State *L, const char *bytes, size_t length) {
  clua_make_room(L);
  lua_pushlstring(L, bytes ? bytes : "", bytes ? length : 0);
}

void clua_push_script_where(lua_State *L) {
  static const char own[] = "lookahead:";
  lua_Debug record;
  clua_make_room(L);
  for (int level = 1; level <= 32 && lua_getstack(L, level, &record); level++) {
    lua_getinfo(L, "Sl", &record);
    if (record.currentline <= 0 || strncmp(record.short_src, own, sizeof own - 1) == 0) continue;
    lua_pushfstring(L, "%s:%d: ", record.short_src, record.currentline);
    return;
  }
  lua_pushliteral(L, "");
}

void clua_push_place(lua_State *L, int index) {
  lua_Debug record;
  int place = clua_place(L, index);
  clua_make_room(L);
  if (!place || !lua_isfunction(L, place)) {
    lua_pushliteral(L, "");
    return;
  }
  lua_pushvalue(L, place);
  lua_getinfo(L, ">S", &record);
  if (record.linedefined > 0) {
    lua_pushfstring(L, "%s:%d", record.short_src, record.linedefined);
  } else {
    lua_pushliteral(L, "");
  }
}

int clua_reference(lua_State *L) {
  if (lua_gettop(L) == 0) clua_push_nil(L);
  clua_make_room(L);
  return luaL_ref(L, LUA_REGISTRYINDEX);
}

void clua_unreference(lua_State *L, int reference) {
  clua_make_room(L);
  luaL_unref(L, LUA_REGISTRYINDEX, reference);
}

clua_type_tag clua_push_reference(lua_State *L, int reference) {
  clua_make_room(L);
  return (clua_type_tag)lua_rawgeti(L, LUA_REGISTRYINDEX, reference);
}
