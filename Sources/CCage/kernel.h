/* What Linux has, for systems whose headers are older than their kernel. */
#ifndef CCAGE_KERNEL_H
#define CCAGE_KERNEL_H

#include <stdint.h>
#include <sys/syscall.h>

#include "CCage.h"

#ifndef __NR_landlock_create_ruleset
#define __NR_landlock_create_ruleset 444
#define __NR_landlock_add_rule 445
#define __NR_landlock_restrict_self 446
#endif

/* <linux/landlock.h> of Linux 6.18. */
#define RULESET_VERSION 1u
#define RULE_PATH 1
#define RULE_PORT 2
#define RESTRICT_THREADS 8u /* interface 8 */

enum {
  FS_EXECUTE = 1u << 0,
  FS_WRITE_FILE = 1u << 1,
  FS_READ_FILE = 1u << 2,
  FS_READ_DIR = 1u << 3,
  FS_REMOVE_DIR = 1u << 4,
  FS_REMOVE_FILE = 1u << 5,
  FS_MAKE_CHAR = 1u << 6,
  FS_MAKE_DIR = 1u << 7,
  FS_MAKE_REG = 1u << 8,
  FS_MAKE_SOCK = 1u << 9,
  FS_MAKE_FIFO = 1u << 10,
  FS_MAKE_BLOCK = 1u << 11,
  FS_MAKE_SYM = 1u << 12,
  FS_REFER = 1u << 13,    /* interface 2 */
  FS_TRUNCATE = 1u << 14, /* interface 3 */
  FS_IOCTL_DEV = 1u << 15 /* interface 5 */
};

enum { NET_BIND_TCP = 1u << 0, NET_CONNECT_TCP = 1u << 1 };                /* interface 4 */
enum { SCOPE_ABSTRACT_UNIX_SOCKET = 1u << 0, SCOPE_SIGNAL = 1u << 1 }; /* interface 6 */

typedef struct {
  uint64_t fs, net, scoped;
} ruleset_attributes;

typedef struct __attribute__((packed)) {
  uint64_t access;
  int32_t parent;
} path_attributes;

typedef struct {
  uint64_t access, port;
} port_attributes;

/* Both NULL when done, or else the step that failed, with errno. */
const char *ccage_restrict(const ccage_rules *rules, int version);
const char *ccage_filter(const ccage_rules *rules);

#endif
