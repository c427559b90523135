/* Which calls of the kernel are left, through seccomp: a list of what is allowed. Whatever is not in it answers EPERM,
 * and what is newer than the list ENOSYS, as a kernel would that has not got it. */
#define _GNU_SOURCE
#include "kernel.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/netlink.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <netinet/in.h>
#include <unistd.h>

#include "calls.h"

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#define X32_BIT 0x40000000u
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#else
#error "the filter knows the calls of x86-64 and aarch64"
#endif

/* The newest call that this list was made with; all of the list is older. */
#define NEWEST_CALL 450u

#ifndef PR_SET_VMA
#define PR_SET_VMA 0x53564d41
#endif

#define MOST 512

typedef struct {
  struct sock_filter steps[MOST];
  size_t count;
} program;

static void add(program *p, uint16_t code, uint32_t value, uint8_t then, uint8_t otherwise) {
  if (p->count < MOST) p->steps[p->count] = (struct sock_filter){code, then, otherwise, value};
  p->count += 1;
}

static void answer(program *p, uint32_t action) { add(p, BPF_RET | BPF_K, action, 0, 0); }
static void allow(program *p) { answer(p, SECCOMP_RET_ALLOW); }
static void refuse(program *p) { answer(p, SECCOMP_RET_ERRNO | EPERM); }

static void load(program *p, size_t offset) { add(p, BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset, 0, 0); }

/* The lower half of an argument: all that the kernel looks at in those that are checked here. */
static void load_argument(program *p, int index) { load(p, offsetof(struct seccomp_data, args[index])); }

/* Allowed when the word that was loaded is the value. */
static void allow_equal(program *p, uint32_t value) {
  add(p, BPF_JMP | BPF_JEQ | BPF_K, value, 0, 1);
  allow(p);
}

/* Refused when the word that was loaded has one of the bits. */
static void refuse_bits(program *p, uint32_t bits) {
  add(p, BPF_JMP | BPF_JSET | BPF_K, bits, 0, 1);
  refuse(p);
}

/* Begins what is done when the word that was loaded is the value; what follows, up to `end`, must come to an answer. */
static size_t begin(program *p, long value) {
  add(p, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)value, 0, 0);
  return p->count - 1;
}

static void end(program *p, size_t start) {
  if (start < MOST && p->count <= MOST) p->steps[start].jf = (uint8_t)(p->count - start - 1);
}

static void allow_list(program *p, const int *calls, size_t count) {
  for (size_t index = 0; index < count; index++) allow_equal(p, (uint32_t)calls[index]);
}

/* The call is allowed when an argument is one of the values. */
static void allow_values(program *p, long call, int argument, const uint32_t *values, size_t count) {
  size_t start = begin(p, call);
  load_argument(p, argument);
  for (size_t index = 0; index < count; index++) allow_equal(p, values[index]);
  refuse(p);
  end(p, start);
}

/* The call is allowed when an argument has none of the bits. */
static void allow_without(program *p, long call, int argument, uint32_t bits) {
  size_t start = begin(p, call);
  load_argument(p, argument);
  refuse_bits(p, bits);
  allow(p);
  end(p, start);
}

/* Threads, and no processes: what a new thread has and shares is fixed, and it is in no other namespace. */
static void allow_threads(program *p) {
  const uint32_t needed = CLONE_VM | CLONE_SIGHAND | CLONE_THREAD;
  const uint32_t never = CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID |
                         CLONE_NEWNET | CLONE_PTRACE | CLONE_VFORK | CLONE_PARENT;
  size_t start = begin(p, __NR_clone);
  load_argument(p, 0);
  refuse_bits(p, never);
  add(p, BPF_ALU | BPF_AND | BPF_K, needed, 0, 0);
  allow_equal(p, needed);
  refuse(p);
  end(p, start);
  /* Its flags are behind a pointer: glibc takes the other one when this is not there. */
  start = begin(p, __NR_clone3);
  answer(p, SECCOMP_RET_ERRNO | ENOSYS);
  end(p, start);
}

/* Signals to this process only. */
static void allow_own_signals(program *p) {
  const uint32_t self = (uint32_t)getpid();
  allow_values(p, __NR_kill, 0, &self, 1);
  allow_values(p, __NR_tgkill, 0, &self, 1);
  allow_values(p, __NR_rt_tgsigqueueinfo, 0, &self, 1);
}

/* How eagerly a thread of this process runs. */
static void allow_own_priority(program *p) {
  size_t start = begin(p, __NR_setpriority);
  load_argument(p, 0);
  size_t process = begin(p, PRIO_PROCESS);
  load_argument(p, 1);
  allow_equal(p, 0);
  refuse(p);
  end(p, process);
  refuse(p);
  end(p, start);
}

/* Memory holds data or code, and what this process wrote never becomes code. Libraries can be loaded where names are
 * looked up, since that is how the system does it. */
static void allow_memory(program *p, bool loads) {
  size_t start = begin(p, __NR_mmap);
  load_argument(p, 2);
  add(p, BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 1, 0);
  allow(p);
  if (loads) {
    refuse_bits(p, PROT_WRITE);
    load_argument(p, 3);
    refuse_bits(p, MAP_ANONYMOUS | MAP_SHARED);
    allow(p);
  } else {
    refuse(p);
  }
  end(p, start);
  allow_without(p, __NR_mprotect, 2, PROT_EXEC);
}

