#include "transfer.h"

#include <stdlib.h>
#include <string.h>

/* Room for what a piece of a compressed body becomes, at least. */
#define SMALLEST_PIECE (32 * 1024)
/* Compressed bytes that are collected before they are decompressed; a longer body is decompressed as it comes. */
#define LARGEST_PACKED (1024 * 1024)
/* What is around the compressed data of gzip, at least; and what a byte of it stands for, at most. */
#define GZIP_WRAPPER 18
#define LARGEST_RATIO 1032

/* libcurl's own decoders take a stream that ends in its middle for a whole one (seen with 7.88), so the body is taken as it
 * comes and decompressed here. */
const char *ccurl_decompress_offer(void) { return "gzip, deflate"; }

static bool refuse(ccurl_inflater *inflater) {
  inflater->problem = "it is compressed in a way that was not offered";
  return false;
}

static bool is(const char *text, const char *name) { return curl_strequal(text, name) != 0; }

/* The form that a header names; unknown for what was not offered. */
static ccurl_form form_of(const char *coding) {
  if (is(coding, "") || is(coding, "identity")) return CCURL_PLAIN;
  if (is(coding, "gzip") || is(coding, "x-gzip")) return CCURL_GZIP;
  return is(coding, "deflate") ? CCURL_DEFLATE : CCURL_UNKNOWN;
}

/* Looks at the head once it is complete. */
static bool begin(ccurl_transfer *transfer) {
  ccurl_inflater *inflater = &transfer->inflater;
  struct curl_header *header = NULL;
  inflater->form = CCURL_PLAIN;
  size_t at = 0;
  for (; curl_easy_header(transfer->easy, "Content-Encoding", at, CURLH_HEADER, -1, &header) == CURLHE_OK; at++) {
    ccurl_form form = form_of(header->value);
    if (form == CCURL_UNKNOWN || (form != CCURL_PLAIN && inflater->form != CCURL_PLAIN)) return refuse(inflater);
    if (form != CCURL_PLAIN) inflater->form = form;
  }
  /* libcurl puts chunks together; what else was done to send it was not offered. */
  for (at = 0; curl_easy_header(transfer->easy, "Transfer-Encoding", at, CURLH_HEADER, -1, &header) == CURLHE_OK; at++) {
    if (!is(header->value, "chunked") && !is(header->value, "identity")) return refuse(inflater);
  }
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
    if (inflater->is_whole) { /* another member of gzip may follow, or padding */
      while (stream->avail_in > 0 && *stream->next_in == 0) stream->next_in++, stream->avail_in--;
      if (stream->avail_in == 0) return CCURL_DONE;
      if (inflater->form != CCURL_GZIP) return CCURL_BAD_ENCODING;
      if (inflateReset(stream) != Z_OK) return CCURL_NO_MEMORY;
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

/* Decompresses what has been collected, and from now on what comes. */
static ccurl_outcome stream(ccurl_transfer *transfer) {
  ccurl_inflater *inflater = &transfer->inflater;
  inflater->is_streamed = true;
  if (inflateInit2(&inflater->stream, 15 + 32) != Z_OK) {
    inflater->is_streamed = false;
    return CCURL_NO_MEMORY;
  }
  ccurl_buffer packed = inflater->packed;
  inflater->packed = (ccurl_buffer){0};
  ccurl_outcome outcome = inflate_piece(transfer, packed.bytes, packed.length);
  free(packed.bytes);
  return outcome;
}

ccurl_outcome ccurl_decompress(ccurl_transfer *transfer, char *bytes, size_t length) {
  ccurl_inflater *inflater = &transfer->inflater;
  if (inflater->form == CCURL_UNKNOWN && !begin(transfer)) return CCURL_BAD_ENCODING;
  if (inflater->form == CCURL_PLAIN) return CCURL_DONE;
  if (!inflater->is_streamed && (inflater->form != CCURL_GZIP || inflater->packed.length + length > LARGEST_PACKED)) {
    ccurl_outcome outcome = stream(transfer);
    if (outcome != CCURL_DONE) return outcome;
  }
  if (inflater->is_streamed) return inflate_piece(transfer, bytes, length);
  if (!ccurl_buffer_reserve(&inflater->packed, length, 0)) return CCURL_NO_MEMORY;
  memcpy(inflater->packed.bytes + inflater->packed.length, bytes, length);
  inflater->packed.length += length;
  return CCURL_DONE;
}

/* Decompresses a body of gzip that says how long it is, at once: two to three times as quick as in pieces. False if it is not
 * what it says; then in pieces it shows what it is: of several members, followed by something, too large, or broken. */
static bool inflate_at_once(ccurl_transfer *transfer) {
  ccurl_inflater *inflater = &transfer->inflater;
  ccurl_buffer *body = &transfer->body;
  size_t length = inflater->packed.length;
  if (length < GZIP_WRAPPER) return false;
  const unsigned char *end = (const unsigned char *)inflater->packed.bytes + length;
  size_t told = (size_t)end[-4] | (size_t)end[-3] << 8 | (size_t)end[-2] << 16 | (size_t)end[-1] << 24;
  if (told > transfer->max_body || told > length * LARGEST_RATIO) return false;
  struct libdeflate_decompressor **decompressor = &transfer->client->decompressor;
  if (!*decompressor) *decompressor = libdeflate_alloc_decompressor();
  if (!*decompressor || !ccurl_buffer_reserve(body, told, CCURL_PADDING)) return false;
  size_t taken = 0;
  enum libdeflate_result result = libdeflate_gzip_decompress_ex(
    *decompressor, inflater->packed.bytes, length, body->bytes, told, &taken, &body->length);
  if (result == LIBDEFLATE_SUCCESS && taken == length) return true;
  body->length = 0;
  return false;
}

/* No bytes are no compressed body, not even of an empty one. Who takes an answer for a list has one that succeeded. */
static ccurl_outcome finish_without_bytes(ccurl_transfer *transfer) {
  ccurl_inflater *inflater = &transfer->inflater;
  long status = 0;
  curl_easy_getinfo(transfer->easy, CURLINFO_RESPONSE_CODE, &status);
  if (inflater->form != CCURL_UNKNOWN || status / 100 != 2 || !ccurl_transfer_has_body(transfer)) return CCURL_DONE;
  if (!begin(transfer)) return CCURL_BAD_ENCODING;
  if (inflater->form == CCURL_PLAIN) return CCURL_DONE;
  inflater->problem = "its compressed data is missing";
  return CCURL_BAD_ENCODING;
}

ccurl_outcome ccurl_decompress_finish(ccurl_transfer *transfer) {
  ccurl_inflater *inflater = &transfer->inflater;
  if (inflater->packed.length > 0) {
    if (inflate_at_once(transfer)) return CCURL_DONE;
    ccurl_outcome outcome = stream(transfer);
    if (outcome != CCURL_DONE) return outcome;
  }
  if (inflater->taken == 0) return finish_without_bytes(transfer);
  if (inflater->is_whole) return CCURL_DONE;
  inflater->problem = "its compressed data ends in the middle";
  return CCURL_BAD_ENCODING;
}

void ccurl_decompress_end(ccurl_transfer *transfer) {
  ccurl_inflater *inflater = &transfer->inflater;
  if (inflater->is_streamed) inflateEnd(&inflater->stream);
  free(inflater->packed.bytes);
  *inflater = (ccurl_inflater){0};
}
