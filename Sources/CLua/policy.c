/* Deciding: one protected call with a table that shows the host's numbers.
 * Only the fields that a policy has been seen to read are written before a call; the rest is answered on demand. */
#include "machine.h"

#include <stdlib.h>
#include <string.h>

enum { instructions_a_step = 1000 };

struct clua_view {
  const char *const *names;
  int count;
  int table;         /* reference to the Lua table */
  int hot_count;
  short *hot;        /* indexes of the fields that are written before each call */
  bool *is_hot;
  clua_cell *cells;
  clua_cell *shown;  /* what the table holds, by field */
};

static void push_cell(lua_State *L, const clua_cell *cell);

static bool is_shown(const clua_cell *cell, const clua_cell *shown) {
  if (cell->kind != shown->kind) return false;
  switch (cell->kind) {
  case CLUA_CELL_NIL: return true;
  case CLUA_CELL_BOOLEAN: return cell->value.boolean == shown->value.boolean;
  case CLUA_CELL_INTEGER: return cell->value.integer == shown->value.integer;
  case CLUA_CELL_NUMBER: return cell->value.number == shown->value.number;
  case CLUA_CELL_TEXT: return cell->value.text == shown->value.text;
  case CLUA_CELL_VIEW: return false; /* its own fields may be others */
  }
  return false;
}

/* Writes the hot fields that have changed into the table on the top. */
static void refresh(lua_State *L, clua_view *view) {
  for (int i = 0; i < view->hot_count; i++) {
    int field = view->hot[i];
    if (is_shown(&view->cells[field], &view->shown[field])) continue;
    view->shown[field] = view->cells[field];
    lua_pushstring(L, view->names[field]);
    push_cell(L, &view->cells[field]);
    lua_rawset(L, -3);
  }
}

static void push_view(lua_State *L, clua_view *view) {
  lua_rawgeti(L, LUA_REGISTRYINDEX, view->table);
  refresh(L, view);
}

static void push_cell(lua_State *L, const clua_cell *cell) {
  switch (cell->kind) {
  case CLUA_CELL_NIL: lua_pushnil(L); break;
  case CLUA_CELL_BOOLEAN: lua_pushboolean(L, cell->value.boolean); break;
  case CLUA_CELL_INTEGER: lua_pushinteger(L, cell->value.integer); break;
  case CLUA_CELL_NUMBER: lua_pushnumber(L, cell->value.number); break;
  case CLUA_CELL_TEXT: lua_pushstring(L, cell->value.text); break;
  case CLUA_CELL_VIEW: push_view(L, cell->value.view); break;
  }
}

static int view_index(lua_State *L) {
  clua_view *view = lua_touserdata(L, lua_upvalueindex(1));
  const char *name = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : "";
  for (int field = 0; field < view->count; field++) {
    if (strcmp(view->names[field], name) != 0) continue;
    if (!view->is_hot[field]) {
      view->is_hot[field] = true;
      view->shown[field].kind = CLUA_CELL_NIL; /* absent so far */
      view->hot[view->hot_count++] = (short)field;
    }
    push_cell(L, &view->cells[field]);
    return 1;
  }
  luaL_tolstring(L, 2, NULL);
  return luaL_error(L, "the view has no field '%s'", lua_tostring(L, -1));
}

static int view_newindex(lua_State *L) { return luaL_error(L, "the view is the host's: read it, do not write it"); }

static int view_next(lua_State *L) {
  clua_view *view = lua_touserdata(L, lua_upvalueindex(1));
  int field = 0;
  if (lua_type(L, 2) == LUA_TSTRING) {
    while (field < view->count && strcmp(view->names[field], lua_tostring(L, 2)) != 0) field++;
    field++;
  }
  if (field >= view->count) return 0;
  lua_pushstring(L, view->names[field]);
  push_cell(L, &view->cells[field]);
  return 2;
}

static int view_pairs(lua_State *L) {
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_pushcclosure(L, view_next, 1);
  lua_pushvalue(L, 1);
  lua_pushnil(L);
  return 3;
}

static void set_closure(lua_State *L, clua_view *view, const char *name, lua_CFunction function) {
  lua_pushlightuserdata(L, view);
  lua_pushcclosure(L, function, 1);
  lua_setfield(L, -2, name);
}

clua_view *clua_new_view(lua_State *L, const char *const *names, int count) {
  clua_view *view = calloc(1, sizeof *view);
  if (!view) abort();
  view->names = names;
  view->count = count;
  view->hot = calloc((size_t)count, sizeof *view->hot);
  view->is_hot = calloc((size_t)count, sizeof *view->is_hot);
  view->cells = calloc((size_t)count, sizeof *view->cells);
  view->shown = calloc((size_t)count, sizeof *view->shown);
  if (!view->hot || !view->is_hot || !view->cells || !view->shown) abort();
  lua_createtable(L, 0, 8);
  lua_createtable(L, 0, 4);
  set_closure(L, view, "__index", view_index);
  set_closure(L, view, "__newindex", view_newindex);
  set_closure(L, view, "__pairs", view_pairs);
  lua_pushboolean(L, 0);
  lua_setfield(L, -2, "__metatable");
  lua_setmetatable(L, -2);
  view->table = luaL_ref(L, LUA_REGISTRYINDEX);
  return view;
}

void clua_free_view(lua_State *L, clua_view *view) {
  luaL_unref(L, LUA_REGISTRYINDEX, view->table);
  free(view->hot);
  free(view->is_hot);
  free(view->cells);
  free(view->shown);
  free(view);
}

clua_cell *clua_view_cells(clua_view *view) { return view->cells; }

static void budget_hook(lua_State *L, lua_Debug *where) {
  (void)where;
  clua_machine *machine = clua_machine_of(L);
  machine->instructions -= instructions_a_step;
  if (machine->instructions > 0) return;
  atomic_store(&machine->stop, CLUA_STOP_INSTRUCTIONS);
  clua_raise_if_stopped(L, machine);
}

clua_status clua_call_policy(lua_State *L, int function, clua_view *view, int parameters, int instructions) {
  clua_machine *machine = clua_machine_of(L);
  machine->instructions = instructions;
  if (instructions > 0) lua_sethook(L, budget_hook, LUA_MASKCOUNT, instructions < instructions_a_step ? instructions : instructions_a_step);
  clua_entry entry = clua_enter(machine, L);
  machine->in_script = 0;
  lua_rawgeti(L, LUA_REGISTRYINDEX, function);
  push_view(L, view);
  lua_rawgeti(L, LUA_REGISTRYINDEX, parameters);
  machine->in_script = 1;
  int status = lua_pcall(L, 2, 1, 0);
  clua_leave(machine, entry);
  if (instructions > 0) lua_sethook(L, NULL, 0, 0);
  if (status == LUA_OK) return CLUA_OK;
  return clua_stopped(L) == CLUA_RUNNING ? CLUA_ERROR : CLUA_STOPPED;
}
