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

/* Of the libraries that libcurl brings with it. */
static void find_tls(void *library) {
  struct ccurl_tls_library found = {0};
#define FIND_TLS(name) found.name = (__typeof__(found.name))dlsym(library, "SSL_" #name);
  FIND_TLS(has_pending) FIND_TLS(get0_alpn_selected) FIND_TLS(set_msg_callback) FIND_TLS(ctrl)
  if (found.has_pending && found.get0_alpn_selected && found.set_msg_callback && found.ctrl) ccurl_library.tls = found;
}

static void load(void) {
  void *library = dlopen("libcurl.so.4", RTLD_LAZY | RTLD_LOCAL);
  if (!library) {
    snprintf(problem, sizeof problem, "%s", dlerror());
    return;
  }
#define FIND(name) ccurl_library.name = (__typeof__(ccurl_library.name))find(library, "curl_" #name);
  CCURL_LIBRARY_FUNCTIONS(FIND)
  find_tls(library);
}

const char *ccurl_load(void) {
  pthread_once(&once, load);
  return problem[0] ? problem : NULL;
}

const char *ccurl_version(void) { return ccurl_load() ? NULL : curl_version(); }