/* The protocols of a type of socket, for a family that was found already. */
static void allow_protocol(program *p, uint32_t type, uint32_t protocol) {
  load_argument(p, 1);
  add(p, BPF_ALU | BPF_AND | BPF_K, 0xF, 0, 0);
  size_t start = begin(p, (long)type);
  load_argument(p, 2);
  allow_equal(p, 0);
  allow_equal(p, protocol);
  refuse(p);
  end(p, start);
}

/* TCP, whose ports Landlock knows; UDP and the list of this machine's addresses where names are looked up. Nothing
 * else: what other families and protocols reach, no rule of Landlock says. */
static void allow_connecting(program *p, bool looks_up) {
  const uint32_t families[] = {AF_INET, AF_INET6};
  size_t start = begin(p, __NR_socket);
  for (size_t index = 0; index < 2; index++) {
    load_argument(p, 0);
    size_t family = begin(p, (long)families[index]);
    allow_protocol(p, SOCK_STREAM, IPPROTO_TCP);
    if (looks_up) allow_protocol(p, SOCK_DGRAM, IPPROTO_UDP);
    refuse(p);
    end(p, family);
  }
  if (looks_up) {
    load_argument(p, 0);
    size_t family = begin(p, AF_NETLINK);
    load_argument(p, 2);
    allow_equal(p, NETLINK_ROUTE);
    refuse(p);
    end(p, family);
  }
  refuse(p);
  end(p, start);
  allow_list(p, connecting_calls, sizeof connecting_calls / sizeof *connecting_calls);
}

/* A connection that was passed on is there. Who connects it all the same, as libcurl does in some versions, is told that it
 * is on its way, and then finds it made; nothing is ever connected. */
static void pretend_connecting(program *p) {
  size_t start = begin(p, __NR_connect);
  answer(p, SECCOMP_RET_ERRNO | EINPROGRESS);
  end(p, start);
}

/* What is done with sockets that are there, wherever they were made. */
static void allow_sockets(program *p) {
  const uint32_t local = AF_UNIX;
  allow_values(p, __NR_socketpair, 0, &local, 1);
  /* To send with this flag is to connect, past the rules for ports. */
  allow_without(p, __NR_sendto, 3, MSG_FASTOPEN);
  allow_without(p, __NR_sendmsg, 2, MSG_FASTOPEN);
  allow_without(p, __NR_sendmmsg, 3, MSG_FASTOPEN);
  allow_list(p, socket_calls, sizeof socket_calls / sizeof *socket_calls);
}

static bool makes_files(const ccage_rules *rules) {
  bool does = !rules->limits_writing;
  for (size_t index = 0; index < rules->path_count; index++) does |= (rules->paths[index].rights & CCAGE_WRITE) != 0;
  return does;
}

static void allow_checked(program *p, const ccage_rules *rules) {
  const uint32_t names[] = {PR_SET_NAME, PR_GET_NAME, PR_SET_VMA};
  const uint32_t self = 0;
  allow_values(p, __NR_prctl, 0, names, sizeof names / sizeof *names);
  allow_values(p, __NR_ioctl, 1, terminal_requests, sizeof terminal_requests / sizeof *terminal_requests);
  allow_values(p, __NR_fcntl, 1, descriptor_requests, sizeof descriptor_requests / sizeof *descriptor_requests);
  allow_own_priority(p);
  allow_values(p, __NR_prlimit64, 0, &self, 1);
  allow_threads(p);
  allow_own_signals(p);
  allow_memory(p, rules->net == CCAGE_NAMES);
  if (rules->net > CCAGE_PASSED) allow_connecting(p, rules->net == CCAGE_NAMES);
  if (rules->net == CCAGE_PASSED) pretend_connecting(p);
  if (rules->net == CCAGE_TAKEN) allow_list(p, taking_calls, sizeof taking_calls / sizeof *taking_calls);
  if (rules->net != CCAGE_NO_NET) allow_sockets(p);
  if (makes_files(rules)) allow_list(p, writing_calls, sizeof writing_calls / sizeof *writing_calls);
}

static void write_program(program *p, const ccage_rules *rules) {
  load(p, offsetof(struct seccomp_data, arch));
  add(p, BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0);
  answer(p, SECCOMP_RET_KILL_PROCESS);
  load(p, offsetof(struct seccomp_data, nr));
#ifdef X32_BIT
  refuse_bits(p, X32_BIT);
#endif
  allow_list(p, plain_calls, sizeof plain_calls / sizeof *plain_calls);
  allow_checked(p, rules);
  add(p, BPF_JMP | BPF_JGT | BPF_K, NEWEST_CALL, 0, 1);
  answer(p, SECCOMP_RET_ERRNO | ENOSYS);
  refuse(p);
}

const char *ccage_filter(const ccage_rules *rules) {
  program p = {.count = 0};
  write_program(&p, rules);
  if (p.count > MOST) {
    errno = E2BIG;
    return "seccomp";
  }
  struct sock_fprog filter = {.len = (unsigned short)p.count, .filter = p.steps};
  const unsigned flags[] = {SECCOMP_FILTER_FLAG_TSYNC | SECCOMP_FILTER_FLAG_SPEC_ALLOW, SECCOMP_FILTER_FLAG_TSYNC};
  for (size_t index = 0; index < 2; index++) {
    long answer = syscall(__NR_seccomp, SECCOMP_SET_MODE_FILTER, flags[index], &filter);
    if (answer == 0) return NULL;
    if (answer > 0) errno = EBUSY; /* a thread that has another filter */
  }
  return "seccomp";
}
