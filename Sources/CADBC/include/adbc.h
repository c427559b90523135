/* The published binary interface of Arrow database drivers, as far as it is needed to call them: facts, written down in our words.
 *
 * Source: the Arrow C data interface and C stream interface (https://arrow.apache.org/docs/format/CDataInterface.html) and ADBC
 * 1.1.0 (https://arrow.apache.org/adbc/current/format/specification.html; the header adbc.h of apache/arrow-adbc). The order and
 * the types of all members are the interface, and never change; what an option or a status means is there too.
 *
 * What is passed on is owned by the one that it was passed to, until `release` is called, which sets itself to NULL. */
#ifndef CADBC_ADBC_H
#define CADBC_ADBC_H

#include <stddef.h>
#include <stdint.h>

/* Arrow: columns in memory. */

#define ARROW_FLAG_DICTIONARY_ORDERED 1
#define ARROW_FLAG_NULLABLE 2
#define ARROW_FLAG_MAP_KEYS_SORTED 4

/* The type of a column, its name, and those of the columns in it. */
struct ArrowSchema {
  const char *format;    /* the type, as "l" for 64-bit integers */
  const char *name;
  const char *metadata;  /* pairs with binary lengths, or NULL */
  int64_t flags;
  int64_t n_children;
  struct ArrowSchema **children;
  struct ArrowSchema *dictionary;
  void (*release)(struct ArrowSchema *);
  void *private_data;
};

/* The values of a column. */
struct ArrowArray {
  int64_t length;
  int64_t null_count;  /* -1: not counted */
  int64_t offset;      /* values before the first in the buffers */
  int64_t n_buffers;
  int64_t n_children;
  const void **buffers;
  struct ArrowArray **children;
  struct ArrowArray *dictionary;
  void (*release)(struct ArrowArray *);
  void *private_data;
};

/* Arrays of one type, one after another; the functions answer 0 or an errno. */
struct ArrowArrayStream {
  int (*get_schema)(struct ArrowArrayStream *, struct ArrowSchema *out);
  int (*get_next)(struct ArrowArrayStream *, struct ArrowArray *out);  /* at the end, one that is released */
  const char *(*get_last_error)(struct ArrowArrayStream *);            /* valid until the next call, or NULL */
  void (*release)(struct ArrowArrayStream *);
  void *private_data;
};

/* ADBC: calls on databases. */

typedef uint8_t AdbcStatusCode;

#define ADBC_STATUS_OK 0
#define ADBC_STATUS_UNKNOWN 1
#define ADBC_STATUS_NOT_IMPLEMENTED 2
#define ADBC_STATUS_NOT_FOUND 3
#define ADBC_STATUS_ALREADY_EXISTS 4
#define ADBC_STATUS_INVALID_ARGUMENT 5
#define ADBC_STATUS_INVALID_STATE 6
#define ADBC_STATUS_INVALID_DATA 7
#define ADBC_STATUS_INTEGRITY 8
#define ADBC_STATUS_INTERNAL 9
#define ADBC_STATUS_IO 10
#define ADBC_STATUS_CANCELLED 11
#define ADBC_STATUS_TIMEOUT 12
#define ADBC_STATUS_UNAUTHENTICATED 13
#define ADBC_STATUS_UNAUTHORIZED 14

/* In an error that is handed in: it has the members of 1.1.0. */
#define ADBC_ERROR_VENDOR_CODE_PRIVATE_DATA INT32_MIN

#define ADBC_VERSION_1_0_0 1000000
#define ADBC_VERSION_1_1_0 1001000

#define ADBC_OPTION_VALUE_ENABLED "true"
#define ADBC_OPTION_VALUE_DISABLED "false"

/* Of databases. */
#define ADBC_OPTION_URI "uri"
#define ADBC_OPTION_USERNAME "username"
#define ADBC_OPTION_PASSWORD "password"

