#include "transfer.h"

#include <stdlib.h>
#include <string.h>

/* A connection that breaks while it is being encrypted may do better next time; a disagreement will not. */
static bool is_broken_handshake(const ccurl_transfer *transfer) {
  return strstr(transfer->detail, "SSL_ERROR_SYSCALL") || strstr(transfer->detail, "unexpected eof")
         || strstr(transfer->detail, "reset by peer");
}

/* libcurl has a limit of its own for one line of the headers, and says of a longer one that there is no memory. */
static bool is_long_line(const ccurl_transfer *transfer) {
  return transfer->head.length > 0 && !transfer->is_head_complete;
}

/* What a proxy has answered instead of making a way to the host, or 0. */
static long proxy_status(const ccurl_transfer *transfer) {
  long status = 0;
  curl_easy_getinfo(transfer->easy, CURLINFO_HTTP_CONNECTCODE, &status);
  return status / 100 == 2 ? 0 : status;
}

static bool is_refused_by_proxy(const ccurl_transfer *transfer, CURLcode code) {
  return transfer->is_proxied && code == CURLE_RECV_ERROR && proxy_status(transfer) != 0;
}

static ccurl_outcome outcome_of(const ccurl_transfer *transfer, CURLcode code) {
  if (transfer->is_lost && code != CURLE_OK) return CCURL_BROKEN;
  if (is_refused_by_proxy(transfer, code)) return CCURL_PROXY_REFUSED;
  switch (code) {
    /* libcurl takes headers that end in their middle for an answer without a body (seen with 7.88). */
    case CURLE_OK:
      if (!transfer->is_head_complete) return CCURL_BROKEN;
      return transfer->needs_farewell && !transfer->has_farewell ? CCURL_CUT : CCURL_DONE;
    case CURLE_OPERATION_TIMEDOUT: return CCURL_TIMEOUT;
    case CURLE_COULDNT_RESOLVE_HOST: return CCURL_NO_HOST;
    case CURLE_COULDNT_RESOLVE_PROXY:
    case CURLE_PROXY: return CCURL_NO_PROXY;
    case CURLE_COULDNT_CONNECT: return CCURL_NO_CONNECTION;
    case CURLE_GOT_NOTHING:
    case CURLE_SEND_ERROR:
    case CURLE_RECV_ERROR:
    case CURLE_SEND_FAIL_REWIND: /* it would have to be sent again, and must not be */
    case CURLE_HTTP2:
    case CURLE_HTTP2_STREAM: return CCURL_BROKEN;
    case CURLE_PARTIAL_FILE: return CCURL_CUT;
    case CURLE_PEER_FAILED_VERIFICATION: return CCURL_NOT_TRUSTED;
    case CURLE_SSL_CACERT_BADFILE: return CCURL_NO_CERTIFICATES;
    case CURLE_SSL_CONNECT_ERROR: return is_broken_handshake(transfer) ? CCURL_BROKEN : CCURL_TLS;
    case CURLE_WEIRD_SERVER_REPLY:
    case CURLE_UNSUPPORTED_PROTOCOL: return CCURL_NOT_HTTP;
    case CURLE_BAD_CONTENT_ENCODING: return CCURL_BAD_ENCODING;
    case CURLE_OUT_OF_MEMORY: return is_long_line(transfer) ? CCURL_HEAD_TOO_LARGE : CCURL_NO_MEMORY;
    case CURLE_URL_MALFORMAT: return CCURL_INVALID;
    case CURLE_ABORTED_BY_CALLBACK:
    case CURLE_WRITE_ERROR: return transfer->stopped == CCURL_DONE ? CCURL_OTHER : transfer->stopped;
    default: return CCURL_OTHER;
  }
}

/* Zeroes the padding and gives back what a growing buffer has too much. */
static void hand_over_body(ccurl_transfer *transfer, ccurl_result *result) {
  ccurl_buffer body = transfer->body;
  transfer->body = (ccurl_buffer){0};
  if (!body.bytes) return;
  size_t wanted = body.length + CCURL_PADDING;
  if (body.capacity - wanted > body.capacity / 4) {
    char *smaller = realloc(body.bytes, wanted);
    if (smaller) body.bytes = smaller;
  }
  memset(body.bytes + body.length, 0, CCURL_PADDING);
  result->body = body.bytes;
  result->body_length = body.length;
}

void ccurl_transfer_read_result(ccurl_transfer *transfer, CURLcode code, ccurl_result *result) {
  CURL *easy = transfer->easy;
  curl_off_t elapsed = 0, expected = -1, received = 0, pretransfer = 0;
  long status = 0, os_error = 0;
  char *redirect_url = NULL, *peer = NULL;
  curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
  curl_easy_getinfo(easy, CURLINFO_REDIRECT_URL, &redirect_url);
  curl_easy_getinfo(easy, CURLINFO_TOTAL_TIME_T, &elapsed);
  curl_easy_getinfo(easy, CURLINFO_PRETRANSFER_TIME_T, &pretransfer);
  curl_easy_getinfo(easy, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &expected);
  curl_easy_getinfo(easy, CURLINFO_SIZE_DOWNLOAD_T, &received);
  curl_easy_getinfo(easy, CURLINFO_OS_ERRNO, &os_error);
  curl_easy_getinfo(easy, CURLINFO_PRIMARY_IP, &peer);
  *result = (ccurl_result){
    .tag = transfer->tag,
    .outcome = outcome_of(transfer, code),
    .status = status,
    .head = transfer->head.bytes,
    .head_length = transfer->head.length,
    .redirect_url = redirect_url,
    .elapsed_us = elapsed,
    .expected = expected,
    .received = received,
    .is_connected = transfer->is_sent || pretransfer > 0,
    .os_error = (int)os_error,
    .peer = peer ? peer : "",
    .needs_connection = transfer->needs_connection && code != CURLE_OK,
    .detail = transfer->detail[0] ? transfer->detail : curl_easy_strerror(code),
  };
  if (result->outcome == CCURL_PROXY_REFUSED) result->status = proxy_status(transfer);
  if (transfer->is_lost && result->outcome == CCURL_BROKEN) {
    result->is_lost = true;
    result->os_error = 0;
    result->detail = "closed, or the request refused, before any of it came";
  }
  if (result->outcome == CCURL_DONE) result->outcome = ccurl_decompress_finish(transfer);
  if (code == CURLE_OK && !transfer->is_head_complete) result->detail = "its headers end in the middle";
  if (code == CURLE_SEND_FAIL_REWIND) result->detail = "closed by the server, and the request is not sent again";
  if (transfer->inflater.problem) result->detail = transfer->inflater.problem;
  hand_over_body(transfer, result);
}
