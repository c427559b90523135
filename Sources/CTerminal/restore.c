/* Giving the terminal back, whatever happens. */
#define _GNU_SOURCE
#include "state.h"

#include <curses.h>
#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <term.h>
#include <termios.h>
#include <unistd.h>

static struct termios before;
static char farewell[512];
static volatile size_t farewell_length;
static atomic_bool is_taken;
static volatile sig_atomic_t pipe_end = -1;

static const int fatal[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGSYS, SIGQUIT, SIGHUP};
enum { FATAL_COUNT = sizeof fatal / sizeof fatal[0] };
static struct sigaction fatal_before[FATAL_COUNT];
static struct sigaction resize_before, stop_before, continue_before;
static stack_t stack_before;
static void *stack_memory;

const char *cterminal_refusal(void) {
  int result = 0;
  if (setupterm(NULL, STDOUT_FILENO, &result) != OK) return "the terminal is of an unknown type (see TERM)";
  char *place = tigetstr("cup");
  if (place == NULL || place == (char *)-1) return "the terminal can't place its cursor (see TERM)";
  return NULL;
}

bool cterminal_remember(void) {
  farewell_length = 0;
  return tcgetattr(STDIN_FILENO, &before) == 0;
}

static int keep(int byte) {
  if (farewell_length < sizeof farewell) farewell[farewell_length++] = (char)byte;
  return byte;
}

static void add(const char *name) {
  char *text = tigetstr(name);
  if (text != NULL && text != (char *)-1) tputs(text, 1, keep);
}

void cterminal_learn(void) {
  if (tigetstr("kmous") != NULL) {
    for (const char *byte = "\033[?1000l\033[?1006l"; *byte; byte++) keep(*byte);
  }
  add("sgr0");
  add("rmkx");
  add("cnorm");
  add("rmcup");
  atomic_store(&is_taken, true);
}

void cterminal_restore(void) {
  if (!atomic_exchange(&is_taken, false)) return;
  int error = errno;
  size_t sent = 0;
  while (sent < farewell_length) {
    ssize_t count = write(STDOUT_FILENO, farewell + sent, farewell_length - sent);
    if (count <= 0) break;
    sent += (size_t)count;
  }
  tcsetattr(STDIN_FILENO, TCSANOW, &before);
  errno = error;
}

static void tell(char byte) {
  int error = errno;
  if (pipe_end >= 0 && write(pipe_end, &byte, 1) < 0) { /* full: there is enough to read */ }
  errno = error;
}

static void resized(int signal) {
  (void)signal;
  tell('w');
}

/* The loop stops the process when it comes to it, for only there ncurses can give the terminal back and take it again. */
static void stopped(int signal) {
  (void)signal;
  tell('z');
}

static void continued(int signal) {
  (void)signal;
  tell('c');
}

void cterminal_mark(bool taken) { atomic_store(&is_taken, taken); }

/* The signal comes again when the handler returns, and does what it does by itself. */
static void died(int number) {
  cterminal_restore();
  signal(number, SIG_DFL);
  raise(number);
}

static void watch(int number, void (*handler)(int), int flags, struct sigaction *old) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = handler;
  action.sa_flags = flags;
  sigaction(number, &action, old);
}

bool cterminal_watch_signals(int writing) {
  pipe_end = writing;
  stack_memory = malloc(1 << 16);
  if (stack_memory == NULL) return false;
  stack_t stack = {.ss_sp = stack_memory, .ss_size = 1 << 16};
  sigaltstack(&stack, &stack_before);
  watch(SIGWINCH, resized, SA_RESTART, &resize_before);
  watch(SIGTSTP, stopped, SA_RESTART, &stop_before);
  watch(SIGCONT, continued, SA_RESTART, &continue_before);
  for (int index = 0; index < FATAL_COUNT; index++) {
    watch(fatal[index], died, SA_ONSTACK | SA_RESETHAND, &fatal_before[index]);
  }
  return true;
}

void cterminal_forget_signals(void) {
  sigaction(SIGWINCH, &resize_before, NULL);
  sigaction(SIGTSTP, &stop_before, NULL);
  sigaction(SIGCONT, &continue_before, NULL);
  for (int index = 0; index < FATAL_COUNT; index++) sigaction(fatal[index], &fatal_before[index], NULL);
  sigaltstack(&stack_before, NULL);
  free(stack_memory);
  stack_memory = NULL;
  pipe_end = -1;
}
