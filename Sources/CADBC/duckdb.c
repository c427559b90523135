#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "CADBC.h"

/* What duckdb.h says of these: a result is the caller's memory. */
struct result {
  uint64_t columns_count, rows_count, rows_changed;
  void *columns;
  char *message;
  void *internal;
};

struct cadbc_duckdb {
  void *database, *connection;
  int (*open)(const char *path, void **database);
  void (*close)(void **database);
  int (*connect)(void *database, void **connection);
  void (*disconnect)(void **connection);
  int (*query)(void *connection, const char *sql, struct result *result);
  const char *(*result_error)(struct result *result);
  void (*destroy_result)(struct result *result);
  int (*arrow_scan)(void *connection, const char *name, struct ArrowArrayStream *rows);
};

/* All functions, or none. */
static int find(struct cadbc_duckdb *duckdb, void *library) {
  const struct { const char *name; void *place; } wanted[] = {
      {"duckdb_open", &duckdb->open},
      {"duckdb_close", &duckdb->close},
      {"duckdb_connect", &duckdb->connect},
      {"duckdb_disconnect", &duckdb->disconnect},
      {"duckdb_query", &duckdb->query},
      {"duckdb_result_error", &duckdb->result_error},
      {"duckdb_destroy_result", &duckdb->destroy_result},
      {"duckdb_arrow_scan", &duckdb->arrow_scan},
  };
  for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
    void *found = dlsym(library, wanted[i].name);
    if (!found) return 0;
    memcpy(wanted[i].place, &found, sizeof found);
  }
  return 1;
}

cadbc_duckdb *cadbc_duckdb_open(const char *library) {
  /* Only what is loaded: the driver stays so. */
  void *loaded = dlopen(library, RTLD_NOW | RTLD_NOLOAD);
  if (!loaded) return NULL;
  cadbc_duckdb *duckdb = calloc(1, sizeof *duckdb);
  if (duckdb && find(duckdb, loaded) && duckdb->open(NULL, &duckdb->database) == 0 &&
      duckdb->connect(duckdb->database, &duckdb->connection) == 0)
    return duckdb;
  cadbc_duckdb_close(duckdb);
  return NULL;
}

void cadbc_duckdb_close(cadbc_duckdb *duckdb) {
  if (!duckdb) return;
  if (duckdb->connection) duckdb->disconnect(&duckdb->connection);
  if (duckdb->database) duckdb->close(&duckdb->database);
  free(duckdb);
}

int cadbc_duckdb_scan(cadbc_duckdb *duckdb, const char *name, struct ArrowArrayStream *rows) {
  return duckdb->arrow_scan(duckdb->connection, name, rows) == 0;
}

int cadbc_duckdb_run(cadbc_duckdb *duckdb, const char *sql, char *message, size_t size) {
  struct result result;
  memset(&result, 0, sizeof result);
  int is_done = duckdb->query(duckdb->connection, sql, &result) == 0;
  if (!is_done) {
    const char *said = duckdb->result_error(&result);
    snprintf(message, size, "%s", said ? said : "DuckDB does not say why");
  }
  duckdb->destroy_result(&result);
  return is_done;
}
