#include "transfer.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Most pages come in one piece; libcurl's own 16 kB would be two for many. */
#define RECEIVED_AT_ONCE (32 * 1024L)

/* libcurl sends again by itself what a connection that was used before has lost, or what the server has refused of many at once.
 * Whoever counts requests has to know of it, so that it ends here. Not where the server has answered that it wants something else: no
 * `Expect`, or, which shows in the new connection only, HTTP/1.1. */
static bool is_sent_again(ccurl_transfer *transfer, ccurl_speech speech) {
  if (!transfer->is_sent || transfer->head.length > 0) return false;
  if (transfer->speech == CCURL_HTTP2 && speech == CCURL_HTTP1) return false;
  transfer->is_lost = true;
  return true;
}

/* Called between the connection and the request. */
static int guard(void *pointer, char *peer, char *local, int port, int local_port) {
  ccurl_transfer *transfer = pointer;
  ccurl_client *client = transfer->client;
  ccurl_speech speech = transfer->is_encrypted ? ccurl_tls_speech(transfer) : CCURL_UNKNOWN_SPEECH;
  if (is_sent_again(transfer, speech)) return CURL_PREREQFUNC_ABORT;
  transfer->speech = speech;
  transfer->port = local_port;
  if (!transfer->is_proxied && !transfer->is_lent && client->guard && !client->guard(client->guard_context, peer, local, port)) {
    transfer->stopped = CCURL_REFUSED;
    return CURL_PREREQFUNC_ABORT;
  }
  transfer->is_on_stale = !ccurl_transfer_meets_clean_connection(transfer);
  transfer->is_sent = !transfer->is_on_stale;
  return transfer->is_on_stale ? CURL_PREREQFUNC_ABORT : CURL_PREREQFUNC_OK;
}

static int note_opened(void *pointer, curl_socket_t socket, curlsocktype purpose) {
  ccurl_transfer *transfer = pointer;
  (void)purpose;
  /* What it will carry shows when it is encrypted; else it is not needed. */
  if (transfer->speech != CCURL_HTTP2 && is_sent_again(transfer, CCURL_UNKNOWN_SPEECH)) return CURL_SOCKOPT_ERROR;
  transfer->opened = socket;
  return transfer->is_lent ? CURL_SOCKOPT_ALREADY_CONNECTED : CURL_SOCKOPT_OK;
}

/* Options that no transfer is without. */
static void set_defaults(ccurl_transfer *transfer) {
  CURL *easy = transfer->easy;
  curl_easy_setopt(easy, CURLOPT_PRIVATE, transfer);
  curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, transfer->detail);
  curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, ccurl_receive_head);
  curl_easy_setopt(easy, CURLOPT_HEADERDATA, transfer);
  curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, ccurl_receive_body);
  curl_easy_setopt(easy, CURLOPT_WRITEDATA, transfer);
  curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, guard);
  curl_easy_setopt(easy, CURLOPT_PREREQDATA, transfer);
  curl_easy_setopt(easy, CURLOPT_SOCKOPTFUNCTION, note_opened);
  curl_easy_setopt(easy, CURLOPT_SOCKOPTDATA, transfer);
  curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(easy, CURLOPT_BUFFERSIZE, RECEIVED_AT_ONCE);
  curl_easy_setopt(easy, CURLOPT_TCP_NODELAY, 1L);
  curl_easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L);
  curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(easy, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_2TLS);
  curl_easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 0L);
  curl_easy_setopt(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
  curl_easy_setopt(easy, CURLOPT_ACCEPT_ENCODING, ccurl_decompress_offer());
  curl_easy_setopt(easy, CURLOPT_HTTP_CONTENT_DECODING, 0L);
  /* An empty text keeps libcurl from looking into the environment. */
  curl_easy_setopt(easy, CURLOPT_PROXY, "");
  curl_easy_setopt(easy, CURLOPT_NOPROXY, "");
}

