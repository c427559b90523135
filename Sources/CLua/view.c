/* Views: tables that show the host's numbers by name. What scripts hold stays empty, so that no write gets past
 * `__newindex`; it reads from a table behind it, which scripts never see. A field gets into that one when it was read once;
 * the rest is answered on demand. Only the fields that are there and have changed are written before a decision. */
#include "view.h"

#include <string.h>

struct clua_view {
  const char *const *names;
  int count;
  int table; /* references: what scripts hold, the fields behind it, the names as Lua strings, and this block */
  int fields;
  int keys;
  int block;
  int hot_count;
  short *hot; /* indexes of the fields that were read */
  bool *is_hot;
  clua_cell *cells;
  clua_cell *held; /* what the table of fields holds, by field */
};

static bool is_held(const clua_cell *cell, const clua_cell *held) {
  if (cell->kind != held->kind) return false;
  switch (cell->kind) {
  case CLUA_CELL_NIL: return true;
  case CLUA_CELL_BOOLEAN: return cell->value.boolean == held->value.boolean;
  case CLUA_CELL_INTEGER: return cell->value.integer == held->value.integer;
  case CLUA_CELL_NUMBER: return cell->value.number == held->value.number;
  case CLUA_CELL_TEXT: return cell->value.text == held->value.text;
  case CLUA_CELL_VIEW: return cell->value.view == held->value.view; /* whatever its own fields are */
  }
  return false;
}

static void push_cell(lua_State *L, const clua_cell *cell) {
  switch (cell->kind) {
  case CLUA_CELL_NIL: lua_pushnil(L); break;
  case CLUA_CELL_BOOLEAN: lua_pushboolean(L, cell->value.boolean); break;
  case CLUA_CELL_INTEGER: lua_pushinteger(L, cell->value.integer); break;
  case CLUA_CELL_NUMBER: lua_pushnumber(L, cell->value.number); break;
  case CLUA_CELL_TEXT: lua_pushstring(L, cell->value.text); break;
  case CLUA_CELL_VIEW: clua_push_view(L, cell->value.view); break;
  }
}

/* Writes the fields that have changed. */
static void refresh(lua_State *L, clua_view *view) {
  bool is_open = false;
  for (int i = 0; i < view->hot_count; i++) {
    int field = view->hot[i];
    clua_cell *cell = &view->cells[field], *held = &view->held[field];
    if (is_held(cell, held)) {
      if (cell->kind == CLUA_CELL_VIEW) refresh(L, cell->value.view);
      continue;
    }
    if (!is_open) {
      lua_rawgeti(L, LUA_REGISTRYINDEX, view->fields);
      lua_rawgeti(L, LUA_REGISTRYINDEX, view->keys);
      is_open = true;
    }
    lua_rawgeti(L, -1, field + 1);
    push_cell(L, cell);
    lua_rawset(L, -4);
    *held = *cell;
  }
  if (is_open) lua_pop(L, 2);
}

void clua_push_view(lua_State *L, clua_view *view) {
  refresh(L, view);
  lua_rawgeti(L, LUA_REGISTRYINDEX, view->table);
}

/* The place of the field that is named at `index`, or of the end. */
static int find(lua_State *L, clua_view *view, int index) {
  const char *name = lua_type(L, index) == LUA_TSTRING ? lua_tostring(L, index) : "";
  int field = 0;
  while (field < view->count && strcmp(view->names[field], name) != 0) field++;
  return field;
}

static int view_index(lua_State *L) {
  clua_view *view = lua_touserdata(L, lua_upvalueindex(1));
  int field = find(L, view, 2);
  if (field == view->count) {
    luaL_tolstring(L, 2, NULL);
    return luaL_error(L, "the view has no field '%s'", lua_tostring(L, -1));
  }
  if (!view->is_hot[field]) {
    view->is_hot[field] = true;
    view->held[field].kind = CLUA_CELL_NIL; /* absent so far */
    view->hot[view->hot_count++] = (short)field;
  }
  push_cell(L, &view->cells[field]);
  return 1;
}

static int view_newindex(lua_State *L) {
  luaL_tolstring(L, 2, NULL);
  return luaL_error(L, "the view is the host's: read '%s', do not write it", lua_tostring(L, -1));
}

/* The field behind the key at 2, and its value. */
static int next_field(lua_State *L, clua_view *view) {
  int field = lua_isnoneornil(L, 2) ? 0 : find(L, view, 2) + 1;
  if (field >= view->count) return 0;
  lua_pushstring(L, view->names[field]);
  push_cell(L, &view->cells[field]);
  return 2;
}

static int view_next(lua_State *L) { return next_field(L, lua_touserdata(L, lua_upvalueindex(1))); }

