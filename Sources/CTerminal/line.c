/* The line itself, which libedit edits without drawing it. */
#define _GNU_SOURCE
#include "line.h"
#include "takeover.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>
#include <wchar.h>

static EditLine *editor;

static FILE *nowhere;
/* The scalars of the key that is fed, and whether libedit asked for more of them. */
static const int32_t *fed;
static size_t fed_count, fed_next;
static bool is_short;

/* libedit's own reading waits; this one only takes what was fed. */
static int take(EditLine *line, wchar_t *scalar) {
  (void)line;
  if (fed_next == fed_count) {
    is_short = true;
    errno = 0;
    return 0;
  }
  *scalar = (wchar_t)fed[fed_next++];
  return 1;
}

static char *no_prompt(EditLine *line) {
  (void)line;
  static char empty[] = "";
  return empty;
}

/* What libedit draws is written nowhere, without asking the system for it letter by letter. */
static ssize_t swallow(void *cookie, const char *bytes, size_t size) {
  (void)cookie, (void)bytes;
  return (ssize_t)size;
}

/* Pasted text comes between marks, so that it can be told from typed text. */
static const char marks_on[] = "\033[?2004h";
static const char farewell[] = "\033[?2004l\033[0m";

/* The terminal's modes while it is edited on. */
static struct termios ours;

static void begin(void) {
  tcgetattr(STDIN_FILENO, &ours);
  cedit_write((const uint8_t *)marks_on, sizeof marks_on - 1);
  takeover_mark(true);
}

/* The terminal is given back before the process stops, and taken again when it goes on. */
static void stopped(void) {
  cterminal_restore();
  raise(SIGSTOP);
}

static void continued(void) {
  int error = errno;
  tcsetattr(STDIN_FILENO, TCSANOW, &ours);
  if (write(STDOUT_FILENO, marks_on, sizeof marks_on - 1) < 0) { /* nobody is there to see it */ }
  takeover_mark(true);
  takeover_wake('c');
  errno = error;
}

static bool is_believed(int most) {
  struct winsize size;
  return ioctl(STDIN_FILENO, TIOCGWINSZ, &size) != 0 || (size.ws_col <= most && size.ws_row <= most);
}

/* A row is as long as can be, so that hardly a line is broken; and there are rows for a line that one key can make at most:
 * the longest, or a million letters (libedit's highest count), each of which is shown as eight (`\U+10ffff`). Memory that no
 * line touches is not taken. False where libedit does not let it be set. */
static bool widen_display(void) {
  static const char columns[] = "65528", rows[] = "160";
  int width = 0, height = 0;
  el_set(editor, EL_SETTC, "co", columns, NULL);
  el_set(editor, EL_SETTC, "li", rows, NULL);
  return el_get(editor, EL_GETTC, "co", &width) == 0 && el_get(editor, EL_GETTC, "li", &height) == 0 &&
         width == atoi(columns) && height == atoi(rows);
}

static const char *give_up(const char *reason) {
  el_set(editor, EL_UNBUFFERED, 0);
  el_end(editor);
  editor = NULL;
  fclose(nowhere);
  takeover_close_descriptors();
  return reason;
}

const char *cedit_open(int most) {
  if (editor != NULL) return "it is open already";
  if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO)) return "standard input and output are no terminal";
  if (!is_believed(most)) return "the terminal says that it has more cells than any";
  if (!takeover_remember()) return "the terminal's modes can't be read";
  takeover_add_farewell(farewell, sizeof farewell - 1);
  if (!takeover_open_descriptors()) return takeover_no_descriptors;
  cookie_io_functions_t swallowing = {.write = swallow};
  nowhere = fopencookie(NULL, "w", swallowing);
  if (nowhere == NULL) {
    takeover_close_descriptors();
    return takeover_no_descriptors;
  }
  /* What libedit would draw goes nowhere; its descriptors are those of the terminal, so that it sets the modes. */
  editor = el_init_fd("lookahead", stdin, nowhere, nowhere, STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO);
  if (editor == NULL) {
    fclose(nowhere);
    takeover_close_descriptors();
    return "the terminal can't be prepared";
  }
  el_set(editor, EL_SIGNAL, 0);
  el_set(editor, EL_PROMPT, no_prompt);
  el_set(editor, EL_GETCFN, take);
  el_set(editor, EL_EDITOR, "emacs");
  cedit_bind_keys(editor);
  el_source(editor, NULL);
  el_set(editor, EL_UNBUFFERED, 1);
  /* From here on libedit asks for the size no more. */
  if (!widen_display()) return give_up("libedit can't be told how long its lines may be");
  begin();
  takeover_watch_signals(
      &(struct takeover_reactions){.stopped = stopped, .continued = continued, .dies_at_term = true});
  return NULL;
}

