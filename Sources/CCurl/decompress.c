#include "transfer.h"

#include <string.h>

/* Room for what a piece of a compressed body becomes, at least. */
#define SMALLEST_PIECE (32 * 1024)

/* libcurl's own decoders take a stream that ends in its middle for a whole one (seen with 7.88), so the body is taken as it
 * comes and decompressed here. */
const char *ccurl_decompress_offer(void) { return "gzip, deflate"; }

static bool is(const char *text, const char *name) { return curl_strequal(text, name) != 0; }

/* Looks at the head once it is complete. */
static bool begin(ccurl_transfer *transfer) {
  ccurl_inflater *inflater = &transfer->inflater;
  struct curl_header *header = NULL;
  inflater->form = CCURL_PLAIN;
  if (curl_easy_header(transfer->easy, "Content-Encoding", 0, CURLH_HEADER, -1, &header) != CURLHE_OK) return true;
  if (is(header->value, "") || is(header->value, "identity")) return true;
  bool is_gzip = is(header->value, "gzip") || is(header->value, "x-gzip");
  if (!is_gzip && !is(header->value, "deflate")) {
    inflater->problem = "it is compressed in a way that was not offered";
    return false;
  }
  inflater->stream = (z_stream){0};
  if (inflateInit2(&inflater->stream, 15 + 32) != Z_OK) {
    inflater->problem = "no memory";
    return false;
  }
  inflater->form = is_gzip ? CCURL_GZIP : CCURL_DEFLATE;
  return true;
}

/* Some servers send deflate without the wrapper that it should have (RFC 9110, 8.4.1.2). Its absence shows at the second byte,
 * and the first may have come in a piece of its own. */
static bool begin_again_unwrapped(ccurl_inflater *inflater, char *bytes, size_t length) {
  z_stream *stream = &inflater->stream;
  size_t before = inflater->taken - length;
  if (inflater->form != CCURL_DEFLATE || inflater->is_unwrapped || stream->total_out > 0 || before > 1) return false;
  inflater->is_unwrapped = true;
  if (inflateReset2(stream, -15) != Z_OK) return false;
  if (before == 1) {
    stream->next_in = (Bytef *)&inflater->first;
    stream->avail_in = 1;
    if (inflate(stream, Z_NO_FLUSH) != Z_OK || stream->avail_in > 0) return false;
  }
  stream->next_in = (Bytef *)bytes;
  stream->avail_in = (uInt)length;
  return true;
}

static ccurl_outcome inflate_piece(ccurl_transfer *transfer, char *bytes, size_t length) {
  ccurl_inflater *inflater = &transfer->inflater;
  ccurl_buffer *body = &transfer->body;
  z_stream *stream = &inflater->stream;
  stream->next_in = (Bytef *)bytes;
  stream->avail_in = (uInt)length;
  if (inflater->taken == 0 && length > 0) inflater->first = bytes[0];
  inflater->taken += length;
  bool is_full = false; /* more may come out without anything going in */
  while (stream->avail_in > 0 || is_full) {
    if (inflater->is_whole) { /* another member may follow, or padding */
      if (inflater->form != CCURL_GZIP || *stream->next_in != 0x1f || inflateReset(stream) != Z_OK) return CCURL_DONE;
      inflater->is_whole = false;
    }
    if (!ccurl_buffer_reserve(body, SMALLEST_PIECE, CCURL_PADDING)) return CCURL_NO_MEMORY;
    size_t room = body->capacity - body->length - CCURL_PADDING;
    if (room > UINT32_MAX / 2) room = UINT32_MAX / 2;
    stream->next_out = (Bytef *)(body->bytes + body->length);
    stream->avail_out = (uInt)room;
    int result = inflate(stream, Z_NO_FLUSH);
    body->length += room - stream->avail_out;
    is_full = result == Z_OK && stream->avail_out == 0;
    if (body->length > transfer->max_body) return CCURL_TOO_LARGE;
    if (result == Z_STREAM_END) {
      inflater->is_whole = true;
    } else if (result == Z_DATA_ERROR && begin_again_unwrapped(inflater, bytes, length)) {
      continue;
    } else if (result != Z_OK && result != Z_BUF_ERROR) {
      inflater->problem = stream->msg ? stream->msg : "its compressed data is broken";
      return CCURL_BAD_ENCODING;
    }
  }
  return CCURL_DONE;
}

ccurl_outcome ccurl_decompress(ccurl_transfer *transfer, char *bytes, size_t length) {
  if (transfer->inflater.form == CCURL_UNKNOWN && !begin(transfer)) return CCURL_BAD_ENCODING;
  if (transfer->inflater.form == CCURL_PLAIN) return CCURL_DONE;
  return inflate_piece(transfer, bytes, length);
}

bool ccurl_decompress_is_cut(ccurl_transfer *transfer) {
  ccurl_inflater *inflater = &transfer->inflater;
  if (inflater->taken == 0 || inflater->is_whole) return false;
  inflater->problem = "its compressed data ends in the middle";
  return true;
}

void ccurl_decompress_end(ccurl_transfer *transfer) {
  ccurl_inflater *inflater = &transfer->inflater;
  if (inflater->form == CCURL_GZIP || inflater->form == CCURL_DEFLATE) inflateEnd(&inflater->stream);
  *inflater = (ccurl_inflater){0};
}
