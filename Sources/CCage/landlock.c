/* What files and ports are left, through Landlock. */
#define _GNU_SOURCE
#include "kernel.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
  reading = FS_READ_FILE | FS_READ_DIR,
  in_place = FS_READ_FILE | FS_WRITE_FILE | FS_TRUNCATE,
  writing = FS_WRITE_FILE | FS_TRUNCATE | FS_MAKE_REG | FS_REMOVE_FILE,
  /* Nothing that runs a script ever does these. */
  never = FS_EXECUTE | FS_REMOVE_DIR | FS_MAKE_CHAR | FS_MAKE_DIR | FS_MAKE_SOCK | FS_MAKE_FIFO | FS_MAKE_BLOCK |
          FS_MAKE_SYM | FS_IOCTL_DEV,
  of_files = FS_EXECUTE | FS_READ_FILE | FS_WRITE_FILE | FS_TRUNCATE | FS_IOCTL_DEV,
};

/* The rights on files that this version of the interface knows. */
static uint64_t known(int version) {
  uint64_t rights = (FS_MAKE_SYM << 1) - 1;
  if (version >= 2) rights |= FS_REFER;
  if (version >= CCAGE_LANDLOCK_TRUNCATE) rights |= FS_TRUNCATE;
  if (version >= CCAGE_LANDLOCK_DEVICES) rights |= FS_IOCTL_DEV;
  return rights;
}

static uint64_t rights_of(uint32_t granted) {
  uint64_t rights = 0;
  if (granted & CCAGE_READ) rights |= reading;
  if (granted & CCAGE_WRITE) rights |= reading | writing;
  if (granted & CCAGE_IN_PLACE) rights |= in_place;
  return rights;
}

static bool grant_path(int ruleset, const ccage_path *path, uint64_t handled) {
  int place = open(path->path, O_PATH | O_CLOEXEC);
  if (place < 0) return true; /* what can't be reached needs no grant */
  struct stat status;
  bool is_known = fstat(place, &status) == 0, is_file = is_known && !S_ISDIR(status.st_mode);
  uint64_t rights = rights_of(path->rights);
  /* Whether an output is a terminal is asked of the device. */
  if (is_known && S_ISCHR(status.st_mode) && path->rights & CCAGE_IN_PLACE) rights |= FS_IOCTL_DEV;
  uint64_t access = rights & handled & (is_file ? (uint64_t)of_files : ~(uint64_t)0);
  path_attributes rule = {.access = access, .parent = place};
  bool is_done = access == 0 || syscall(__NR_landlock_add_rule, ruleset, RULE_PATH, &rule, 0) == 0;
  int reason = errno;
  close(place);
  errno = reason;
  /* Pipes and the like are in no file system, and Landlock leaves them alone. */
  return is_done || reason == EBADFD || reason == EBADF;
}

static const char *fill(int ruleset, const ccage_rules *rules, const ruleset_attributes *handled) {
  for (size_t index = 0; index < rules->path_count; index++) {
    if (!grant_path(ruleset, &rules->paths[index], handled->fs)) return "landlock_add_rule of a path";
  }
  if (!(handled->net & NET_CONNECT_TCP)) return NULL;
  for (size_t index = 0; index < rules->port_count; index++) {
    port_attributes rule = {.access = NET_CONNECT_TCP, .port = rules->ports[index]};
    if (syscall(__NR_landlock_add_rule, ruleset, RULE_PORT, &rule, 0) != 0) return "landlock_add_rule of a port";
  }
  return NULL;
}

static size_t size_of_attributes(int version) {
  if (version < CCAGE_LANDLOCK_TCP) return offsetof(ruleset_attributes, net);
  return version < CCAGE_LANDLOCK_SCOPES ? offsetof(ruleset_attributes, scoped) : sizeof(ruleset_attributes);
}

const char *ccage_restrict(const ccage_rules *rules, int version) {
  ruleset_attributes handled = {.fs = never};
  if (rules->limits_reading) handled.fs |= reading;
  if (rules->limits_writing) handled.fs |= writing | FS_REFER;
  handled.fs &= known(version);
  if (version >= CCAGE_LANDLOCK_TCP) {
    handled.net = NET_BIND_TCP | (rules->limits_ports || rules->net <= CCAGE_PASSED ? NET_CONNECT_TCP : 0);
  }
  if (version >= CCAGE_LANDLOCK_SCOPES) handled.scoped = SCOPE_ABSTRACT_UNIX_SOCKET | SCOPE_SIGNAL;
  int ruleset = (int)syscall(__NR_landlock_create_ruleset, &handled, size_of_attributes(version), 0);
  if (ruleset < 0) return "landlock_create_ruleset";
  const char *failed = fill(ruleset, rules, &handled);
  unsigned flags = version >= CCAGE_LANDLOCK_THREADS ? RESTRICT_THREADS : 0;
  if (!failed && syscall(__NR_landlock_restrict_self, ruleset, flags) != 0) failed = "landlock_restrict_self";
  int reason = errno;
  close(ruleset);
  errno = reason;
  return failed;
}
