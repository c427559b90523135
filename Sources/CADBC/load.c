#include "CADBC.h"

#include <ctype.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void release_error(struct AdbcError *error) {
  free(error->message);
  error->message = NULL;
  error->release = NULL;
}

/* What a function that the driver lacks answers. */
static AdbcStatusCode unsupported(const char *function, struct AdbcError *error) {
  if (!error) return ADBC_STATUS_NOT_IMPLEMENTED;
  if (error->release) error->release(error);
  size_t size = strlen(function) + 64;
  error->message = malloc(size);
  if (error->message) snprintf(error->message, size, "%s is not supported by this driver", function);
  memcpy(error->sqlstate, "\0\0\0\0", sizeof error->sqlstate);
  error->release = release_error;
  return ADBC_STATUS_NOT_IMPLEMENTED;
}

/* One for each function: it has to have the arguments of the one that it stands for. */
#define PICK(_1, _2, _3, _4, _5, _6, _7, _8, name, ...) name
#define NAMED_1(a) a a1
#define NAMED_2(a, b) NAMED_1(a), b a2
#define NAMED_3(a, b, c) NAMED_2(a, b), c a3
#define NAMED_4(a, b, c, d) NAMED_3(a, b, c), d a4
#define NAMED_5(a, b, c, d, e) NAMED_4(a, b, c, d), e a5
#define NAMED_6(a, b, c, d, e, f) NAMED_5(a, b, c, d, e), f a6
#define NAMED_7(a, b, c, d, e, f, g) NAMED_6(a, b, c, d, e, f), g a7
#define NAMED_8(a, b, c, d, e, f, g, h) NAMED_7(a, b, c, d, e, f, g), h a8
#define NAMED(...) \
  PICK(__VA_ARGS__, NAMED_8, NAMED_7, NAMED_6, NAMED_5, NAMED_4, NAMED_3, NAMED_2, NAMED_1, )(__VA_ARGS__)
#define MISSING(name, ...) \
  static AdbcStatusCode missing_##name(NAMED(__VA_ARGS__), struct AdbcError *error) { return unsupported(#name, error); }

#pragma clang diagnostic ignored "-Wunused-parameter"
CADBC_FUNCTIONS_1_0_0(MISSING)
CADBC_FUNCTIONS_1_1_0(MISSING)

static int no_details(const struct AdbcError *error) { return 0; }

static struct AdbcErrorDetail no_detail(const struct AdbcError *error, int index) {
  return (struct AdbcErrorDetail){NULL, NULL, 0};
}

static const struct AdbcError *no_error(struct ArrowArrayStream *stream, AdbcStatusCode *status) { return NULL; }

#define FILL(name, ...) \
  if (!driver->name) driver->name = missing_##name;
#define CLEAR(name, ...) driver->name = NULL;

/* A driver of 1.0.0 may have left anything in the members that are newer. */
static void complete(struct AdbcDriver *driver, int version) {
  if (version < ADBC_VERSION_1_1_0) {
    driver->ErrorGetDetailCount = NULL;
    driver->ErrorGetDetail = NULL;
    driver->ErrorFromArrayStream = NULL;
    CADBC_FUNCTIONS_1_1_0(CLEAR)
  }
  CADBC_FUNCTIONS_1_0_0(FILL)
  CADBC_FUNCTIONS_1_1_0(FILL)
  if (!driver->ErrorGetDetailCount) driver->ErrorGetDetailCount = no_details;
  if (!driver->ErrorGetDetail) driver->ErrorGetDetail = no_detail;
  if (!driver->ErrorFromArrayStream) driver->ErrorFromArrayStream = no_error;
}

/* Has the driver fill the table for a version. */
static AdbcStatusCode initialize(
    AdbcDriverInitFunc init, int version, struct AdbcDriver *driver, char *message, size_t size) {
  struct AdbcError error = cadbc_error();
  memset(driver, 0, sizeof *driver);
  AdbcStatusCode status = init(version, driver, &error);
  if (status != ADBC_STATUS_OK)
    snprintf(message, size, "%s", error.message ? error.message : "the driver does not say why");
  if (error.release) error.release(&error);
  return status;
}

/* The name by the driver managers' rule: libadbc_driver_flight_sql.so has AdbcDriverFlightSqlInit, and others leave `driver` out. */
static void name_entry(const char *path, const char *prefix, char *name, size_t size) {
  const char *file = strrchr(path, '/');
  file = file ? file + 1 : path;
  if (strncmp(file, "lib", 3) == 0) file += 3;
  if (strncmp(file, "adbc_driver_", 12) == 0) file += 12;
  size_t length = snprintf(name, size, "%s", prefix);
  int starts = 1;
  for (; *file && *file != '.' && length + 5 < size; file++) {
    if (!isalnum((unsigned char)*file)) {
      starts = 1;
      continue;
    }
    name[length++] = starts ? (char)toupper((unsigned char)*file) : *file;
    starts = 0;
  }
  memcpy(name + length, "Init", 5);
}

static AdbcDriverInitFunc find_entry(void *library, const char *path, const char *entry, char *message, size_t size) {
  if (entry) {
    AdbcDriverInitFunc found = (AdbcDriverInitFunc)dlsym(library, entry);
    if (!found) snprintf(message, size, "it exports no %s", entry);
    return found;
  }
  char with_driver[128], without_driver[128];
  name_entry(path, "AdbcDriver", with_driver, sizeof with_driver);
  name_entry(path, "Adbc", without_driver, sizeof without_driver);
  const char *names[] = {with_driver, without_driver, "duckdb_adbc_init", "AdbcDriverInit"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    AdbcDriverInitFunc found = (AdbcDriverInitFunc)dlsym(library, names[i]);
    if (found) return found;
  }
  snprintf(message, size, "it exports none of %s, %s, %s, %s", names[0], names[1], names[2], names[3]);
  return NULL;
}

cadbc_outcome cadbc_load(
    const char *path, const char *entry, const char *python, struct AdbcDriver *driver, int *version, char *message,
    size_t size) {
  /* Its names have to be there for the module, which is not linked to it: an interpreter is the program otherwise. */
  if (python && !dlopen(python, RTLD_NOW | RTLD_GLOBAL)) {
    snprintf(message, size, "%s", dlerror());
    return CADBC_NO_PYTHON;
  }
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    snprintf(message, size, "%s", dlerror());
    return CADBC_NO_LIBRARY;
  }
  AdbcDriverInitFunc init = find_entry(library, path, entry, message, size);
  if (!init) {
    dlclose(library);
    return CADBC_NO_ENTRY;
  }
  /* Never unloaded from here on: drivers may have started threads. */
  static const int versions[] = {ADBC_VERSION_1_1_0, ADBC_VERSION_1_0_0};
  for (size_t i = 0; i < sizeof versions / sizeof *versions; i++) {
    if (initialize(init, versions[i], driver, message, size) == ADBC_STATUS_OK) {
      *version = versions[i];
      complete(driver, versions[i]);
      return CADBC_LOADED;
    }
  }
  return CADBC_NOT_READY;
}
