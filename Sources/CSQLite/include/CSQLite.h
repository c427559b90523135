/* SQLite as scripts may have it: databases that are opened below a folder which is open already, and never lead anywhere else.
 *
 * SQLite opens by path, follows symlinks on the way, and takes names of files out of files: a journal that somebody left beside
 * a database may name another one, which SQLite then looks for, reads and deletes. The way to files used here (a VFS) knows the
 * open folders, the database and its own files beside it, and no other name. */
#ifndef CSQLITE_H
#define CSQLITE_H

#include <sqlite3.h>

#include "feed.h"
#include "rows.h"

/* What may become of a database and the files beside it. */
typedef enum __attribute__((enum_extensibility(closed))) {
  CSQLITE_WRITING,       /* it is made where it is missing, and written */
  CSQLITE_READING,       /* it is read; SQLite may make the files beside it that it needs for that */
  CSQLITE_READING_ONLY,  /* it is read, and nothing is made or written */
  CSQLITE_READING_STILL  /* as before, and nobody else writes it meanwhile: the caller has to see to that */
} csqlite_use;

/* Opens the file of that name in the folder, which must stay open until the connection is closed. Answers SQLite's code. */
int csqlite_open(int folder, const char *name, csqlite_use use, struct sqlite3 **database);
/* Opens a database that is in no file. */
int csqlite_open_in_memory(struct sqlite3 **database);
/* Closes a connection, and forgets the folder that it was opened in (-1 is none). */
void csqlite_close(struct sqlite3 *database, int folder);

/* Takes a name in double quotes that nothing has for what it is, a mistake, and not for a text. */
void csqlite_refuse_quoted_texts(struct sqlite3 *database);

/* Leaves what is in the log there when the connection is closed: for a database of which nothing is kept. */
void csqlite_leave_log(struct sqlite3 *database);

/* Shuts what SQLite offers to code that is trusted: extensions, tokenizers by address, writing the schema and the tables behind
 * virtual tables, strings in double quotes; foreign keys are kept. */
void csqlite_harden(struct sqlite3 *database);

#endif
