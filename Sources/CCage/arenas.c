/* How the memory of a process is divided among its threads. */
#include "CCage.h"

#include <malloc.h>

void ccage_limit_arenas(int count) { (void)mallopt(M_ARENA_MAX, count); }