static int view_pairs(lua_State *L) {
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_pushcclosure(L, view_next, 1);
  lua_pushvalue(L, 1);
  lua_pushnil(L);
  return 3;
}

bool clua_is_view(lua_State *L, int index) {
  if (!lua_istable(L, index) || !luaL_getmetafield(L, index, "__newindex")) return false;
  bool is_view = lua_tocfunction(L, -1) == view_newindex;
  lua_pop(L, 1);
  return is_view;
}

/* The view that is behind its table at `index`; pushes two values. */
static clua_view *view_at(lua_State *L, int index) {
  luaL_getmetafield(L, index, "__newindex");
  lua_getupvalue(L, -1, 1);
  return lua_touserdata(L, -1);
}

int clua_view_next(lua_State *L) {
  lua_settop(L, 2);
  return next_field(L, view_at(L, 1));
}

int clua_view_get(lua_State *L) {
  lua_settop(L, 2);
  clua_view *view = view_at(L, 1);
  int field = find(L, view, 2);
  if (field == view->count) {
    lua_pushnil(L);
  } else {
    push_cell(L, &view->cells[field]);
  }
  return 1;
}

bool clua_push_view_fields(lua_State *L, int index) {
  index = clua_place(L, index);
  if (!index || !lua_checkstack(L, 8) || !clua_is_view(L, index)) return false;
  clua_view *view = view_at(L, index);
  lua_createtable(L, 0, view->count);
  for (int field = 0; field < view->count; field++) {
    lua_pushstring(L, view->names[field]);
    push_cell(L, &view->cells[field]);
    lua_rawset(L, -3);
  }
  lua_replace(L, -3);
  lua_pop(L, 1);
  return true;
}

/* Sets a function of the view at `block` in the table on the top. */
static void set_closure(lua_State *L, int block, const char *name, lua_CFunction function) {
  lua_pushstring(L, name);
  lua_pushvalue(L, block);
  lua_pushcclosure(L, function, 1);
  lua_rawset(L, -3);
}

/* The table of the fields that were read. */
static void push_backing(lua_State *L, int block) {
  lua_createtable(L, 0, 8);
  lua_createtable(L, 0, 1);
  set_closure(L, block, "__index", view_index);
  lua_setmetatable(L, -2);
}

/* What scripts hold of the fields on the top. */
static void push_table(lua_State *L, int block) {
  lua_createtable(L, 0, 0);
  lua_createtable(L, 0, 4);
  lua_pushliteral(L, "__index");
  lua_pushvalue(L, -4);
  lua_rawset(L, -3);
  set_closure(L, block, "__newindex", view_newindex);
  set_closure(L, block, "__pairs", view_pairs);
  lua_pushliteral(L, "__metatable");
  lua_pushboolean(L, 0);
  lua_rawset(L, -3);
  lua_setmetatable(L, -2);
}

/* In one block that the collector frees: a script may have kept the table. */
clua_view *clua_new_view(lua_State *L, const char *const *names, int count) {
  size_t fields = (size_t)count;
  if (!lua_checkstack(L, 10)) return NULL;
  size_t size = sizeof(clua_view) + fields * (2 * sizeof(clua_cell) + sizeof(short) + sizeof(bool));
  clua_view *view = memset(lua_newuserdatauv(L, size, 0), 0, size);
  view->names = names;
  view->count = count;
  view->cells = (clua_cell *)(view + 1);
  view->held = view->cells + fields;
  view->hot = (short *)(view->held + fields);
  view->is_hot = (bool *)(view->hot + fields);
  int block = lua_gettop(L);
  push_backing(L, block);
  push_table(L, block);
  view->table = luaL_ref(L, LUA_REGISTRYINDEX);
  view->fields = luaL_ref(L, LUA_REGISTRYINDEX);
  lua_createtable(L, count, 0);
  for (int field = 0; field < count; field++) {
    lua_pushstring(L, names[field]);
    lua_rawseti(L, -2, field + 1);
  }
  view->keys = luaL_ref(L, LUA_REGISTRYINDEX);
  view->block = luaL_ref(L, LUA_REGISTRYINDEX);
  return view;
}

void clua_free_view(lua_State *L, clua_view *view) {
  view->count = view->hot_count = 0;
  luaL_unref(L, LUA_REGISTRYINDEX, view->table);
  luaL_unref(L, LUA_REGISTRYINDEX, view->fields);
  luaL_unref(L, LUA_REGISTRYINDEX, view->keys);
  luaL_unref(L, LUA_REGISTRYINDEX, view->block);
}

clua_cell *clua_view_cells(clua_view *view) { return view->cells; }
