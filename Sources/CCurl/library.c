#include "CCurl.h"
#include "library.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

struct ccurl_library ccurl_library;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static char problem[512];

static void *find(void *library, const char *name) {
  void *function = dlsym(library, name);
  if (!function) snprintf(problem, sizeof problem, "libcurl.so.4 has no %s", name);
  return function;
}

static void load(void) {
  void *library = dlopen("libcurl.so.4", RTLD_LAZY | RTLD_LOCAL);
  if (!library) {
    snprintf(problem, sizeof problem, "%s", dlerror());
    return;
  }
#define FIND(name) ccurl_library.name = (__typeof__(ccurl_library.name))find(library, "curl_" #name);
  CCURL_LIBRARY_FUNCTIONS(FIND)
}

const char *ccurl_load(void) {
  pthread_once(&once, load);
  return problem[0] ? problem : NULL;
}

const char *ccurl_version(void) { return ccurl_load() ? NULL : curl_version(); }
