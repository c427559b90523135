/* Items on their way into a table: a table that one statement reads, so that SQLite takes many rows at once and copies no value before
 * it has its place. */
#ifndef CSQLITE_FEED_H
#define CSQLITE_FEED_H

#include <sqlite3.h>
#include <stddef.h>
#include <stdint.h>

/* What a column takes. */
typedef enum __attribute__((enum_extensibility(closed))) {
  CSQLITE_ANY = 0, /* all values */
  CSQLITE_INTEGER, /* integers, and doubles, which become integers where they are ones */
  CSQLITE_REAL,    /* doubles, and integers that are doubles too */
  CSQLITE_TEXT     /* texts, lists and objects */
} csqlite_kind;

typedef struct csqlite_feed csqlite_feed;

/* A feed whose rows `next` gives: it has the feed take an item and answers 1, or 0 where no more come. Null without memory. */
csqlite_feed *csqlite_feed_new(struct sqlite3 *database, int (*next)(csqlite_feed *feed, void *context), void *context);

/* Frees it, after the statements that read it. */
void csqlite_feed_free(csqlite_feed *feed);

/* Adds a column for a member of the items, in the order in which they come mostly. `is_key` says that it is the id. 0 without memory. */
int csqlite_feed_member(csqlite_feed *feed, const char *name, size_t length, csqlite_kind kind, int is_key);

/* Makes it a table, with one more column for the id. Answers SQLite's code. */
int csqlite_feed_open(csqlite_feed *feed);

/* The name of the table; its columns are c0, c1 and so on. */
const char *csqlite_feed_name(const csqlite_feed *feed);

/* An id: a text, or a number if that is null; or none, where rows are only counted. */
typedef struct {
  const char *text;
  size_t length;
  int64_t number;
  int is_none;
} csqlite_id;

/* Takes an item as the next row if it is like most: an object whose members all have columns that take their values, and have names
 * without escapes. The item is to stay where it is until the next one is taken. 0 for another one. */
int csqlite_feed_take(csqlite_feed *feed, const char *json, size_t length, csqlite_id id);

#endif
