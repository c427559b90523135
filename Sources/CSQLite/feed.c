#include <CJSONPassing.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "CSQLite.h"

/* A member of the items. */
typedef struct {
  char *name; /* as JSON has it mostly, in quotes and with a colon behind */
  size_t length; /* of the name itself */
  csqlite_kind kind;
  int is_plain; /* whether JSON may have the name as it is */
  int is_key;
} member;

/* What a row has in a column. */
typedef struct {
  enum { NOTHING = 0, WHOLE, REAL, TEXT } kind;
  size_t length;
  union {
    int64_t whole;
    double real;
    const char *text;
  };
} cell;

struct csqlite_feed {
  struct sqlite3 *database;
  int (*next)(csqlite_feed *feed, void *context);
  void *context;
  char name[40];
  int is_open;
  member *members;
  cell *cells; /* of the row: one for each member, and the id where no member is it */
  size_t count, capacity;
  int needs_key; /* whether the id is a member */
  char *texts; /* of the row: those that were written with escapes, and then the id */
  size_t texts_count, texts_capacity;
};

typedef struct {
  sqlite3_vtab base;
  csqlite_feed *feed;
} table;

typedef struct {
  sqlite3_vtab_cursor base;
  int is_over;
  sqlite3_int64 row;
} cursor;

/* How many cells a row has. */
static size_t count_cells(const csqlite_feed *feed) { return feed->count + !feed->needs_key; }

static csqlite_feed *feed_of(sqlite3_vtab_cursor *cursor) { return ((table *)cursor->pVtab)->feed; }

static int connect_table(sqlite3 *database, void *feed, int count, const char *const *words, sqlite3_vtab **made, char **message) {
  (void)count, (void)words, (void)message;
  sqlite3_str *text = sqlite3_str_new(database);
  sqlite3_str_appendall(text, "CREATE TABLE feed (");
  for (size_t i = 0; i < count_cells(feed); i++) sqlite3_str_appendf(text, i ? ", c%d" : "c%d", (int)i);
  sqlite3_str_appendall(text, ")");
  char *declaration = sqlite3_str_finish(text);
  if (!declaration) return SQLITE_NOMEM;
  int code = sqlite3_declare_vtab(database, declaration);
  sqlite3_free(declaration);
  if (code != SQLITE_OK) return code;
  table *table = calloc(1, sizeof *table);
  if (!table) return SQLITE_NOMEM;
  table->feed = feed;
  *made = &table->base;
  /* Nothing that others have put into the file may read it. */
  return sqlite3_vtab_config(database, SQLITE_VTAB_DIRECTONLY);
}

static int disconnect_table(sqlite3_vtab *table) {
  free(table);
  return SQLITE_OK;
}

static int plan(sqlite3_vtab *table, sqlite3_index_info *plan) {
  (void)table;
  plan->estimatedCost = 1000;
  return SQLITE_OK;
}

static int open_cursor(sqlite3_vtab *table, sqlite3_vtab_cursor **made) {
  (void)table;
  cursor *cursor = calloc(1, sizeof *cursor);
  if (!cursor) return SQLITE_NOMEM;
  *made = &cursor->base;
  return SQLITE_OK;
}

static int close_cursor(sqlite3_vtab_cursor *cursor) {
  free(cursor);
  return SQLITE_OK;
}

static int advance(sqlite3_vtab_cursor *base) {
  cursor *at = (cursor *)base;
  csqlite_feed *feed = feed_of(base);
  at->row++;
  at->is_over = !feed->next(feed, feed->context);
  return SQLITE_OK;
}

static int start(sqlite3_vtab_cursor *base, int number, const char *text, int count, sqlite3_value **values) {
  (void)number, (void)text, (void)count, (void)values;
  return advance(base);
}

static int is_over(sqlite3_vtab_cursor *base) { return ((cursor *)base)->is_over; }

static int read_column(sqlite3_vtab_cursor *base, sqlite3_context *result, int column) {
  const cell *cell = &feed_of(base)->cells[column];
  switch (cell->kind) {
    case NOTHING: sqlite3_result_null(result); break;
    case WHOLE: sqlite3_result_int64(result, cell->whole); break;
    case REAL: sqlite3_result_double(result, cell->real); break;
    case TEXT: sqlite3_result_text64(result, cell->text, cell->length, SQLITE_STATIC, SQLITE_UTF8); break;
  }
  return SQLITE_OK;
}

