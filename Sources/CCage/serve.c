/* The broker's side: what it does, and on which paths, was settled before it began. */
#define _GNU_SOURCE
#include "messages.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define MOST_MADE 64

typedef struct {
  const ccage_duties *duties;
  pid_t parent;
  struct {
    dev_t device;
    ino_t number;
    bool is_kept;
  } made[MOST_MADE];
  char sibling[PATH_MAX];
  size_t replaced;
  bool is_replacing;
} service;

/* What was made is known by its number, so that nothing else is ever removed under its name. */
static void learn(service *s) {
  for (size_t index = 0; index < s->duties->made_count && index < MOST_MADE; index++) {
    struct stat status;
    s->made[index].is_kept = lstat(s->duties->made[index], &status) != 0;
    s->made[index].device = status.st_dev;
    s->made[index].number = status.st_ino;
  }
}

/* Whether another run may have an empty file by now: that of this one was killed, and this process outlives it for a moment.
 * A run that ends in order waits for this one, and may hold its locks until then. */
static bool is_taken(service *s, const char *path) {
  if (getppid() == s->parent) return false;
  int file = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (file < 0) return true;
  struct stat status;
  /* The lock lasts until this process ends, so that what comes next finds no file that is about to go. */
  return flock(file, LOCK_EX | LOCK_NB) != 0 || fstat(file, &status) != 0 || status.st_size != 0;
}

static void clean(service *s) {
  if (s->is_replacing) unlink(s->sibling);
  for (size_t index = 0; index < s->duties->made_count && index < MOST_MADE; index++) {
    const char *path = s->duties->made[index];
    struct stat status;
    if (s->made[index].is_kept || lstat(path, &status) != 0) continue;
    if (status.st_dev != s->made[index].device || status.st_ino != s->made[index].number) continue;
    if (S_ISDIR(status.st_mode)) {
      rmdir(path);
    } else if (status.st_size == 0 && !is_taken(s, path)) {
      unlink(path);
    }
  }
}

static int keep(service *s, int index) {
  if (index < 0 || (size_t)index >= s->duties->made_count || index >= MOST_MADE) return -EINVAL;
  s->made[index].is_kept = true;
  return 0;
}

/* A file beside the other one, with its mode; -1 with errno. */
static int make_sibling(service *s, const char *path) {
  const char *slash = strrchr(path, '/');
  if (!slash) {
    errno = EINVAL;
    return -1;
  }
  for (int attempt = 0;; attempt++) {
    int length = snprintf(s->sibling, sizeof s->sibling, "%.*s/.lookahead-%d-%d", (int)(slash - path), path,
                          (int)getpid(), attempt);
    if (length < 0 || (size_t)length >= sizeof s->sibling) {
      errno = ENAMETOOLONG;
      return -1;
    }
    int file = open(s->sibling, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file >= 0 || errno != EEXIST) return file;
  }
}

static int begin(service *s, int index, int *descriptor) {
  if (s->is_replacing || index < 0 || (size_t)index >= s->duties->replaced_count) return -EINVAL;
  const char *path = s->duties->replaced[index];
  struct stat status;
  if (lstat(path, &status) != 0) return -errno;
  if (!S_ISREG(status.st_mode)) return -EINVAL;
  *descriptor = make_sibling(s, path);
  if (*descriptor < 0) return -errno;
  /* To change the owner takes away what the mode has of it. */
  if (fchown(*descriptor, status.st_uid, status.st_gid) != 0) errno = 0;
  fchmod(*descriptor, status.st_mode & 07777);
  s->is_replacing = true;
  s->replaced = (size_t)index;
  return 0;
}

static int finish(service *s, bool is_whole) {
  if (!s->is_replacing) return -EINVAL;
  s->is_replacing = false;
  if (!is_whole) return unlink(s->sibling) == 0 ? 0 : -errno;
  if (rename(s->sibling, s->duties->replaced[s->replaced]) == 0) return 0;
  int reason = errno;
  unlink(s->sibling);
  return -reason;
}

