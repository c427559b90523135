/* Copies of what a policy reaches, so that every session has its own: tables are made anew each time, and functions get
 * cells of their own, once, which then hold the new values. What was copied stays as the script left it. */
#include "machine.h"

#include <stdlib.h>
#include <string.h>

/* What a copy under way has on its stack. */
enum {
  at_root = 1,
  at_isolate,
  at_memo,        /* copies by what they were made of, and the cells that were filled */
  at_functions,   /* the isolate's functions, by the script's */
  at_cells,       /* one of the isolate's functions that holds it, by each of the script's cells, */
  at_numbers,     /* and as which of its upvalues */
  at_replaced,    /* what stands in the place of a function of the library */
  at_hosts,       /* the metatables of the host's objects */
  at_environment, /* the script's globals, which look like one of these */
  at_queue,       /* tables and functions whose copies are still empty */
  at_last = at_queue
};

typedef struct {
  lua_State *L;
  lua_Integer queued, pairs;
  bool is_strict; /* what can't be copied is an error, and not shared */
} copying;

/* Pairs that are copied where sharing them is no error: a run opens a feed now and then, and its data may be large. */
enum { most_pairs_of_a_run = 100000 };

static bool is_host_function(lua_State *L, int index) {
  static const char own[] = "@lookahead:";
  lua_Debug record;
  lua_pushvalue(L, index);
  lua_getinfo(L, ">S", &record);
  return strncmp(record.source, own, sizeof own - 1) == 0;
}

static void share(copying *copying, const char *what, const char *holder) {
  if (!copying->is_strict) return;
  const char *article = strchr("aeiou", what[0]) ? "an" : "a";
  if (holder) {
    lua_pushfstring(copying->L, "it reaches %s %s ('%s')", article, what, holder);
  } else {
    lua_pushfstring(copying->L, "it reaches %s %s", article, what);
  }
  lua_pushliteral(copying->L, ", which can't be copied for each session: make it in start(parameters)");
  lua_concat(copying->L, 2);
  lua_error(copying->L);
}

/* The copy that is there already, or what stands in its place, instead of the value on the top. */
static bool is_known(copying *copying) {
  lua_State *L = copying->L;
  for (int table = at_memo; table <= at_replaced; table += at_replaced - at_memo) {
    lua_pushvalue(L, -1);
    if (lua_rawget(L, table) != LUA_TNIL) {
      lua_replace(L, -2);
      return true;
    }
    lua_pop(L, 1);
  }
  return false;
}

/* Notes the copy on the top for what is below it, which it replaces; it is filled later. */
static void enqueue(copying *copying) {
  lua_State *L = copying->L;
  lua_pushvalue(L, -2);
  lua_pushvalue(L, -2);
  lua_rawset(L, at_memo);
  lua_pushvalue(L, -2);
  lua_rawseti(L, at_queue, ++copying->queued);
  lua_replace(L, -2);
}

static bool has(lua_State *L, const char *name) {
  lua_pushstring(L, name);
  bool is_there = lua_rawget(L, -2) != LUA_TNIL;
  lua_pop(L, 1);
  return is_there;
}

/* Whether the metatable on the top is the host's: one of its objects', or the mark of an array. */
static bool is_hosts(copying *copying, int value) {
  lua_State *L = copying->L;
  if (lua_rawequal(L, value, at_environment)) return false;
  lua_pushvalue(L, -1);
  bool is_own = lua_rawget(L, at_hosts) != LUA_TNIL;
  lua_pop(L, 1);
  return is_own || (has(L, "__metatable") && !has(L, "__index") && !has(L, "__newindex"));
}

/* What an object of the host's is called, where it stays one: it holds nothing, and what is behind it can't be copied.
 * NULL for any other table; an empty text for one that does not change. */