static int read_row(sqlite3_vtab_cursor *base, sqlite3_int64 *row) {
  *row = ((cursor *)base)->row;
  return SQLITE_OK;
}

/* Without a function that makes tables: there is one, of the name of the module. */
static const sqlite3_module module = {
    .xConnect = connect_table,
    .xDisconnect = disconnect_table,
    .xBestIndex = plan,
    .xOpen = open_cursor,
    .xClose = close_cursor,
    .xFilter = start,
    .xNext = advance,
    .xEof = is_over,
    .xColumn = read_column,
    .xRowid = read_row,
};

csqlite_feed *csqlite_feed_new(struct sqlite3 *database, int (*next)(csqlite_feed *feed, void *context), void *context) {
  csqlite_feed *feed = calloc(1, sizeof *feed);
  if (!feed) return NULL;
  feed->database = database;
  feed->next = next;
  feed->context = context;
  snprintf(feed->name, sizeof feed->name, "_lookahead_feed_%zx", (size_t)feed);
  return feed;
}

void csqlite_feed_free(csqlite_feed *feed) {
  if (!feed) return;
  if (feed->is_open) sqlite3_create_module_v2(feed->database, feed->name, NULL, NULL, NULL);
  for (size_t i = 0; i < feed->count; i++) free(feed->members[i].name);
  free(feed->members);
  free(feed->cells);
  free(feed->texts);
  free(feed);
}

int csqlite_feed_member(csqlite_feed *feed, const char *name, size_t length, csqlite_kind kind, int is_key) {
  if (feed->count == feed->capacity) {
    size_t capacity = feed->capacity ? feed->capacity * 2 : 16;
    member *members = realloc(feed->members, capacity * sizeof *members);
    if (!members) return 0;
    feed->members = members;
    feed->capacity = capacity;
  }
  char *copy = malloc(length + 3);
  if (!copy) return 0;
  copy[0] = copy[length + 1] = '"';
  copy[length + 2] = ':';
  memcpy(copy + 1, name, length);
  int is_plain = 1;
  for (size_t i = 0; i < length; i++) is_plain &= (uint8_t)name[i] >= 0x20 && name[i] != '"' && name[i] != '\\';
  feed->members[feed->count++] = (member){copy, length, kind, is_plain, is_key};
  feed->needs_key |= is_key;
  return 1;
}

int csqlite_feed_open(csqlite_feed *feed) {
  feed->cells = calloc(feed->count + 1, sizeof *feed->cells);
  if (!feed->cells) return SQLITE_NOMEM;
  int code = sqlite3_create_module_v2(feed->database, feed->name, &module, feed, NULL);
  feed->is_open = code == SQLITE_OK;
  return code;
}

const char *csqlite_feed_name(const csqlite_feed *feed) { return feed->name; }

/* Room for texts of the row, which stays where it is until the next one. */
static int make_room(csqlite_feed *feed, size_t size) {
  feed->texts_count = 0;
  if (size <= feed->texts_capacity) return 1;
  char *texts = realloc(feed->texts, size * 2);
  if (!texts) return 0;
  feed->texts = texts;
  feed->texts_capacity = size * 2;
  return 1;
}

/* So many members are looked at for one. */
static const size_t most_tried = 64;

/* Passes a name and what is between it and its value, and answers its member, mostly the likely one. */
static const member *pass_name(const csqlite_feed *feed, size_t likely, cjson_scan *scan) {
  if (likely < feed->count) {
    const member *member = &feed->members[likely];
    const size_t length = member->length + 3;
    if (member->is_plain && (size_t)(scan->end - scan->at) > length && memcmp(scan->at, member->name, length) == 0) {
      scan->at += length;
      cjson_skip_space(scan);
      return member;
    }
  }
  cjson_value name;
  if (!cjson_pass(scan, '"') || !cjson_pass_text(scan, &name) || name.is_escaped) return NULL;
  cjson_skip_space(scan);
  if (!cjson_pass(scan, ':')) return NULL;
  cjson_skip_space(scan);
  size_t length = (size_t)(name.end - name.start);
  for (size_t i = 0; i < feed->count && i < most_tried; i++) {
    const member *member = &feed->members[(likely + i) % feed->count];
    if (member->length == length && memcmp(member->name + 1, name.start, length) == 0) return member;
  }
  return NULL;
}

