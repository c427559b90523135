/* Database drivers that speak ADBC, loaded when they are needed: none is linked, and without one everything else works. */
#ifndef CADBC_H
#define CADBC_H

#include "adbc.h"
#include "rows.h"

/* An error to hand to a driver, which is empty. */
static inline struct AdbcError cadbc_error(void) {
  struct AdbcError error = {.vendor_code = ADBC_ERROR_VENDOR_CODE_PRIVATE_DATA};
  return error;
}

/* How loading ended. */
typedef enum __attribute__((enum_extensibility(closed))) {
  CADBC_LOADED = 0,
  CADBC_NO_LIBRARY,  /* it can't be loaded: the linker's words */
  CADBC_NO_PYTHON,   /* Python's library, which it needs, can't be loaded: the linker's words */
  CADBC_NO_ENTRY,    /* it is no driver: the names that were looked for */
  CADBC_NOT_READY    /* the driver refuses: its own words */
} cadbc_outcome;

/* Loads the library and has it fill the table, in which no function is NULL afterwards: those that it lacks answer that they are
 * not supported. It stays loaded. `entry` is the name of the function that it exports, or NULL to look for the usual ones;
 * `python` is Python's own library for an extension module of Python, or NULL. The version of the interface is the one that the
 * driver has agreed to. The message is cut to the size. */
cadbc_outcome cadbc_load(
    const char *path, const char *entry, const char *python, struct AdbcDriver *driver, int *version, char *message,
    size_t size);

/* A DuckDB in memory, by its own interface, which reads rows that are in no table as they come. ADBC only copies such rows into a
 * table. */
typedef struct cadbc_duckdb cadbc_duckdb;

/* NULL if the library is not loaded, or lacks what this takes. */
cadbc_duckdb *cadbc_duckdb_open(const char *library);
void cadbc_duckdb_close(cadbc_duckdb *duckdb);

/* Makes a view of rows, which stay the caller's and are asked for by the first query that reads it; 0 if that fails. */
int cadbc_duckdb_scan(cadbc_duckdb *duckdb, const char *name, struct ArrowArrayStream *rows);

/* Runs SQL; 0 and why if that fails, cut to the size. */
int cadbc_duckdb_run(cadbc_duckdb *duckdb, const char *sql, char *message, size_t size);

#endif