static const char *host_object(copying *copying, int value) {
  static const char *const constant[] = {"policy", "source", "experiment", "workload", "network", "result", NULL};
  static const char own[] = "lookahead.";
  lua_State *L = copying->L;
  if (clua_is_view(L, value)) return "";
  if (!lua_getmetatable(L, value)) return NULL;
  const char *name = NULL;
  if (is_hosts(copying, value) && has(L, "__newindex")) {
    name = has(L, "__sealed") ? "" : "object of the host";
    lua_pushliteral(L, "__name");
    if (*name && lua_rawget(L, -2) == LUA_TSTRING) name = lua_tostring(L, -1); /* the metatable keeps it */
    if (strncmp(name, own, sizeof own - 1) == 0) name += sizeof own - 1;
    for (const char *const *each = constant; *each; each++) {
      if (strcmp(name, *each) == 0) name = "";
    }
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
  return name;
}

static void copy_table(copying *copying, const char *holder) {
  lua_State *L = copying->L;
  clua_machine *machine = clua_machine_of(L);
  int master = lua_gettop(L);
  if (machine->materialize && machine->materialize(L, master) != 0) {
    clua_raise_if_stopped(L, machine);
    luaL_error(L, "not enough memory");
  }
  if (luaL_getmetafield(L, master, "__mode") != LUA_TNIL) {
    lua_pop(L, 1);
    share(copying, "weak table", holder); /* in a run it is copied all the same */
  }
  const char *object = host_object(copying, master);
  if (object) {
    if (*object) share(copying, object, holder);
    return;
  }
  int elements = (int)lua_rawlen(L, master), fields = -elements;
  for (lua_pushnil(L); lua_next(L, master); lua_pop(L, 1)) fields++;
  copying->pairs += elements + fields;
  if (!copying->is_strict && copying->pairs > most_pairs_of_a_run) {
    lua_pushfstring(L, "it reaches more than %d values", most_pairs_of_a_run);
    lua_error(L);
  }
  lua_createtable(L, elements, fields < 0 ? 0 : fields);
  enqueue(copying);
}

/* A function of C: what it holds is out of reach. Those that hold what changes are iterators, and coroutines. */
static void share_c_function(copying *copying, const char *holder) {
  lua_State *L = copying->L;
  for (int number = 1; lua_getupvalue(L, -1, number); number++) {
    int type = lua_type(L, -1);
    lua_pop(L, 1);
    if (type == LUA_TTHREAD) return share(copying, "coroutine", holder);
    if (type == LUA_TTABLE || type == LUA_TUSERDATA) return share(copying, "iterator", holder);
  }
}

typedef struct {
  char *bytes;
  size_t length, room;
  bool is_read;
} chunk;

static int write_chunk(lua_State *L, const void *bytes, size_t length, void *context) {
  chunk *chunk = context;
  (void)L;
  if (chunk->room - chunk->length < length) {
    size_t room = 2 * (chunk->room + length);
    char *moved = realloc(chunk->bytes, room);
    if (!moved) return 1;
    chunk->bytes = moved;
    chunk->room = room;
  }
  memcpy(chunk->bytes + chunk->length, bytes, length);
  chunk->length += length;
  return 0;
}

static const char *read_chunk(lua_State *L, void *context, size_t *length) {
  chunk *chunk = context;
  (void)L;
  *length = chunk->is_read ? 0 : chunk->length;
  chunk->is_read = true;
  return chunk->bytes;
}

/* Pushes a function of the same code as the one on the top, whose cells are the isolate's. */
static void push_function(copying *copying) {
  lua_State *L = copying->L;
  int master = lua_gettop(L), copy = master + 1;
  chunk chunk = {0};
  int status = lua_dump(L, write_chunk, &chunk, 0) ? LUA_ERRMEM : lua_load(L, read_chunk, &chunk, "=copy", "b");
  free(chunk.bytes);
  if (status != LUA_OK) luaL_error(L, "not enough memory");
  void *cell;
  for (int number = 1; (cell = lua_upvalueid(L, master, number)); number++) {
    if (lua_rawgetp(L, at_cells, cell) == LUA_TNIL) {
      lua_pushvalue(L, copy);
      lua_rawsetp(L, at_cells, cell);
      lua_pushinteger(L, number);
      lua_rawsetp(L, at_numbers, cell);
    } else {
      lua_rawgetp(L, at_numbers, cell);
      lua_upvaluejoin(L, copy, number, copy + 1, (int)lua_tointeger(L, -1));
    }
    lua_settop(L, copy);
  }
  /* It keeps the script's function, so that no other cell gets the address of one of these. */
  lua_pushvalue(L, master);
  lua_pushvalue(L, copy);
  lua_rawset(L, at_functions);
}

static void copy_function(copying *copying, const char *holder) {
  lua_State *L = copying->L;
  if (lua_iscfunction(L, -1)) return share_c_function(copying, holder);
  if (is_host_function(L, -1)) return;
  lua_pushvalue(L, -1);
  if (lua_rawget(L, at_functions) == LUA_TNIL) {
    lua_pop(L, 1);
    push_function(copying);
  }
  enqueue(copying);
}

/* Replaces the value on the top with its copy; `holder` is what it is called where it was found, or NULL. */
static void copy_value(copying *copying, const char *holder) {
  lua_State *L = copying->L;
  int type = lua_type(L, -1);
  if (type < LUA_TTABLE || is_known(copying)) return;
  luaL_checkstack(L, 12, "no room for a copy");
  switch (type) {
  case LUA_TTABLE: return copy_table(copying, holder);
  case LUA_TFUNCTION: return copy_function(copying, holder);
  case LUA_TTHREAD: return share(copying, "coroutine", holder);
  default: return share(copying, "object of the host", holder);
  }
}

/* Fills the empty table on the top from the one below it. */
static void fill_table(copying *copying) {
  lua_State *L = copying->L;
  int copy = lua_gettop(L), master = copy - 1;
  for (lua_pushnil(L); lua_next(L, master);) {
    copy_value(copying, lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : NULL);
    lua_pushvalue(L, -2);
    copy_value(copying, NULL);
    lua_insert(L, -2);
    lua_rawset(L, copy);
  }
  if (!lua_getmetatable(L, master)) return;
  if (!is_hosts(copying, master)) copy_value(copying, NULL);
  lua_setmetatable(L, copy);
}

/* Fills the cells of the function on the top from those of the function below it. */
static void fill_function(copying *copying) {
  lua_State *L = copying->L;
  int copy = lua_gettop(L), master = copy - 1;
  const char *name;
  for (int number = 1; (name = lua_getupvalue(L, master, number)); number++, lua_settop(L, copy)) {
    void *cell = lua_upvalueid(L, master, number);
    if (lua_rawgetp(L, at_memo, cell) != LUA_TNIL) continue;
    lua_pop(L, 1);
    lua_pushboolean(L, 1);
    lua_rawsetp(L, at_memo, cell);
    copy_value(copying, name);
    lua_setupvalue(L, copy, number);
  }
}

static void push_part(lua_State *L, const char *name) {
  lua_pushstring(L, name);
  lua_rawget(L, at_isolate);
}

/* copied(value, isolate): the isolate's own copy of the value and of all that it reaches. Copies that are made before the
 * isolate's `memo` is another table share what they have in common. */
int clua_copied(lua_State *L) {
  static const char *const parts[] = {"memo", "functions", "cells", "numbers", "replaced", "hosts", "environment", NULL};
  lua_settop(L, at_isolate);
  luaL_checktype(L, at_isolate, LUA_TTABLE);
  luaL_checkstack(L, 30, "no room for a copy");
  for (const char *const *part = parts; *part; part++) push_part(L, *part);
  lua_createtable(L, 16, 0);
  push_part(L, "isStrict");
  copying copying = {.L = L, .is_strict = lua_toboolean(L, -1)};
  lua_settop(L, at_last);
  lua_pushvalue(L, at_root);
  copy_value(&copying, NULL);
  for (lua_Integer done = 1; done <= copying.queued; done++) {
    clua_raise_if_stopped(L, clua_machine_of(L));
    lua_rawgeti(L, at_queue, done);
    lua_pushvalue(L, -1);
    lua_rawget(L, at_memo);
    if (lua_istable(L, -1)) {
      fill_table(&copying);
    } else {
      fill_function(&copying);
    }
    lua_settop(L, at_last + 1);
  }
  return 1;
}