/* Whether the value is the id, written as it is. */
static int is_id(const cjson_value *value, csqlite_id id) {
  int64_t number;
  if (id.is_none) return 0;
  if (!id.text) return cjson_integer(value, &number) && number == id.number;
  return value->kind == CJSON_TEXT && !value->is_escaped && (size_t)(value->end - value->start) == id.length &&
         memcmp(value->start, id.text, id.length) == 0;
}

static void set_text(cell *cell, const char *text, size_t length) {
  cell->kind = TEXT;
  cell->length = length;
  cell->text = text;
}

static void set_whole(cell *cell, int64_t whole) {
  cell->kind = WHOLE;
  cell->whole = whole;
}

/* Sets what a row has of a member; 0 if its column does not take that. */
static int set(csqlite_feed *feed, const member *member, const cjson_value *value, cell *cell) {
  const csqlite_kind kind = member->kind;
  size_t length = (size_t)(value->end - value->start);
  int64_t whole;
  switch (value->kind) {
    case CJSON_NULL: cell->kind = NOTHING; return 1;
    case CJSON_FALSE:
    case CJSON_TRUE:
      set_whole(cell, value->kind == CJSON_TRUE);
      return kind == CSQLITE_ANY || kind == CSQLITE_INTEGER;
    case CJSON_INTEGER:
      if (!cjson_integer(value, &whole)) return 0;
      set_whole(cell, whole);
      if (kind == CSQLITE_REAL) return whole <= (int64_t)1 << 53 && whole >= -((int64_t)1 << 53);
      return kind != CSQLITE_TEXT;
    case CJSON_REAL:
      cell->kind = REAL;
      return kind != CSQLITE_TEXT && (cjson_short_real(value, &cell->real) || cjson_exact_real(value, &cell->real));
    case CJSON_TEXT:
      if (value->is_escaped) {
        char *text = feed->texts + feed->texts_count;
        length = cjson_unescape((const char *)value->start, length, text);
        feed->texts_count += length;
        set_text(cell, text, length);
      } else {
        set_text(cell, (const char *)value->start, length);
      }
      return kind == CSQLITE_ANY || kind == CSQLITE_TEXT;
    case CJSON_ARRAY:
    case CJSON_OBJECT: set_text(cell, (const char *)value->start, length); return kind == CSQLITE_ANY || kind == CSQLITE_TEXT;
  }
  return 0;
}

/* Sets the id where no member is it. */
static void set_id(csqlite_feed *feed, csqlite_id id) {
  cell *cell = &feed->cells[feed->count];
  if (id.is_none) {
    cell->kind = NOTHING;
  } else if (!id.text) {
    set_whole(cell, id.number);
  } else {
    char *text = feed->texts + feed->texts_count;
    memcpy(text, id.text, id.length);
    set_text(cell, text, id.length);
  }
}

/* Passes an object whose members all have columns. */
static int take_members(csqlite_feed *feed, cjson_scan *scan, csqlite_id id) {
  size_t likely = 0;
  int has_key = !feed->needs_key;
  for (size_t i = 0; i < feed->count; i++) feed->cells[i].kind = NOTHING;
  cjson_skip_space(scan);
  if (!cjson_pass(scan, '{')) return 0;
  cjson_skip_space(scan);
  if (cjson_pass(scan, '}')) return has_key;
  while (1) {
    cjson_value value;
    const member *member = pass_name(feed, likely, scan);
    if (!member) return 0;
    if (!cjson_pass_value(scan, &value, 1)) return 0;
    size_t place = (size_t)(member - feed->members);
    if (member->is_key) {
      if (!is_id(&value, id)) return 0;
      if (id.text) {
        set_text(&feed->cells[place], (const char *)value.start, id.length);
      } else {
        set_whole(&feed->cells[place], id.number);
      }
      has_key = 1;
    } else if (!set(feed, member, &value, &feed->cells[place])) {
      return 0;
    }
    likely = place + 1;
    cjson_skip_space(scan);
    if (cjson_pass(scan, '}')) return has_key;
    if (!cjson_pass(scan, ',')) return 0;
    cjson_skip_space(scan);
  }
}

int csqlite_feed_take(csqlite_feed *feed, const char *json, size_t length, csqlite_id id) {
  cjson_scan scan = {(const uint8_t *)json, (const uint8_t *)json + length};
  if (!make_room(feed, length + (id.text ? id.length : 0)) || !take_members(feed, &scan, id)) return 0;
  cjson_skip_space(&scan);
  if (!feed->needs_key) set_id(feed, id);
  return scan.at == scan.end;
}
