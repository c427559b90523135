#include "CSQLite.h"

#include <limits.h>
#include <sqlite3.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Folders that databases are open in, by descriptor. */
#define MAX_FOLDERS 4096
static atomic_bool known[MAX_FOLDERS];

/* Where the system shows the descriptors of the process: what follows is looked up from the folder itself, wherever its path
 * leads by now. */
static const char prefix[] = "/proc/self/fd/";

/* The two ways to files; the second one neither makes nor deletes. Methods of theirs hand on to the system's. */
static sqlite3_vfs writing, reading, *system_files;

/* Whether it is the path of a name in a known folder. */
static bool is_within(const char *path) {
  if (!path || strncmp(path, prefix, sizeof prefix - 1) != 0) return false;
  const char *digits = path + sizeof prefix - 1;
  char *end;
  long folder = strtol(digits, &end, 10);
  if (end == digits || *end != '/' || folder < 0 || folder >= MAX_FOLDERS || !known[folder]) return false;
  const char *name = end + 1;
  return *name && !strchr(name, '/') && strcmp(name, ".") != 0 && strcmp(name, "..") != 0;
}

static bool ends_with(const char *text, const char *end) {
  size_t length = strlen(text), wanted = strlen(end);
  return length > wanted && strcmp(text + length - wanted, end) == 0;
}

static int open_file(sqlite3_vfs *vfs, const char *path, sqlite3_file *file, int flags, int *given) {
  const int beside = SQLITE_OPEN_MAIN_JOURNAL | SQLITE_OPEN_WAL;
  file->pMethods = NULL;
  /* Temporary files have no path; they and the journals of many databases at once are never needed here. */
  if (!is_within(path) || !(flags & (SQLITE_OPEN_MAIN_DB | beside))) return SQLITE_CANTOPEN;
  if (vfs == &reading && flags & beside) {
    flags &= ~(SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_EXCLUSIVE | SQLITE_OPEN_DELETEONCLOSE);
    flags |= SQLITE_OPEN_READONLY;
  }
  return system_files->xOpen(system_files, path, file, flags, given);
}

static int delete_file(sqlite3_vfs *vfs, const char *path, int syncs) {
  if (vfs == &reading || !is_within(path) || !(ends_with(path, "-journal") || ends_with(path, "-wal")))
    return SQLITE_IOERR_DELETE;
  return system_files->xDelete(system_files, path, syncs);
}

static int look_for_file(sqlite3_vfs *vfs, const char *path, int flags, int *answer) {
  (void)vfs;
  *answer = 0;
  return is_within(path) ? system_files->xAccess(system_files, path, flags, answer) : SQLITE_OK;
}

/* The path as it is: the system's own method would follow the folder's symlink to where its path leads now. */
static int full_path(sqlite3_vfs *vfs, const char *path, int room, char *full) {
  (void)vfs;
  if (!is_within(path) || snprintf(full, (size_t)room, "%s", path) >= room) return SQLITE_CANTOPEN;
  return SQLITE_OK;
}

static void *no_library(sqlite3_vfs *vfs, const char *path) {
  (void)vfs, (void)path;
  return NULL;
}

static int prepare(sqlite3_vfs *vfs, const char *name) {
  *vfs = *system_files;
  vfs->zName = name;
  vfs->pNext = NULL;
  vfs->xOpen = open_file;
  vfs->xDelete = delete_file;
  vfs->xAccess = look_for_file;
  vfs->xFullPathname = full_path;
  vfs->xDlOpen = no_library;
  return sqlite3_vfs_register(vfs, 0);
}

/* Once in a process. */
static int prepare_files(void) {
  sqlite3_mutex *mutex = sqlite3_mutex_alloc(SQLITE_MUTEX_STATIC_APP1);
  sqlite3_mutex_enter(mutex);
  int code = SQLITE_OK;
  if (!system_files) {
    system_files = sqlite3_vfs_find("unix");
    code = system_files ? prepare(&writing, "lookahead-writing") : SQLITE_ERROR;
    if (code == SQLITE_OK) code = prepare(&reading, "lookahead-reading");
    if (code != SQLITE_OK) system_files = NULL;
  }
  sqlite3_mutex_leave(mutex);
  return code;
}

static const char *vfs_of(csqlite_use use) {
  return use == CSQLITE_WRITING || use == CSQLITE_READING ? "lookahead-writing" : "lookahead-reading";
}

static const char *parameters_of(csqlite_use use) {
  switch (use) {
    case CSQLITE_READING_ONLY: return "?readonly_shm=1";
    case CSQLITE_READING_STILL: return "?immutable=1";
    case CSQLITE_WRITING:
    case CSQLITE_READING: return "";
  }
  return "";
}

int csqlite_open(int folder, const char *name, csqlite_use use, struct sqlite3 **database) {
  *database = NULL;
  int code = sqlite3_initialize();
  if (code == SQLITE_OK) code = prepare_files();
  if (code != SQLITE_OK) return code;
  if (folder < 0 || folder >= MAX_FOLDERS || strlen(name) > NAME_MAX) return SQLITE_CANTOPEN;
  char uri[64 + 3 * NAME_MAX];
  int length = snprintf(uri, 64, "file:%s%d/", prefix, folder);
  for (const char *byte = name; *byte; byte++) length += snprintf(uri + length, 4, "%%%02X", (unsigned char)*byte);
  snprintf(uri + length, sizeof uri - (size_t)length, "%s", parameters_of(use));
  int flags = use == CSQLITE_WRITING ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY;
  known[folder] = true;
  code = sqlite3_open_v2(
      uri, database, flags | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE, vfs_of(use));
  if (*database) sqlite3_extended_result_codes(*database, 1);
  return code;
}

int csqlite_open_in_memory(struct sqlite3 **database) {
  *database = NULL;
  int code = sqlite3_initialize();
  if (code == SQLITE_OK) code = prepare_files();
  if (code != SQLITE_OK) return code;
  code = sqlite3_open_v2(
      ":memory:", database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX,
      vfs_of(CSQLITE_WRITING));
  if (*database) sqlite3_extended_result_codes(*database, 1);
  return code;
}

void csqlite_close(struct sqlite3 *database, int folder) {
  sqlite3_close_v2(database);
  if (folder >= 0 && folder < MAX_FOLDERS) known[folder] = false;
}

void csqlite_refuse_quoted_texts(struct sqlite3 *database) {
  sqlite3_db_config(database, SQLITE_DBCONFIG_DQS_DDL, 0, NULL);
  sqlite3_db_config(database, SQLITE_DBCONFIG_DQS_DML, 0, NULL);
}

void csqlite_leave_log(struct sqlite3 *database) {
  sqlite3_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
}

void csqlite_harden(struct sqlite3 *database) {
  sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, NULL);
  sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_FTS3_TOKENIZER, 0, NULL);
  sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
  sqlite3_db_config(database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
  csqlite_refuse_quoted_texts(database);
  sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_FKEY, 1, NULL);
}
