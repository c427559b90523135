#if DEBUG
/* A hole put back, for tests of the cage; in debug builds only. */
#define _GNU_SOURCE
#include "kernel.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#ifndef IPPROTO_MPTCP
#define IPPROTO_MPTCP 262
#endif

/* 0 or above when it worked. */
typedef long (*deed)(const char *argument);

static long closing(int descriptor) { return descriptor < 0 ? -1 : close(descriptor); }

static long execute(const char *program) {
  return execl(program, program, "probe: a program was started", (char *)NULL);
}
static long execute_at(const char *program) {
  char *arguments[] = {(char *)program, NULL};
  return syscall(__NR_execveat, AT_FDCWD, program, arguments, arguments, 0);
}
static long split(const char *unused) {
  (void)unused;
  pid_t child = fork();
  if (child == 0) _exit(0);
  return child;
}
static long read_file(const char *path) { return closing(open(path, O_RDONLY | O_CLOEXEC)); }
static long list_folder(const char *path) { return closing(open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)); }
static long write_file(const char *path) { return closing(open(path, O_WRONLY | O_CLOEXEC)); }
static long make_file(const char *path) { return closing(open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600)); }
static long remove_file(const char *path) { return unlink(path); }
static long cut_file(const char *path) { return truncate(path, 0); }
static long make_link(const char *path) { return symlink("/etc/passwd", path); }
static long change_mode(const char *path) { return chmod(path, 0777); }

static long connect_as(const char *port, int protocol) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(port))};
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  int end = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, protocol);
  long answer = end < 0 ? -1 : connect(end, (struct sockaddr *)&address, sizeof address);
  int reason = errno;
  if (end >= 0) close(end);
  errno = reason;
  return answer;
}
static long connect_to(const char *port) { return connect_as(port, 0); }
static long connect_multipath(const char *port) { return connect_as(port, IPPROTO_MPTCP); }
static long connect_fast(const char *port) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(port))};
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  int end = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  return end < 0 ? -1 : sendto(end, "x", 1, MSG_FASTOPEN | MSG_NOSIGNAL, (struct sockaddr *)&address, sizeof address);
}
static long listen_at(const char *port) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(port))};
  int end = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  return end < 0 ? -1 : bind(end, (struct sockaddr *)&address, sizeof address);
}
static long make_socket(const char *family) { return closing(socket(atoi(family), SOCK_STREAM | SOCK_CLOEXEC, 0)); }
static long make_datagrams(const char *family) { return closing(socket(atoi(family), SOCK_DGRAM | SOCK_CLOEXEC, 0)); }
static long call_local(const char *name) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  strncpy(address.sun_path + 1, name, sizeof address.sun_path - 2);
  int end = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (end < 0) return -1;
  size_t length = offsetof(struct sockaddr_un, sun_path) + 1 + strlen(name);
  return connect(end, (struct sockaddr *)&address, (socklen_t)length);
}

static long trace(const char *unused) {
  (void)unused;
  return ptrace(PTRACE_ATTACH, getppid(), NULL, NULL);
}
static long signal_parent(const char *unused) {
  (void)unused;
  return kill(getppid(), 0);
}
static long leave_namespace(const char *unused) {
  (void)unused;
  return unshare(CLONE_NEWNS | CLONE_NEWUSER);
}
static long type_for_person(const char *text) { return ioctl(STDIN_FILENO, TIOCSTI, text); }
static long write_code(const char *unused) {
  (void)unused;
  void *place = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return place == MAP_FAILED ? -1 : 0;
}
static long make_ring(const char *unused) {
  (void)unused;
  char parameters[120] = {0};
  return syscall(__NR_io_uring_setup, 1, parameters);
}
static long make_memory_file(const char *name) { return closing(memfd_create(name, 0)); }

static const struct {
  const char *name;
  deed run;
} deeds[] = {
    {"execute", execute},         {"executeAt", execute_at},       {"fork", split},
    {"read", read_file},          {"list", list_folder},           {"write", write_file},
    {"make", make_file},          {"remove", remove_file},         {"cut", cut_file},
    {"link", make_link},          {"mode", change_mode},           {"connect", connect_to},
    {"multipath", connect_multipath}, {"fastOpen", connect_fast},  {"bind", listen_at},
    {"socket", make_socket},      {"datagrams", make_datagrams},   {"abstract", call_local},
    {"trace", trace},             {"signal", signal_parent},       {"namespace", leave_namespace},
    {"type", type_for_person},    {"code", write_code},            {"ring", make_ring},
    {"memory", make_memory_file},
};

const char *ccage_probe(const char *deed, const char *argument) {
  for (size_t index = 0; index < sizeof deeds / sizeof *deeds; index++) {
    if (strcmp(deeds[index].name, deed) != 0) continue;
    if (deeds[index].run(argument) >= 0) return "done";
    const char *name = strerrorname_np(errno);
    return name ? name : "unknown";
  }
  return "no such deed";
}
#endif
