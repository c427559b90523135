/* Rows of a statement on their way into a list. */
#ifndef CSQLITE_ROWS_H
#define CSQLITE_ROWS_H

#include <CJSON.h>
#include <sqlite3.h>
#include <stddef.h>

/* How far rows were copied, and how far they may be. Sizes are bytes of JSON. */
typedef struct {
  size_t limit;       /* rows at the most */
  size_t portion;     /* no row begins behind so many bytes */
  size_t most;        /* no row may end behind so many */
  size_t most_of_row; /* no row may have more */
  size_t count;       /* rows copied */
  size_t start;       /* where the next one begins */
  int column;         /* its next column */
  int code;           /* SQLite's, where that has stopped */
} csqlite_copying;

typedef enum __attribute__((enum_extensibility(closed))) {
  CSQLITE_COPIED_ALL,          /* the statement has no more */
  CSQLITE_COPIED_PORTION,
  CSQLITE_COPIED_UP_TO_COLUMN, /* what is in the next column is a blob, infinite, or long: the caller adds it, and passes the column */
  CSQLITE_COPY_TOO_LARGE,
  CSQLITE_COPY_FAILED,         /* what is in the next column is no UTF-8, or there is no memory */
  CSQLITE_COPY_STOPPED         /* by the code */
} csqlite_copied;

/* Adds rows to a list that has the statement's columns as its keys, the first of which the statement is at. */
csqlite_copied csqlite_copy(sqlite3_stmt *statement, cjson_rows *rows, csqlite_copying *copying);

#endif
