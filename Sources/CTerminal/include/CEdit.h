/* One edited line for the whole process, through libedit: its keys, motions, kill ring, vi mode and ~/.editrc, without its
 * display, so that what is drawn is ours. Keys are fed one by one, and nothing ever waits. All of it belongs to one
 * thread; a signal handler does only what a signal handler may do. */
#ifndef CEDIT_H
#define CEDIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a key asks for that is not libedit's to do. */
typedef enum __attribute__((enum_extensibility(closed))) {
  CEDIT_EDITED = 0,   /* the line is as the key left it */
  CEDIT_MORE,         /* the key is the beginning of a longer one: feed both together */
  CEDIT_ENTER,
  CEDIT_FORCE,        /* Enter, whether the input is complete or not */
  CEDIT_COMPLETE,
  CEDIT_PREVIOUS,     /* the line above, or the entry before */
  CEDIT_NEXT,
  CEDIT_OLDEST,
  CEDIT_NEWEST,
  CEDIT_SEARCH,       /* search the history backwards */
  CEDIT_LEAVE,        /* Ctrl-D with nothing to delete */
  CEDIT_CLEAR_SCREEN,
  CEDIT_UNDO,
  CEDIT_OPEN_EDITOR,  /* edit the whole input in the person's editor */
  CEDIT_LEFT_OUT,     /* to the left of the line's beginning */
  CEDIT_RIGHT_OUT,    /* to the right of its end */
  CEDIT_JOIN_BEFORE,  /* delete to the left of the beginning */
  CEDIT_JOIN_AFTER    /* delete to the right of the end */
} cedit_wish;

/* Scalars of a line at most. libedit lays every line out for a display of its own, which nobody sees; it goes astray where a
 * line is longer than that display, which is therefore made long enough for each line that may come to be. */
#define CEDIT_LONGEST 65536

/* Takes the keys of the terminal of standard input over, and remembers how it was; NULL, or why it can't. While it is open,
 * signals that end or stop the process give the terminal back first (as `cterminal_restore` does at once). A terminal that says to have more columns or rows than
 * `most` is none. */
const char *cedit_open(int most);

/* Gives it back and forgets the line. */
void cedit_close(void);

/* Gives the terminal to somebody else for a while, and takes it again. */
void cedit_pause(void);
void cedit_resume(void);

/* Whether the size has changed or the process went on after a stop, since the last call: draw everything anew. */
bool cedit_take_redraw(void);

/* Readable when there is something to read, or a signal asks for drawing. */
int cedit_descriptor(void);

/* What is there of standard input, up to `size` bytes; 0 at its end, -1 when there is nothing now. */
ptrdiff_t cedit_read(uint8_t *bytes, size_t size);

/* Writes all of it to standard output. */
void cedit_write(const uint8_t *bytes, size_t size);

/* Does what the key does, given as the Unicode scalars that the terminal sends for it. */
cedit_wish cedit_press(const int32_t *scalars, size_t count);

/* The line as Unicode scalars, valid until the next call, and the cursor in it. */
const int32_t *cedit_line(size_t *count, size_t *cursor);

/* Puts another line in its place, which is not longer than the longest; false when it is, or has line ends. */
bool cedit_replace(const int32_t *scalars, size_t count, size_t cursor);

/* Cells of the terminal; 80x24 where it does not say. */
void cedit_size(int *columns, int *rows);

#endif