/* What a file is called is known after a loss of power when its folder was written. */
static void sync_folder(const char *path) {
  char folder[PATH_MAX];
  const char *slash = strrchr(path, '/');
  if (!slash || (size_t)(slash - path) >= sizeof folder) return;
  memcpy(folder, path, (size_t)(slash - path));
  folder[slash - path] = 0;
  int file = open(slash == path ? "/" : folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (file < 0) return;
  fsync(file);
  close(file);
}

static int settle(service *s, int index, bool is_published) {
  if (index < 0 || (size_t)index >= s->duties->staged_count) return -EINVAL;
  const char *partial = s->duties->staged[index].partial;
  const char *target = s->duties->staged[index].target;
  if (!is_published) return unlink(partial) == 0 ? 0 : -errno;
  if (rename(partial, target) != 0) return -errno;
  sync_folder(target);
  return 0;
}

static void run_editor(const char *editor, const char *path, int line) {
  const int restored[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGPIPE, SIGXFSZ, SIGUSR1, SIGUSR2};
  for (size_t index = 0; index < sizeof restored / sizeof *restored; index++) signal(restored[index], SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  char place[32] = "", words[PATH_MAX];
  if (line > 1) snprintf(place, sizeof place, "+%d ", line);
  int length = snprintf(words, sizeof words, "exec %s %s\"$1\"", editor, place);
  if (length > 0 && (size_t)length < sizeof words) execl("/bin/sh", "sh", "-c", words, "sh", path, (char *)NULL);
  _exit(127);
}

/* An absolute path is never taken for an option. */
static int edit(service *s, ccage_message *message) {
  message->path[sizeof message->path - 1] = 0;
  if (!s->duties->editor || message->path[0] != '/') return -EPERM;
  pid_t child = fork();
  if (child == 0) run_editor(s->duties->editor, message->path, message->number);
  if (child < 0) return -errno;
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

bool ccage_pass(int socket, int32_t number, int descriptor) {
  union {
    struct cmsghdr header;
    char bytes[CMSG_SPACE(sizeof(int))];
  } control = {0};
  struct iovec part = {.iov_base = &number, .iov_len = sizeof number};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
  if (descriptor >= 0) {
    message.msg_control = &control;
    message.msg_controllen = sizeof control;
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(header), &descriptor, sizeof(int));
  }
  return sendmsg(socket, &message, MSG_NOSIGNAL) == sizeof number;
}

/* Texts of a process that may be in anyone's hands end where the message does. */
static int32_t answer(service *s, ccage_message *message, int socket, int *descriptor) {
  message->path[sizeof message->path - 1] = 0;
  message->place[sizeof message->place - 1] = 0;
  if (!s->duties->answer) return -EPERM;
  return s->duties->answer(s->duties->context, message->number, message->path, message->place, socket, descriptor);
}

void ccage_serve(int socket, const ccage_duties *duties, pid_t parent) {
  service s = {.duties = duties, .parent = parent};
  learn(&s);
  ccage_message message;
  for (;;) {
    ssize_t got = read(socket, &message, sizeof message);
    if (got < 0 && errno == EINTR) continue;
    if (got != sizeof message) break;
    int descriptor = -1;
    int32_t number = -EINVAL;
    switch (message.question) {
    case ASK_KEEP: number = keep(&s, message.number); break;
    case ASK_BEGIN: number = begin(&s, message.number, &descriptor); break;
    case ASK_END: number = finish(&s, message.number != 0); break;
    case ASK_PUBLISH: number = settle(&s, message.number, true); break;
    case ASK_DISCARD: number = settle(&s, message.number, false); break;
    case ASK_EDIT: number = edit(&s, &message); break;
    case ASK_PERSON: number = answer(&s, &message, socket, &descriptor); break;
    case ASK_NO_MORE: continue; /* what it is about was answered in the meantime */
    }
    ccage_pass(socket, number, descriptor);
    if (descriptor >= 0) close(descriptor);
  }
  clean(&s);
}
