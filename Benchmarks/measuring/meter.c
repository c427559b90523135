// Runs one command with its standard output thrown away and prints what it used, as JSON.
// A program of its own, because what a process is said to have held at most is never less than what its parent held.
#define _GNU_SOURCE
#include <errno.h>
#include <spawn.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

extern char **environ;

static double seconds(struct timeval time) { return time.tv_sec + time.tv_usec / 1e6; }

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec + time.tv_nsec / 1e9;
}

int main(int count, char **words) {
  if (count < 2) return fprintf(stderr, "usage: meter COMMAND…\n"), 64;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
  double began = now();
  pid_t child;
  int problem = posix_spawnp(&child, words[1], &actions, NULL, words + 1, environ);
  if (problem) return fprintf(stderr, "%s: %s\n", words[1], strerror(problem)), 127;
  int status;
  struct rusage used;
  while (wait4(child, &status, 0, &used) < 0)
    if (errno != EINTR) return perror("wait4"), 71;
  double wall = now() - began;
  printf("{\"wall\": %.6f, \"cpu\": %.6f, \"rss\": %.3f, \"code\": %d}\n", wall,
         seconds(used.ru_utime) + seconds(used.ru_stime), used.ru_maxrss / 1024.0,
         WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status));
  return 0;
}
