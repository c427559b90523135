/* libcurl, loaded when it is first needed: with the libraries behind it, it takes longer to load than the rest of the program,
 * and what asks nobody over the network needs none of it. */
#ifndef CCURL_LIBRARY_H
#define CCURL_LIBRARY_H

/* The checks of types in its macros would name its functions, which are not linked. */
#define CURL_DISABLE_TYPECHECK
/* As would curl_multi_socket_all, which is said to be slow: it is called once a second. */
#define CURL_DISABLE_DEPRECATION
#include <curl/curl.h>

/* What is used of it, without `curl_`. */
#define CCURL_LIBRARY_FUNCTIONS(one) \
  one(global_init) one(easy_init) one(easy_cleanup) one(easy_reset) one(easy_setopt) one(easy_getinfo) one(easy_header) \
  one(easy_strerror) one(multi_init) one(multi_cleanup) one(multi_setopt) one(multi_add_handle) one(multi_remove_handle) \
  one(multi_socket_action) one(multi_socket_all) one(multi_info_read) one(slist_append) one(slist_free_all) one(strequal) one(version)

/* Of the OpenSSL behind libcurl, as its manual has them: is told of what an encrypted connection sends and receives. */
typedef void (*ccurl_tls_watcher)(
  int is_written, int version, int type, const void *bytes, size_t length, void *ssl, void *context);

/* What is used of OpenSSL; all NULL where libcurl encrypts with something else. */
struct ccurl_tls_library {
  int (*has_pending)(const void *ssl);
  void (*get0_alpn_selected)(const void *ssl, const unsigned char **name, unsigned int *length);
  void (*set_msg_callback)(void *ssl, ccurl_tls_watcher watcher);
  long (*ctrl)(void *ssl, int command, long number, void *pointer);
};

struct ccurl_library {
  struct ccurl_tls_library tls;
#define CCURL_LIBRARY_MEMBER(name) __typeof__(&curl_##name) name;
  CCURL_LIBRARY_FUNCTIONS(CCURL_LIBRARY_MEMBER)
#undef CCURL_LIBRARY_MEMBER
};

/* Filled by ccurl_load. */
extern struct ccurl_library ccurl_library;

/* Its functions under their own names. */
#undef curl_easy_setopt
#undef curl_easy_getinfo
#undef curl_multi_setopt
#define curl_global_init ccurl_library.global_init
#define curl_easy_init ccurl_library.easy_init
#define curl_easy_cleanup ccurl_library.easy_cleanup
#define curl_easy_reset ccurl_library.easy_reset
#define curl_easy_setopt ccurl_library.easy_setopt
#define curl_easy_getinfo ccurl_library.easy_getinfo
#define curl_easy_header ccurl_library.easy_header
#define curl_easy_strerror ccurl_library.easy_strerror
#define curl_multi_init ccurl_library.multi_init
#define curl_multi_cleanup ccurl_library.multi_cleanup
#define curl_multi_setopt ccurl_library.multi_setopt
#define curl_multi_add_handle ccurl_library.multi_add_handle
#define curl_multi_remove_handle ccurl_library.multi_remove_handle
#define curl_multi_socket_action ccurl_library.multi_socket_action
#define curl_multi_socket_all ccurl_library.multi_socket_all
#define curl_multi_info_read ccurl_library.multi_info_read
#define curl_slist_append ccurl_library.slist_append
#define curl_slist_free_all ccurl_library.slist_free_all
#define curl_strequal ccurl_library.strequal
#define curl_version ccurl_library.version

#endif
