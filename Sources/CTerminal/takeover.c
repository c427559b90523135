#define _GNU_SOURCE
#include "takeover.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <termios.h>
#include <unistd.h>

const char takeover_no_descriptors[] = "the system has no descriptors left";

static struct termios before;
static char farewell[512];
static volatile size_t farewell_length;
static atomic_bool is_taken;

static int ends[2] = {-1, -1};
static int joined = -1;

/* SIGTERM is the last, so that it can be left out. */
static const int fatal[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGSYS, SIGQUIT, SIGHUP, SIGTERM};
enum { FATAL_COUNT = sizeof fatal / sizeof fatal[0] };
static int fatal_count;
static struct sigaction fatal_before[FATAL_COUNT];
static struct sigaction resize_before, stop_before, continue_before;
static stack_t stack_before;
static void *stack_memory;
static struct takeover_reactions reactions;

bool takeover_remember(void) {
  farewell_length = 0;
  return tcgetattr(STDIN_FILENO, &before) == 0;
}

void takeover_add_farewell(const char *bytes, size_t count) {
  for (size_t index = 0; index < count && farewell_length < sizeof farewell; index++) {
    farewell[farewell_length] = bytes[index];
    farewell_length++;
  }
}

void takeover_mark(bool taken) { atomic_store(&is_taken, taken); }

void cterminal_restore(void) {
  if (!atomic_exchange(&is_taken, false)) return;
  int error = errno;
  size_t sent = 0;
  while (sent < farewell_length) {
    ssize_t count = write(STDOUT_FILENO, farewell + sent, farewell_length - sent);
    if (count <= 0) break; /* nobody is there to see it */
    sent += (size_t)count;
  }
  tcsetattr(STDIN_FILENO, TCSANOW, &before);
  errno = error;
}

static bool join(int descriptor) {
  struct epoll_event event = {.events = EPOLLIN, .data.fd = descriptor};
  return epoll_ctl(joined, EPOLL_CTL_ADD, descriptor, &event) == 0;
}

bool takeover_open_descriptors(void) {
  joined = epoll_create1(EPOLL_CLOEXEC);
  if (joined >= 0 && pipe2(ends, O_NONBLOCK | O_CLOEXEC) == 0 && join(STDIN_FILENO) && join(ends[0])) return true;
  takeover_close_descriptors();
  return false;
}

void takeover_close_descriptors(void) {
  int *const all[] = {&ends[0], &ends[1], &joined};
  for (size_t index = 0; index < sizeof all / sizeof all[0]; index++) {
    if (*all[index] >= 0) close(*all[index]);
    *all[index] = -1;
  }
}

int takeover_descriptor(void) { return joined; }

void takeover_wake(char byte) {
  int error = errno;
  if (ends[1] >= 0 && write(ends[1], &byte, 1) < 0) { /* full: there is enough to read */ }
  errno = error;
}

char takeover_woken(void) {
  char byte;
  return read(ends[0], &byte, 1) == 1 ? byte : 0;
}

static void resized(int signal) {
  (void)signal;
  takeover_wake('w');
}

static void stopped(int signal) {
  (void)signal;
  reactions.stopped();
}

static void continued(int signal) {
  (void)signal;
  reactions.continued();
}

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

void takeover_watch_signals(const struct takeover_reactions *given) {
  stack_memory = malloc(1 << 16);
  if (stack_memory == NULL) return;
  reactions = *given;
  fatal_count = given->dies_at_term ? FATAL_COUNT : FATAL_COUNT - 1;
  stack_t stack = {.ss_sp = stack_memory, .ss_size = 1 << 16};
  sigaltstack(&stack, &stack_before);
  watch(SIGWINCH, resized, SA_RESTART, &resize_before);
  watch(SIGTSTP, stopped, SA_RESTART, &stop_before);
  watch(SIGCONT, continued, SA_RESTART, &continue_before);
  for (int index = 0; index < fatal_count; index++) {
    watch(fatal[index], died, SA_ONSTACK | SA_RESETHAND, &fatal_before[index]);
  }
}

void takeover_forget_signals(void) {
  if (stack_memory == NULL) return;
  sigaction(SIGWINCH, &resize_before, NULL);
  sigaction(SIGTSTP, &stop_before, NULL);
  sigaction(SIGCONT, &continue_before, NULL);
  for (int index = 0; index < fatal_count; index++) sigaction(fatal[index], &fatal_before[index], NULL);
  sigaltstack(&stack_before, NULL);
  free(stack_memory);
  stack_memory = NULL;
}