ccurl_transfer *ccurl_transfer_allocate(ccurl_client *client) {
  ccurl_transfer *transfer = client->unused;
  if (transfer) {
    client->unused = transfer->next;
    client->unused_count -= 1;
  } else {
    transfer = calloc(1, sizeof *transfer);
    if (!transfer) return NULL;
    transfer->easy = curl_easy_init();
    if (!transfer->easy) {
      free(transfer);
      return NULL;
    }
  }
  transfer->client = client;
  transfer->next = NULL;
  transfer->link = NULL;
  transfer->max_body = 0;
  transfer->head.length = 0;
  transfer->is_head_complete = false;
  transfer->expects_body = true;
  transfer->is_failed = false;
  transfer->is_proxied = false;
  transfer->is_lent = false;
  transfer->needs_connection = false;
  transfer->lent = transfer->opened = -1;
  transfer->port = -1;
  transfer->is_encrypted = transfer->is_on_stale = false;
  transfer->is_sent = transfer->is_lost = false;
  transfer->speech = CCURL_UNKNOWN_SPEECH;
  transfer->needs_farewell = transfer->has_farewell = false;
  transfer->stopped = CCURL_DONE;
  transfer->detail[0] = 0;
  set_defaults(transfer);
  return transfer;
}

void ccurl_transfer_drop_lent(ccurl_transfer *transfer) {
  if (transfer->lent >= 0) close(transfer->lent);
  transfer->lent = -1;
  curl_slist_free_all(transfer->places);
  transfer->places = NULL;
}

void ccurl_transfer_free(ccurl_transfer *transfer) {
  curl_easy_cleanup(transfer->easy);
  curl_slist_free_all(transfer->headers);
  ccurl_transfer_drop_lent(transfer);
  ccurl_decompress_end(transfer);
  free(transfer->head.bytes);
  free(transfer->body.bytes);
  free(transfer->sent.bytes);
  free(transfer);
}

static void check(ccurl_transfer *transfer, CURLcode code) {
  if (code != CURLE_OK) transfer->is_failed = true;
}

void ccurl_transfer_set_target(ccurl_transfer *transfer, const char *method, const char *url) {
  check(transfer, curl_easy_setopt(transfer->easy, CURLOPT_URL, url));
  if (strcmp(method, "HEAD") == 0) {
    transfer->expects_body = false;
    check(transfer, curl_easy_setopt(transfer->easy, CURLOPT_NOBODY, 1L));
  } else {
    check(transfer, curl_easy_setopt(transfer->easy, CURLOPT_CUSTOMREQUEST, method));
  }
}

void ccurl_transfer_set_proxy(ccurl_transfer *transfer, const char *proxy) {
  transfer->is_proxied = proxy && *proxy;
  if (transfer->is_proxied && strncasecmp(proxy, "https:", 6) == 0) transfer->is_encrypted = true;
  check(transfer, curl_easy_setopt(transfer->easy, CURLOPT_PROXY, proxy ? proxy : ""));
}

void ccurl_transfer_set_login(ccurl_transfer *transfer, const char *user, const char *password) {
  check(transfer, curl_easy_setopt(transfer->easy, CURLOPT_USERNAME, user));
  check(transfer, curl_easy_setopt(transfer->easy, CURLOPT_PASSWORD, password));
}

void ccurl_transfer_add_header(ccurl_transfer *transfer, const char *line) {
  struct curl_slist *headers = curl_slist_append(transfer->headers, line);
  if (headers) {
    transfer->headers = headers;
  } else {
    transfer->is_failed = true;
  }
}

static size_t give_body(char *to, size_t size, size_t count, void *pointer) {
  ccurl_transfer *transfer = pointer;
  size_t left = transfer->sent.length - transfer->given;
  size_t piece = left < size * count ? left : size * count;
  memcpy(to, transfer->sent.bytes + transfer->given, piece);
  transfer->given += piece;
  return piece;
}

