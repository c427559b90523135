/* A process that ends with the one that started it. */
#include "CCage.h"

#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

bool ccage_follow_parent(void) {
  pid_t parent = getppid();
  /* Also one that is stopped has to go, so it is no signal that could wait. */
  return prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && getppid() == parent;
}
