/* What terminal this is, without taking it over. */
#define _GNU_SOURCE
#include "CTerminal.h"

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
