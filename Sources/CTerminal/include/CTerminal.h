/* One terminal for the whole process, through ncursesw: its macros and signal handlers behind functions that Swift can
 * call. All of it belongs to one thread; a signal handler does only what a signal handler may do. */
#ifndef CTERMINAL_H
#define CTERMINAL_H

#include "CEdit.h"

#include <stdbool.h>
#include <stdint.h>

/* How a run of cells looks; bits to be joined. */
#define CTERMINAL_BOLD 1
#define CTERMINAL_DIM 2
#define CTERMINAL_REVERSE 4
#define CTERMINAL_UNDERLINE 8
/* Colours: 1 red, 2 green, 3 yellow, 4 blue, 5 magenta, 6 cyan, in the bits from here on. */
#define CTERMINAL_COLOR_SHIFT 4

/* What came in. */
typedef enum __attribute__((enum_extensibility(closed))) {
  CTERMINAL_NOTHING = 0,
  CTERMINAL_CHARACTER,  /* `code` is a Unicode scalar; control characters too */
  CTERMINAL_KEY,        /* `code` is one of cterminal_key */
  CTERMINAL_WHEEL,      /* `code` is -1 for up and 1 for down */
  CTERMINAL_CLICK,      /* `code` is the row */
  CTERMINAL_RESIZED,
  CTERMINAL_CONTINUED,  /* after a stop; everything is to be drawn again */
  CTERMINAL_GONE        /* the terminal has been closed */
} cterminal_kind;

/* Keys that are no characters. */
typedef enum __attribute__((enum_extensibility(closed))) {
  CTERMINAL_UP = 1,
  CTERMINAL_DOWN,
  CTERMINAL_LEFT,
  CTERMINAL_RIGHT,
  CTERMINAL_PAGE_UP,
  CTERMINAL_PAGE_DOWN,
  CTERMINAL_HOME,
  CTERMINAL_END,
  CTERMINAL_ENTER,
  CTERMINAL_BACKSPACE,
  CTERMINAL_OTHER
} cterminal_key;

typedef struct {
  cterminal_kind kind;
  int32_t code;
} cterminal_input;

/* Takes the terminal of standard input and output over, and remembers how it was; NULL, or why it can't. While it is open,
 * signals that end or stop the process give the terminal back first. Of its columns and rows no more than `most` are used,
 * whatever it says of itself. */
const char *cterminal_open(bool has_colors, int most);

/* Gives it back. */
void cterminal_close(void);

/* Gives it back at once, be it the screen's or the line editor's; a signal handler may call it. Nothing happens when neither
 * is open. */
void cterminal_restore(void);

/* A descriptor that is readable when there is input. */
int cterminal_descriptor(void);

/* The next input, CTERMINAL_NOTHING when there is none now. */
cterminal_input cterminal_read(void);

void cterminal_size(int *columns, int *rows);

/* Whether other characters than those of ASCII can be shown. */
bool cterminal_has_unicode(void);

/* Clears a row. */
void cterminal_clear_row(int row);

/* Puts UTF-8 text into a row. */
void cterminal_put(int row, int column, const char *text, int style);

/* Sends what has changed since the last time. */
void cterminal_show(void);

/* Has everything sent again the next time. */
void cterminal_redraw(void);

/* Stops the process as Ctrl-Z does; returns when it goes on. */
void cterminal_suspend(void);

/* Colours of the terminal that TERM names; 0 for none, -1 where nothing is known of it. Not while it is open. */
int cterminal_colors(void);

/* The size of the terminal on standard output; false when that is none. */
bool cterminal_measure(int *width, int *height);

#endif
