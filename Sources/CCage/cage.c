/* The way into the cage. */
#define _GNU_SOURCE
#include "kernel.h"

#include <dirent.h>
#include <errno.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <unistd.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define HAS_SANITIZER 1
#endif
#endif
#ifndef HAS_SANITIZER
#define HAS_SANITIZER 0
#endif

ccage_kernel ccage_look(void) {
  int reason = errno;
  long landlock = syscall(__NR_landlock_create_ruleset, NULL, 0, RULESET_VERSION);
  uint32_t action = SECCOMP_RET_ERRNO;
  ccage_kernel kernel = {
      .landlock = landlock > 0 ? (int)landlock : 0,
      .has_filter = syscall(__NR_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0,
      .has_no_new_privs = prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) >= 0,
      .is_sanitized = HAS_SANITIZER,
  };
  errno = reason;
  return kernel;
}

int ccage_threads(void) {
  DIR *tasks = opendir("/proc/self/task");
  if (!tasks) return 0;
  int count = 0;
  for (struct dirent *entry; (entry = readdir(tasks));) count += entry->d_name[0] != '.';
  closedir(tasks);
  return count;
}

const char *ccage_enter(const ccage_rules *rules, const ccage_kernel *kernel) {
  /* A sanitizer looks into its own process from another one, and reads what the cage closes. */
  if (kernel->is_sanitized) return NULL;
  if (kernel->landlock < CCAGE_LANDLOCK_THREADS && ccage_threads() > 1) {
    errno = EBUSY;
    return "a cage around threads that run already";
  }
  if (kernel->has_no_new_privs && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return "PR_SET_NO_NEW_PRIVS";
  if (kernel->landlock > 0) {
    const char *failed = ccage_restrict(rules, kernel->landlock);
    if (failed) return failed;
  }
  return kernel->has_filter ? ccage_filter(rules) : NULL;
}
