/* Giving the terminal back, whatever happens. */
#define _GNU_SOURCE
#include "state.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <termios.h>
#include <unistd.h>

/* Pasted text comes between marks, so that it can be told from typed text. */
static const char marks_on[] = "\033[?2004h";
static const char farewell[] = "\033[?2004l\033[0m";

static struct termios before, ours;
static atomic_bool is_taken;
static atomic_bool is_stale;
static int ends[2] = {-1, -1};
static int joined = -1;

static const int fatal[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGSYS, SIGQUIT, SIGHUP, SIGTERM};
enum { FATAL_COUNT = sizeof fatal / sizeof fatal[0] };
static struct sigaction fatal_before[FATAL_COUNT];
static struct sigaction resize_before, stop_before, continue_before;
static stack_t stack_before;
static void *stack_memory;

bool cedit_remember(void) { return tcgetattr(STDIN_FILENO, &before) == 0; }

void cedit_mark(bool taken) {
  if (taken) {
    tcgetattr(STDIN_FILENO, &ours);
    cedit_write((const uint8_t *)marks_on, sizeof marks_on - 1);
  }
  atomic_store(&is_taken, taken);
}

void cedit_restore(void) {
  if (!atomic_exchange(&is_taken, false)) return;
  int error = errno;
  if (write(STDOUT_FILENO, farewell, sizeof farewell - 1) < 0) { /* nobody is there to see it */ }
  tcsetattr(STDIN_FILENO, TCSANOW, &before);
  errno = error;
}

static void tell(void) {
  int error = errno;
  atomic_store(&is_stale, true);
  char byte = 'd';
  if (ends[1] >= 0 && write(ends[1], &byte, 1) < 0) { /* full: there is enough to read */ }
  errno = error;
}

static void resized(int signal) {
  (void)signal;
  tell();
}

/* The terminal is given back before the process stops, and taken again when it goes on. */
static void stopped(int signal) {
  (void)signal;
  cedit_restore();
  raise(SIGSTOP);
}

static void continued(int signal) {
  (void)signal;
  if (cedit_editor == NULL) return;
  tcsetattr(STDIN_FILENO, TCSANOW, &ours);
  if (write(STDOUT_FILENO, marks_on, sizeof marks_on - 1) < 0) { /* nobody is there to see it */ }
  atomic_store(&is_taken, true);
  tell();
}

/* The signal comes again when the handler returns, and does what it does by itself. */
static void died(int number) {
  cedit_restore();
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

static bool join(int descriptor) {
  struct epoll_event event = {.events = EPOLLIN, .data.fd = descriptor};
  return epoll_ctl(joined, EPOLL_CTL_ADD, descriptor, &event) == 0;
}

bool cedit_open_descriptors(void) {
  joined = epoll_create1(EPOLL_CLOEXEC);
  if (joined < 0 || pipe2(ends, O_NONBLOCK | O_CLOEXEC) != 0) return false;
  return join(STDIN_FILENO) && join(ends[0]);
}

void cedit_close_descriptors(void) {
  int *const all[] = {&ends[0], &ends[1], &joined};
  for (size_t index = 0; index < sizeof all / sizeof all[0]; index++) {
    if (*all[index] >= 0) close(*all[index]);
    *all[index] = -1;
  }
}

void cedit_watch_signals(void) {
  stack_memory = malloc(1 << 16);
  if (stack_memory == NULL) return;
  stack_t stack = {.ss_sp = stack_memory, .ss_size = 1 << 16};
  sigaltstack(&stack, &stack_before);
  watch(SIGWINCH, resized, SA_RESTART, &resize_before);
  watch(SIGTSTP, stopped, SA_RESTART, &stop_before);
  watch(SIGCONT, continued, SA_RESTART, &continue_before);
  for (int index = 0; index < FATAL_COUNT; index++) {
    watch(fatal[index], died, SA_ONSTACK | SA_RESETHAND, &fatal_before[index]);
  }
}

void cedit_forget_signals(void) {
  if (stack_memory == NULL) return;
  sigaction(SIGWINCH, &resize_before, NULL);
  sigaction(SIGTSTP, &stop_before, NULL);
  sigaction(SIGCONT, &continue_before, NULL);
  for (int index = 0; index < FATAL_COUNT; index++) sigaction(fatal[index], &fatal_before[index], NULL);
  sigaltstack(&stack_before, NULL);
  free(stack_memory);
  stack_memory = NULL;
}

int cedit_descriptor(void) { return joined; }

bool cedit_take_redraw(void) {
  char bytes[64];
  while (read(ends[0], bytes, sizeof bytes) > 0) {}
  return atomic_exchange(&is_stale, false);
}
