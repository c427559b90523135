/* The screen and the keys, through ncursesw. */
#define _GNU_SOURCE
#define NCURSES_WIDECHAR 1
#include "describe.h"
#include "takeover.h"

#include <curses.h>
#include <langinfo.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static SCREEN *screen;
/* Reading from a pad draws nothing, unlike reading from the screen's own window. */
static WINDOW *keys;
static bool has_colors_now;
/* Columns and rows that are believed. */
static int most_cells = 1;

/* The loop stops the process when it comes to it, for only there ncurses can give the terminal back and take it again. */
static void stopped(void) { takeover_wake('z'); }

static void continued(void) { takeover_wake('c'); }

static void prepare_colors(void) {
  if (!has_colors_now) return;
  start_color();
  use_default_colors();
  for (short color = 1; color <= 6; color++) init_pair(color, color, -1);
}

static int believed(int count, int otherwise) {
  if (count <= 0) count = otherwise > 0 ? otherwise : 1;
  return count < most_cells ? count : most_cells;
}

/* The only place where the size is asked for: ncurses does not look, neither at the terminal nor at LINES and COLUMNS. */
static void take_size(void) {
  struct winsize size = {0};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0) size.ws_row = size.ws_col = 0;
  /* Unlike resizeterm, it does not tell of the change as of a key. */
  resize_term(believed(size.ws_row, tigetnum("lines")), believed(size.ws_col, tigetnum("cols")));
  clearok(curscr, TRUE);
}

const char *cterminal_open(bool has_color, int most) {
  most_cells = most;
  if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO)) return "standard input and output are no terminal";
  const char *reason = describe_refusal();
  if (reason != NULL) return reason;
  if (!takeover_remember()) return "the terminal's modes can't be read";
  if (!takeover_open_descriptors()) return takeover_no_descriptors;
  /* With the size that the terminal's type has; what it really has is taken below. */
  use_env(FALSE);
  use_tioctl(FALSE);
  screen = newterm(NULL, stdout, stdin);
  if (screen == NULL) {
    takeover_close_descriptors();
    return "the terminal can't be prepared";
  }
  has_colors_now = has_color && has_colors();
  prepare_colors();
  raw();
  noecho();
  nonl();
  curs_set(0);
  set_escdelay(25);
  take_size();
  keys = newpad(1, 1);
  keypad(keys, TRUE);
  nodelay(keys, TRUE);
  mouseinterval(0);
  mousemask(BUTTON1_PRESSED | BUTTON4_PRESSED | BUTTON5_PRESSED, NULL);
  describe_farewell();
  takeover_mark(true);
  takeover_watch_signals(&(struct takeover_reactions){.stopped = stopped, .continued = continued});
  return NULL;
}

void cterminal_close(void) {
  if (screen == NULL) return;
  mousemask(0, NULL);
  endwin();
  cterminal_restore();
  takeover_forget_signals();
  delwin(keys);
  delscreen(screen);
  screen = NULL;
  takeover_close_descriptors();
}

int cterminal_descriptor(void) { return takeover_descriptor(); }

static cterminal_input is(cterminal_kind kind, int code) { return (cterminal_input){.kind = kind, .code = code}; }

static cterminal_input signalled(char byte) {
  switch (byte) {
  case 'z': cterminal_suspend(); break;
  case 'c': reset_prog_mode(); break;
  default: break;
  }
  take_size();
  return is(byte == 'w' ? CTERMINAL_RESIZED : CTERMINAL_CONTINUED, 0);
}

static cterminal_input mouse(void) {
  MEVENT event;
  if (getmouse(&event) != OK) return is(CTERMINAL_KEY, CTERMINAL_OTHER);
  if (event.bstate & BUTTON4_PRESSED) return is(CTERMINAL_WHEEL, -1);
  if (event.bstate & BUTTON5_PRESSED) return is(CTERMINAL_WHEEL, 1);
  return is(CTERMINAL_CLICK, event.y);
}

static cterminal_input named(wint_t code) {
  switch (code) {
  case KEY_UP: return is(CTERMINAL_KEY, CTERMINAL_UP);
  case KEY_DOWN: return is(CTERMINAL_KEY, CTERMINAL_DOWN);
  case KEY_LEFT: return is(CTERMINAL_KEY, CTERMINAL_LEFT);
  case KEY_RIGHT: return is(CTERMINAL_KEY, CTERMINAL_RIGHT);
  case KEY_PPAGE: return is(CTERMINAL_KEY, CTERMINAL_PAGE_UP);
  case KEY_NPAGE: return is(CTERMINAL_KEY, CTERMINAL_PAGE_DOWN);
  case KEY_HOME: return is(CTERMINAL_KEY, CTERMINAL_HOME);
  case KEY_END: return is(CTERMINAL_KEY, CTERMINAL_END);
  case KEY_ENTER: return is(CTERMINAL_KEY, CTERMINAL_ENTER);
  case KEY_BACKSPACE: return is(CTERMINAL_KEY, CTERMINAL_BACKSPACE);
  case KEY_MOUSE: return mouse();
  default: return is(CTERMINAL_KEY, CTERMINAL_OTHER);
  }
}

/* Whether the terminal can be read and yet there is nothing: then it has been closed. */
static bool is_gone(void) {
  struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
  int waiting = 0;
  if (poll(&input, 1, 0) <= 0) return false;
  if (input.revents & (POLLERR | POLLNVAL)) return true;
  return (input.revents & POLLHUP) && ioctl(STDIN_FILENO, FIONREAD, &waiting) == 0 && waiting == 0;
}

cterminal_input cterminal_read(void) {
  char byte = takeover_woken();
  if (byte != 0) return signalled(byte);
  wint_t code = 0;
  switch (wget_wch(keys, &code)) {
  case OK: return is(CTERMINAL_CHARACTER, (int32_t)code);
  case KEY_CODE_YES: return named(code);
  default: return is_gone() ? is(CTERMINAL_GONE, 0) : is(CTERMINAL_NOTHING, 0);
  }
}

void cterminal_size(int *columns, int *rows) { getmaxyx(stdscr, *rows, *columns); }

bool cterminal_has_unicode(void) { return strcmp(nl_langinfo(CODESET), "UTF-8") == 0; }

void cterminal_clear_row(int row) {
  move(row, 0);
  attrset(A_NORMAL);
  clrtoeol();
}

void cterminal_put(int row, int column, const char *text, int style) {
  attr_t look = A_NORMAL;
  if (style & CTERMINAL_BOLD) look |= A_BOLD;
  if (style & CTERMINAL_DIM) look |= A_DIM;
  if (style & CTERMINAL_REVERSE) look |= A_REVERSE;
  if (style & CTERMINAL_UNDERLINE) look |= A_UNDERLINE;
  attr_set(look, has_colors_now ? (short)(style >> CTERMINAL_COLOR_SHIFT) : 0, NULL);
  mvaddstr(row, column, text);
}

void cterminal_show(void) { refresh(); }

void cterminal_redraw(void) { clearok(curscr, TRUE); }

/* A stop that cannot be caught follows, so that nothing can come in between; the next drawing takes the terminal again. */
void cterminal_suspend(void) {
  endwin();
  takeover_mark(false);
  raise(SIGSTOP);
  takeover_mark(true);
  take_size();
}
