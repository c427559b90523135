/* What the parts of this target share. */
#ifndef CTERMINAL_STATE_H
#define CTERMINAL_STATE_H

#include "CTerminal.h"

/* Why the terminal's type is of no use here; NULL when it is. */
const char *cterminal_refusal(void);

/* Remembers the terminal's modes and how to give it back; before anything is changed. */
bool cterminal_remember(void);

/* Learns from terminfo what gives the screen back; after the terminal is known. */
void cterminal_learn(void);

/* Says whether the terminal is to be given back. */
void cterminal_mark(bool taken);

/* Watches signals; what comes is written as a byte into the pipe. */
bool cterminal_watch_signals(int writing);
void cterminal_forget_signals(void);

#endif