/* libcurl sends again by itself what a connection that was used before has lost, unless it can't have the body a second time. */
static void set_body_once(ccurl_transfer *transfer, const void *bytes, size_t length) {
  transfer->sent.length = transfer->given = 0;
  if (!ccurl_buffer_reserve(&transfer->sent, length, 0)) {
    transfer->is_failed = true;
    return;
  }
  memcpy(transfer->sent.bytes, bytes, length);
  transfer->sent.length = length;
  check(transfer, curl_easy_setopt(transfer->easy, CURLOPT_POST, 1L));
  check(transfer, curl_easy_setopt(transfer->easy, CURLOPT_READFUNCTION, give_body));
  check(transfer, curl_easy_setopt(transfer->easy, CURLOPT_READDATA, transfer));
}

void ccurl_transfer_set_body(ccurl_transfer *transfer, const void *bytes, size_t length, bool is_sent_once) {
  check(transfer, curl_easy_setopt(transfer->easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)length));
  if (is_sent_once && length) return set_body_once(transfer, bytes, length);
  check(transfer, curl_easy_setopt(transfer->easy, CURLOPT_COPYPOSTFIELDS, length ? bytes : ""));
  if (is_sent_once) ccurl_transfer_set_sent_once(transfer);
}

void ccurl_transfer_set_sent_once(ccurl_transfer *transfer) {
  check(transfer, curl_easy_setopt(transfer->easy, CURLOPT_FRESH_CONNECT, 1L));
}

void ccurl_transfer_set_limits(ccurl_transfer *transfer, long timeout_ms, long connect_ms, size_t max_body) {
  check(transfer, curl_easy_setopt(transfer->easy, CURLOPT_TIMEOUT_MS, timeout_ms));
  check(transfer, curl_easy_setopt(transfer->easy, CURLOPT_CONNECTTIMEOUT_MS, connect_ms));
  transfer->max_body = max_body;
}

void ccurl_transfer_set_encrypted(ccurl_transfer *transfer) {
  transfer->is_encrypted = true;
  check(transfer, curl_easy_setopt(transfer->easy, CURLOPT_PIPEWAIT, 1L));
}

void ccurl_transfer_set_trust(ccurl_transfer *transfer, const char *file, const char *folder) {
  if (file) check(transfer, curl_easy_setopt(transfer->easy, CURLOPT_CAINFO, file));
  if (folder) check(transfer, curl_easy_setopt(transfer->easy, CURLOPT_CAPATH, folder));
}

static curl_socket_t take_lent(void *pointer, curlsocktype purpose, struct curl_sockaddr *address) {
  ccurl_transfer *transfer = pointer;
  (void)purpose;
  (void)address;
  int lent = transfer->lent;
  transfer->lent = -1;
  if (lent < 0 && !is_sent_again(transfer, CCURL_UNKNOWN_SPEECH)) transfer->needs_connection = true;
  return lent < 0 ? CURL_SOCKET_BAD : lent;
}

void ccurl_transfer_set_lent(ccurl_transfer *transfer, int descriptor) {
  transfer->is_lent = true;
  transfer->lent = descriptor;
  /* An address that nobody has (RFC 5737), the same for all, so that one transfer's connection is found by the next. */
  transfer->places = curl_slist_append(NULL, "::192.0.2.1:");
  if (!transfer->places) transfer->is_failed = true;
  check(transfer, curl_easy_setopt(transfer->easy, CURLOPT_CONNECT_TO, transfer->places));
  check(transfer, curl_easy_setopt(transfer->easy, CURLOPT_OPENSOCKETFUNCTION, take_lent));
  check(transfer, curl_easy_setopt(transfer->easy, CURLOPT_OPENSOCKETDATA, transfer));
  /* Waiting to share a connection ends when that one can't be made. */
  check(transfer, curl_easy_setopt(transfer->easy, CURLOPT_PIPEWAIT, 0L));
}