/* Of connections. */
#define ADBC_CONNECTION_OPTION_AUTOCOMMIT "adbc.connection.autocommit"
#define ADBC_CONNECTION_OPTION_READ_ONLY "adbc.connection.readonly"
#define ADBC_CONNECTION_OPTION_CURRENT_CATALOG "adbc.connection.catalog"
#define ADBC_CONNECTION_OPTION_CURRENT_DB_SCHEMA "adbc.connection.db_schema"

/* Of statements that take rows in. */
#define ADBC_INGEST_OPTION_TARGET_TABLE "adbc.ingest.target_table"
#define ADBC_INGEST_OPTION_TARGET_CATALOG "adbc.ingest.target_catalog"
#define ADBC_INGEST_OPTION_TARGET_DB_SCHEMA "adbc.ingest.target_db_schema"
#define ADBC_INGEST_OPTION_TEMPORARY "adbc.ingest.temporary"
#define ADBC_INGEST_OPTION_MODE "adbc.ingest.mode"
#define ADBC_INGEST_OPTION_MODE_CREATE "adbc.ingest.mode.create"
#define ADBC_INGEST_OPTION_MODE_APPEND "adbc.ingest.mode.append"
#define ADBC_INGEST_OPTION_MODE_REPLACE "adbc.ingest.mode.replace"
#define ADBC_INGEST_OPTION_MODE_CREATE_APPEND "adbc.ingest.mode.create_append"

/* What a connection tells about its driver and its server. */
#define ADBC_INFO_VENDOR_NAME 0
#define ADBC_INFO_VENDOR_VERSION 1
#define ADBC_INFO_DRIVER_NAME 100
#define ADBC_INFO_DRIVER_VERSION 101

struct AdbcDriver;

struct AdbcError {
  char *message;
  int32_t vendor_code;
  char sqlstate[5];
  void (*release)(struct AdbcError *error);
  void *private_data;                 /* since 1.1.0 */
  struct AdbcDriver *private_driver;  /* since 1.1.0 */
};

struct AdbcErrorDetail {
  const char *key;
  const uint8_t *value;
  size_t value_length;
};

struct AdbcDatabase {
  void *private_data;
  struct AdbcDriver *private_driver;
};

struct AdbcConnection {
  void *private_data;
  struct AdbcDriver *private_driver;
};

struct AdbcStatement {
  void *private_data;
  struct AdbcDriver *private_driver;
};

struct AdbcPartitions {
  size_t num_partitions;
  const uint8_t **partitions;
  const size_t *partition_lengths;
  void *private_data;
  void (*release)(struct AdbcPartitions *partitions);
};

/* The functions of a driver. Most end in an error to be filled; `Arguments` are those before it. */
#define CADBC_FUNCTIONS_1_0_0(one) \
  one(DatabaseInit, struct AdbcDatabase *) \
  one(DatabaseNew, struct AdbcDatabase *) \
  one(DatabaseSetOption, struct AdbcDatabase *, const char *, const char *) \
  one(DatabaseRelease, struct AdbcDatabase *) \
  one(ConnectionCommit, struct AdbcConnection *) \
  one(ConnectionGetInfo, struct AdbcConnection *, const uint32_t *, size_t, struct ArrowArrayStream *) \
  one(ConnectionGetObjects, struct AdbcConnection *, int, const char *, const char *, const char *, const char **, \
      const char *, struct ArrowArrayStream *) \
  one(ConnectionGetTableSchema, struct AdbcConnection *, const char *, const char *, const char *, struct ArrowSchema *) \
  one(ConnectionGetTableTypes, struct AdbcConnection *, struct ArrowArrayStream *) \
  one(ConnectionInit, struct AdbcConnection *, struct AdbcDatabase *) \
  one(ConnectionNew, struct AdbcConnection *) \
  one(ConnectionSetOption, struct AdbcConnection *, const char *, const char *) \
  one(ConnectionReadPartition, struct AdbcConnection *, const uint8_t *, size_t, struct ArrowArrayStream *) \
  one(ConnectionRelease, struct AdbcConnection *) \
  one(ConnectionRollback, struct AdbcConnection *) \
  one(StatementBind, struct AdbcStatement *, struct ArrowArray *, struct ArrowSchema *) \
  one(StatementBindStream, struct AdbcStatement *, struct ArrowArrayStream *) \
  one(StatementExecuteQuery, struct AdbcStatement *, struct ArrowArrayStream *, int64_t *) \
  one(StatementExecutePartitions, struct AdbcStatement *, struct ArrowSchema *, struct AdbcPartitions *, int64_t *) \
  one(StatementGetParameterSchema, struct AdbcStatement *, struct ArrowSchema *) \
  one(StatementNew, struct AdbcConnection *, struct AdbcStatement *) \
  one(StatementPrepare, struct AdbcStatement *) \
  one(StatementRelease, struct AdbcStatement *) \
  one(StatementSetOption, struct AdbcStatement *, const char *, const char *) \
  one(StatementSetSqlQuery, struct AdbcStatement *, const char *) \
  one(StatementSetSubstraitPlan, struct AdbcStatement *, const uint8_t *, size_t)

