#include "CSQLite.h"

/* Texts longer than this may not fit, escaped. */
static const int longest_text = 4096;

/* Adds what the statement has in a column and answers 1, or 0 where that is not plain. `is_added` says whether it could be added: there
 * was memory, and a text is UTF-8. */
static int add_plain(sqlite3_stmt *statement, int column, cjson_rows *rows, int *is_added) {
  /* Asked of the value and not of its column, each of these takes no lock; nobody else uses the connection meanwhile. */
  sqlite3_value *value = sqlite3_column_value(statement, column);
  const char *wrong;
  switch (sqlite3_value_type(value)) {
    case SQLITE_INTEGER: *is_added = cjson_rows_integer(rows, sqlite3_value_int64(value)); return 1;
    case SQLITE_NULL: *is_added = cjson_rows_null(rows); return 1;
    case SQLITE_FLOAT: {
      double real = sqlite3_value_double(value);
      /* Infinities are not; there are no others that are no number. */
      if (real - real != 0) return 0;
      *is_added = cjson_rows_real(rows, real);
      return 1;
    }
    case SQLITE_TEXT: {
      const char *text = (const char *)sqlite3_value_text(value);
      int length = sqlite3_value_bytes(value);
      if (!text || length >= longest_text) return 0;
      *is_added = cjson_rows_text(rows, text, (size_t)length, &wrong);
      return 1;
    }
    default: return 0;
  }
}

csqlite_copied csqlite_copy(sqlite3_stmt *statement, cjson_rows *rows, csqlite_copying *copying) {
  const int columns = sqlite3_column_count(statement);
  while (1) {
    for (; copying->column < columns; copying->column++) {
      int is_added;
      if (!add_plain(statement, copying->column, rows, &is_added)) return CSQLITE_COPIED_UP_TO_COLUMN;
      if (!is_added) return CSQLITE_COPY_FAILED;
    }
    size_t length;
    cjson_rows_json(rows, &length);
    if (length > copying->most || length - copying->start > copying->most_of_row) return CSQLITE_COPY_TOO_LARGE;
    copying->start = length;
    copying->column = 0;
    copying->count++;
    if (copying->count == copying->limit || length > copying->portion) return CSQLITE_COPIED_PORTION;
    int code = sqlite3_step(statement);
    if (code == SQLITE_DONE) return CSQLITE_COPIED_ALL;
    if (code != SQLITE_ROW) {
      copying->code = code;
      return CSQLITE_COPY_STOPPED;
    }
  }
}
