/* The process's side of the broker. */
#define _GNU_SOURCE
#include "messages.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

struct ccage_broker {
  int socket;
  pid_t process;
};

/* The child keeps the terminal where it has an editor to run, and nothing else: no end of a pipe, no file. */
static void live(int socket, const ccage_duties *duties, pid_t parent) {
  const int ignored[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGPIPE, SIGUSR1, SIGUSR2};
  for (size_t index = 0; index < sizeof ignored / sizeof *ignored; index++) signal(ignored[index], SIG_IGN);
  int own = fcntl(socket, F_DUPFD_CLOEXEC, 3);
  if (dup2(own, 3) < 0) _exit(1);
  fcntl(3, F_SETFD, FD_CLOEXEC);
  close_range(4, ~0u, 0);
  if (!duties->editor) {
    int nothing = open("/dev/null", O_RDWR);
    for (int standard = 0; standard < 3; standard++) dup2(nothing, standard);
    if (nothing > 3) close(nothing);
  }
  ccage_serve(3, duties, parent);
  _exit(0);
}

ccage_broker *ccage_broker_start(const ccage_duties *duties) {
  int ends[2];
  ccage_broker *broker = malloc(sizeof *broker);
  if (!broker) return NULL;
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) {
    free(broker);
    return NULL;
  }
  /* Signals wait until the child has said what it does with them. */
  sigset_t all, before;
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, &before);
  pid_t parent = getpid();
  broker->process = fork();
  broker->socket = ends[0];
  if (broker->process == 0) {
    close(ends[0]);
    live(ends[1], duties, parent);
  }
  int reason = errno;
  sigprocmask(SIG_SETMASK, &before, NULL);
  close(ends[1]);
  if (broker->process > 0) return broker;
  close(ends[0]);
  free(broker);
  errno = reason;
  return NULL;
}

static bool put(ccage_broker *broker, const ccage_message *message) {
  ssize_t sent;
  do sent = write(broker->socket, message, sizeof *message);
  while (sent < 0 && errno == EINTR);
  return sent == sizeof *message;
}

static bool ask_at(ccage_broker *broker, ccage_question question, int number, const char *path, const char *place) {
  ccage_message message = {.question = question, .number = number};
  size_t length = path ? strlen(path) : 0, place_length = place ? strlen(place) : 0;
  if (length >= sizeof message.path) {
    errno = ENAMETOOLONG;
    return false;
  }
  if (place_length >= sizeof message.place) place_length = sizeof message.place - 1;
  memcpy(message.path, path ? path : "", length);
  memcpy(message.place, place ? place : "", place_length);
  return put(broker, &message);
}

static bool ask(ccage_broker *broker, ccage_question question, int number, const char *path) {
  return ask_at(broker, question, number, path, NULL);
}

int32_t ccage_take(int socket, int *descriptor) {
  int32_t number = -EPIPE;
  union {
    struct cmsghdr header;
    char bytes[CMSG_SPACE(sizeof(int))];
  } control;
  struct iovec part = {.iov_base = &number, .iov_len = sizeof number};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
  message.msg_control = &control;
  message.msg_controllen = sizeof control;
  ssize_t got;
  do got = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
  while (got < 0 && errno == EINTR);
  if (got != sizeof number) number = -EPIPE;
  struct cmsghdr *header = got == sizeof number ? CMSG_FIRSTHDR(&message) : NULL;
  if (descriptor) *descriptor = -1;
  if (descriptor && header && header->cmsg_type == SCM_RIGHTS) memcpy(descriptor, CMSG_DATA(header), sizeof(int));
  if (number < 0) errno = -number;
  return number;
}

/* The answer's number, 0 or above, and a descriptor that may come with it; below 0 is a reason, which goes to errno. */
static int answer(ccage_broker *broker, int *descriptor) { return ccage_take(broker->socket, descriptor); }

bool ccage_broker_keep(ccage_broker *broker, size_t index) {
  return ask(broker, ASK_KEEP, (int)index, NULL) && answer(broker, NULL) >= 0;
}

int ccage_broker_begin(ccage_broker *broker, size_t index) {
  int descriptor = -1;
  if (!ask(broker, ASK_BEGIN, (int)index, NULL) || answer(broker, &descriptor) < 0) return -1;
  return descriptor;
}

bool ccage_broker_end(ccage_broker *broker, bool is_whole) {
  return ask(broker, ASK_END, is_whole, NULL) && answer(broker, NULL) >= 0;
}

bool ccage_broker_publish(ccage_broker *broker, size_t index) {
  return ask(broker, ASK_PUBLISH, (int)index, NULL) && answer(broker, NULL) >= 0;
}

bool ccage_broker_discard(ccage_broker *broker, size_t index) {
  return ask(broker, ASK_DISCARD, (int)index, NULL) && answer(broker, NULL) >= 0;
}

int ccage_broker_edit(ccage_broker *broker, const char *path, int line) {
  if (!ask(broker, ASK_EDIT, line, path)) return 127;
  int code = answer(broker, NULL);
  return code < 0 ? 127 : code;
}

bool ccage_broker_send(ccage_broker *broker, int32_t matter, const char *text, const char *place) {
  return ask_at(broker, ASK_PERSON, matter, text, place);
}

int ccage_broker_socket(const ccage_broker *broker) { return broker->socket; }

void ccage_broker_give_up(ccage_broker *broker) { ask(broker, ASK_NO_MORE, 0, NULL); }

int32_t ccage_broker_receive(ccage_broker *broker, int *descriptor) { return answer(broker, descriptor); }

void ccage_broker_finish(ccage_broker *broker) {
  close(broker->socket);
  while (waitpid(broker->process, NULL, 0) < 0 && errno == EINTR) continue;
  free(broker);
}
