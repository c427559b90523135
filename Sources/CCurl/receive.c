#include "transfer.h"

#include <stdlib.h>
#include <string.h>

#define SMALLEST_BODY (16 * 1024)
/* What an announced length may reserve before a byte of it has come. */
#define LARGEST_TRUST (1024 * 1024)

bool ccurl_buffer_reserve(ccurl_buffer *buffer, size_t more, size_t padding) {
  size_t wanted = buffer->length + more + padding;
  if (wanted <= buffer->capacity) return true;
  size_t doubled = buffer->capacity * 2;
  size_t capacity = doubled > wanted ? doubled : wanted;
  char *bytes = realloc(buffer->bytes, capacity);
  if (!bytes) return false;
  buffer->bytes = bytes;
  buffer->capacity = capacity;
  return true;
}

static size_t stop(ccurl_transfer *transfer, ccurl_outcome reason) {
  transfer->stopped = reason;
  return 0;
}

static int64_t announced_length(CURL *easy) {
  curl_off_t length = -1;
  curl_easy_getinfo(easy, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &length);
  return length;
}

bool ccurl_transfer_has_body(const ccurl_transfer *transfer) {
  long status = 0;
  curl_easy_getinfo(transfer->easy, CURLINFO_RESPONSE_CODE, &status);
  return transfer->expects_body && status >= 200 && status != 204 && status != 304
         && announced_length(transfer->easy) != 0;
}

/* At the empty line: an answer that announces too much is refused before its body comes. */
static bool announces_too_much(ccurl_transfer *transfer) {
  int64_t length = announced_length(transfer->easy);
  return ccurl_transfer_has_body(transfer) && length >= 0 && (uint64_t)length > transfer->max_body;
}

/* Whether the body says itself where it ends, so that a part of it is none. */
static bool is_one_value(const ccurl_transfer *transfer) {
  const char *type = NULL;
  curl_easy_getinfo(transfer->easy, CURLINFO_CONTENT_TYPE, (char **)&type);
  size_t length = type ? strcspn(type, "; ") : 0;
  if (length < 5 || strncasecmp(type + length - 4, "json", 4) != 0) return false;
  return type[length - 5] == '/' || type[length - 5] == '+';
}

/* Whether nothing but the end of the connection ends the body. */
static bool ends_with_connection(ccurl_transfer *transfer) {
  struct curl_header *header = NULL;
  return ccurl_transfer_has_body(transfer) && !is_one_value(transfer) && announced_length(transfer->easy) < 0
         && curl_easy_header(transfer->easy, "Transfer-Encoding", 0, CURLH_HEADER, -1, &header) != CURLHE_OK;
}

size_t ccurl_receive_head(char *bytes, size_t size, size_t count, void *user) {
  ccurl_transfer *transfer = user;
  size_t length = size * count;
  bool is_status_line = length >= 5 && memcmp(bytes, "HTTP/", 5) == 0;
  if (is_status_line) { /* the one before was an interim answer */
    transfer->head.length = 0;
    transfer->is_head_complete = false;
  }
  if (transfer->is_head_complete) return length; /* a trailer */
  if (transfer->head.length + length > CCURL_MAX_HEAD) return stop(transfer, CCURL_HEAD_TOO_LARGE);
  if (!ccurl_buffer_reserve(&transfer->head, length, 0)) return stop(transfer, CCURL_NO_MEMORY);
  memcpy(transfer->head.bytes + transfer->head.length, bytes, length);
  transfer->head.length += length;
  if (length == 0 || bytes[0] == '\r' || bytes[0] == '\n') {
    transfer->is_head_complete = true;
    if (announces_too_much(transfer)) return stop(transfer, CCURL_TOO_LARGE);
    bool is_shared = transfer->speech == CCURL_HTTP2;
    if (transfer->is_encrypted && !is_shared && ends_with_connection(transfer)) ccurl_tls_await_farewell(transfer);
  }
  return length;
}

/* The room to begin with: what was announced, so that most bodies are never moved. */
static size_t first_capacity(ccurl_transfer *transfer) {
  int64_t length = announced_length(transfer->easy);
  return length < 0 ? SMALLEST_BODY : length > LARGEST_TRUST ? LARGEST_TRUST : (size_t)length;
}

size_t ccurl_receive_body(char *bytes, size_t size, size_t count, void *user) {
  ccurl_transfer *transfer = user;
  size_t length = size * count;
  ccurl_buffer *body = &transfer->body;
  ccurl_outcome outcome = ccurl_decompress(transfer, bytes, length);
  if (outcome != CCURL_DONE) return stop(transfer, outcome);
  if (transfer->inflater.form != CCURL_PLAIN) return length;
  if (length > transfer->max_body - body->length) return stop(transfer, CCURL_TOO_LARGE);
  size_t room = body->bytes ? length : first_capacity(transfer);
  if (!ccurl_buffer_reserve(body, room > length ? room : length, CCURL_PADDING)) return stop(transfer, CCURL_NO_MEMORY);
  memcpy(body->bytes + body->length, bytes, length);
  body->length += length;
  return length;
}
