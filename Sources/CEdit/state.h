/* What the two halves of the editor share: the line, and the terminal's modes. */
#ifndef CEDIT_STATE_H
#define CEDIT_STATE_H

#include "CEdit.h"

#include <histedit.h>

/* The editor, NULL when it is not open. */
extern EditLine *cedit_editor;

/* What the function that a key is bound to wished. */
extern cedit_wish cedit_wished;

/* Names our functions and binds the keys to them. */
void cedit_bind_keys(void);

/* Remembers the modes of the terminal; false when they can't be read. */
bool cedit_remember(void);

/* The terminal is ours from now on, or no longer; restoring does nothing then. */
void cedit_mark(bool taken);

/* What the loop waits on; false when the system has no descriptors left. */
bool cedit_open_descriptors(void);
void cedit_close_descriptors(void);

/* Installs the handlers of signals, and takes them away. */
void cedit_watch_signals(void);
void cedit_forget_signals(void);

#endif
