#include "transfer.h"

#include <string.h>

/* As in OpenSSL's headers, which are not needed for more. */
#define SET_MESSAGE_CONTEXT 16
#define ALERT 21
#define CLOSE_NOTIFY 0

/* The connection as OpenSSL has it; NULL where it is not encrypted, or by something else. */
static void *connection_of(CURL *easy) {
  struct curl_tlssessioninfo *info = NULL;
  if (!ccurl_library.tls.ctrl || curl_easy_getinfo(easy, CURLINFO_TLS_SSL_PTR, &info) != CURLE_OK) return NULL;
  return info && info->backend == CURLSSLBACKEND_OPENSSL ? info->internals : NULL;
}

ccurl_speech ccurl_tls_speech(const ccurl_transfer *transfer) {
  void *connection = connection_of(transfer->easy);
  if (!connection) return CCURL_UNKNOWN_SPEECH;
  const unsigned char *name = NULL;
  unsigned int length = 0;
  ccurl_library.tls.get0_alpn_selected(connection, &name, &length);
  return length == 2 && memcmp(name, "h2", 2) == 0 ? CCURL_HTTP2 : CCURL_HTTP1;
}

bool ccurl_tls_has_unread(const ccurl_transfer *transfer) {
  void *connection = connection_of(transfer->easy);
  return connection && ccurl_library.tls.has_pending(connection) != 0;
}

static void note_message(
  int is_written, int version, int type, const void *bytes, size_t length, void *connection, void *context) {
  (void)version;
  (void)connection;
  ccurl_transfer *transfer = context;
  if (!is_written && type == ALERT && length == 2 && ((const unsigned char *)bytes)[1] == CLOSE_NOTIFY)
    transfer->has_farewell = true;
}

void ccurl_tls_await_farewell(ccurl_transfer *transfer) {
  void *connection = connection_of(transfer->easy);
  if (!connection) return;
  ccurl_library.tls.set_msg_callback(connection, note_message);
  ccurl_library.tls.ctrl(connection, SET_MESSAGE_CONTEXT, 0, transfer);
  transfer->needs_farewell = true;
}
