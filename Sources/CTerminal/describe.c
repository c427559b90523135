#define _GNU_SOURCE
#include "describe.h"
#include "takeover.h"

#include <curses.h>
#include <sys/ioctl.h>
#include <term.h>
#include <unistd.h>

int cterminal_colors(void) {
  int problem = 0;
  if (setupterm(NULL, STDOUT_FILENO, &problem) != OK) return -1;
  int colors = tigetnum("colors");
  del_curterm(cur_term);
  return colors < 0 ? 0 : colors;
}

bool cterminal_measure(int *width, int *height) {
  struct winsize size;
  if (!isatty(STDOUT_FILENO) || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0) return false;
  *width = size.ws_col;
  *height = size.ws_row;
  return true;
}

const char *describe_refusal(void) {
  int result = 0;
  if (setupterm(NULL, STDOUT_FILENO, &result) != OK) return "the terminal is of an unknown type (see TERM)";
  char *place = tigetstr("cup");
  if (place == NULL || place == (char *)-1) return "the terminal can't place its cursor (see TERM)";
  return NULL;
}

static int keep(int byte) {
  char kept = (char)byte;
  takeover_add_farewell(&kept, 1);
  return byte;
}

static void add_farewell(const char *name) {
  char *text = tigetstr(name);
  if (text != NULL && text != (char *)-1) tputs(text, 1, keep);
}

void describe_farewell(void) {
  static const char no_mouse[] = "\033[?1000l\033[?1006l";
  if (tigetstr("kmous") != NULL) takeover_add_farewell(no_mouse, sizeof no_mouse - 1);
  add_farewell("sgr0");
  add_farewell("rmkx");
  add_farewell("cnorm");
  add_farewell("rmcup");
}