void cedit_close(void) {
  if (editor == NULL) return;
  takeover_forget_signals();
  el_set(editor, EL_UNBUFFERED, 0);
  el_end(editor);
  editor = NULL;
  fclose(nowhere);
  cterminal_restore();
  takeover_close_descriptors();
}

void cedit_pause(void) {
  if (editor == NULL) return;
  el_set(editor, EL_PREP_TERM, 0);
  cterminal_restore();
}

void cedit_resume(void) {
  if (editor == NULL) return;
  el_set(editor, EL_PREP_TERM, 1);
  begin();
}

const int32_t *cedit_line(size_t *count, size_t *cursor) {
  const LineInfoW *line = el_wline(editor);
  *count = (size_t)(line->lastchar - line->buffer);
  *cursor = (size_t)(line->cursor - line->buffer);
  return (const int32_t *)line->buffer;
}

static bool fits(const int32_t *scalars, size_t count) {
  if (count > CEDIT_LONGEST) return false;
  for (size_t index = 0; index < count; index++) {
    if (scalars[index] == L'\n' || scalars[index] == 0) return false;
  }
  return true;
}

bool cedit_replace(const int32_t *scalars, size_t count, size_t cursor) {
  if (!fits(scalars, count)) return false;
  wchar_t *text = calloc(count + 1, sizeof *text);
  if (text == NULL) return false;
  memcpy(text, scalars, count * sizeof *text);
  size_t before, place;
  cedit_line(&before, &place);
  el_cursor(editor, (int)(before - place));
  el_wdeletestr(editor, (int)before);
  if (count > 0) el_winsertstr(editor, text);
  free(text);
  if (cursor < count) el_cursor(editor, (int)cursor - (int)count);
  /* Its display has to know, or it would go on behind the line that was. */
  el_set(editor, EL_REFRESH);
  return true;
}

/* A command that ran out of keys has already acted on their lack, and one that was told to act a million times has made a line
 * that is too long; the line is put back to how it was. */
cedit_wish cedit_press(const int32_t *scalars, size_t count) {
  size_t length, cursor;
  const int32_t *line = cedit_line(&length, &cursor);
  int32_t *kept = malloc((length + 1) * sizeof *kept);
  if (kept == NULL) return CEDIT_EDITED;
  memcpy(kept, line, length * sizeof *kept);
  fed = scalars;
  fed_count = count;
  fed_next = 0;
  is_short = false;
  cedit_wished = CEDIT_EDITED;
  while (fed_next < fed_count && !is_short) {
    int read = 0;
    el_wgets(editor, &read);
  }
  size_t now, place;
  const int32_t *edited = cedit_line(&now, &place);
  if (is_short || !fits(edited, now)) {
    cedit_replace(kept, length, cursor);
    cedit_wished = is_short ? CEDIT_MORE : CEDIT_EDITED;
  }
  free(kept);
  return cedit_wished;
}

int cedit_descriptor(void) { return takeover_descriptor(); }

bool cedit_take_redraw(void) {
  bool is_stale = false;
  while (takeover_woken() != 0) is_stale = true;
  return is_stale;
}

ptrdiff_t cedit_read(uint8_t *bytes, size_t size) {
  struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
  if (poll(&input, 1, 0) <= 0) return -1;
  ssize_t count = read(STDIN_FILENO, bytes, size);
  if (count < 0) return errno == EINTR || errno == EAGAIN ? -1 : 0;
  return count;
}

void cedit_write(const uint8_t *bytes, size_t size) {
  while (size > 0) {
    ssize_t count = write(STDOUT_FILENO, bytes, size);
    if (count < 0 && errno == EAGAIN) {
      struct pollfd output = {.fd = STDOUT_FILENO, .events = POLLOUT};
      poll(&output, 1, 1000);
      continue;
    }
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return;
    bytes += count;
    size -= (size_t)count;
  }
}

void cedit_size(int *columns, int *rows) {
  struct winsize size;
  bool is_known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 && size.ws_row > 0;
  *columns = is_known ? size.ws_col : 80;
  *rows = is_known ? size.ws_row : 24;
}