#define CADBC_OPTION_GETTERS(one, kind) \
  one(kind##GetOption, struct Adbc##kind *, const char *, char *, size_t *) \
  one(kind##GetOptionBytes, struct Adbc##kind *, const char *, uint8_t *, size_t *) \
  one(kind##GetOptionDouble, struct Adbc##kind *, const char *, double *) \
  one(kind##GetOptionInt, struct Adbc##kind *, const char *, int64_t *)

#define CADBC_OPTION_SETTERS(one, kind) \
  one(kind##SetOptionBytes, struct Adbc##kind *, const char *, const uint8_t *, size_t) \
  one(kind##SetOptionDouble, struct Adbc##kind *, const char *, double) \
  one(kind##SetOptionInt, struct Adbc##kind *, const char *, int64_t)

#define CADBC_FUNCTIONS_1_1_0(one) \
  CADBC_OPTION_GETTERS(one, Database) \
  CADBC_OPTION_SETTERS(one, Database) \
  one(ConnectionCancel, struct AdbcConnection *) \
  CADBC_OPTION_GETTERS(one, Connection) \
  one(ConnectionGetStatistics, struct AdbcConnection *, const char *, const char *, const char *, char, \
      struct ArrowArrayStream *) \
  one(ConnectionGetStatisticNames, struct AdbcConnection *, struct ArrowArrayStream *) \
  CADBC_OPTION_SETTERS(one, Connection) \
  one(StatementCancel, struct AdbcStatement *) \
  one(StatementExecuteSchema, struct AdbcStatement *, struct ArrowSchema *) \
  CADBC_OPTION_GETTERS(one, Statement) \
  CADBC_OPTION_SETTERS(one, Statement)

#define CADBC_MEMBER(name, ...) AdbcStatusCode (*name)(__VA_ARGS__, struct AdbcError *);

struct AdbcDriver {
  void *private_data;
  void *private_manager;
  AdbcStatusCode (*release)(struct AdbcDriver *, struct AdbcError *);
  CADBC_FUNCTIONS_1_0_0(CADBC_MEMBER)
  /* Since 1.1.0. */
  int (*ErrorGetDetailCount)(const struct AdbcError *);
  struct AdbcErrorDetail (*ErrorGetDetail)(const struct AdbcError *, int index);
  const struct AdbcError *(*ErrorFromArrayStream)(struct ArrowArrayStream *, AdbcStatusCode *);
  CADBC_FUNCTIONS_1_1_0(CADBC_MEMBER)
};

/* The one function that a driver exports: fills the table for the version of the interface. */
typedef AdbcStatusCode (*AdbcDriverInitFunc)(int version, void *driver, struct AdbcError *error);

#endif
