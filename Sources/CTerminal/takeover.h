/* One terminal, taken over by the screen or by the line editor: how it was before, what wakes the loop that owns it, and
 * the signals before which it is given back. */
#ifndef CTERMINAL_TAKEOVER_H
#define CTERMINAL_TAKEOVER_H

#include "CTerminal.h"

#include <stddef.h>

/* What a part does on signals that are neither fatal nor the terminal's size; signal handlers call these. */
struct takeover_reactions {
  void (*stopped)(void);
  void (*continued)(void);
  /* Whether SIGTERM is fatal; otherwise it is left to whoever handles it. */
  bool dies_at_term;
};

/* Remembers the modes of the terminal; false when they can't be read. Forgets an earlier farewell. */
bool takeover_remember(void);

/* Adds to the bytes that are written when the terminal is given back. */
void takeover_add_farewell(const char *bytes, size_t count);

/* Whether the terminal is to be given back from now on; restoring does nothing otherwise. */
void takeover_mark(bool taken);

/* What the loop waits on, standard input and the signals; false when there are no descriptors left. */
bool takeover_open_descriptors(void);
void takeover_close_descriptors(void);
int takeover_descriptor(void);
extern const char takeover_no_descriptors[];

/* Wakes the loop with a byte; a signal handler may call it. */
void takeover_wake(char byte);

/* The next byte that woke the loop; 0 when there is none. */
char takeover_woken(void);

/* Installs the handlers of signals, and takes them away. A change of the size wakes with `w`. */
void takeover_watch_signals(const struct takeover_reactions *reactions);
void takeover_forget_signals(void);

#endif
