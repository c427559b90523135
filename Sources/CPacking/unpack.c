#include "CPacking.h"

#include <stdlib.h>
#include <zlib.h>
#include <zstd.h>

struct cpacking_unpacker {
  enum cpacking_format format;
  z_stream gzip;
  ZSTD_DCtx *zstd;
  bool is_inside;
  /* A member of a gzip has come to its end. */
  bool has_ended;
};

/* The greatest window of gzip, and its header and trailer. */
static const int gzip_window = 15 + 16;

cpacking_unpacker *cpacking_unpacker_new(enum cpacking_format format) {
  cpacking_unpacker *unpacker = calloc(1, sizeof *unpacker);
  if (!unpacker) return NULL;
  unpacker->format = format;
  bool is_made = format == CPACKING_GZIP ? inflateInit2(&unpacker->gzip, gzip_window) == Z_OK
                                         : (unpacker->zstd = ZSTD_createDCtx()) != NULL;
  if (is_made) return unpacker;
  free(unpacker);
  return NULL;
}

void cpacking_unpacker_free(cpacking_unpacker *unpacker) {
  if (unpacker->format == CPACKING_GZIP) inflateEnd(&unpacker->gzip);
  ZSTD_freeDCtx(unpacker->zstd);
  free(unpacker);
}

static size_t least(size_t one, size_t other) { return one < other ? one : other; }

static enum cpacking_result unpack_gzip(cpacking_unpacker *unpacker, const void *bytes, size_t count,
                                        size_t *taken, void *room, size_t capacity, size_t *written) {
  z_stream *stream = &unpacker->gzip;
  const uInt given = (uInt)least(count, 1 << 30), space = (uInt)least(capacity, 1 << 30);
  stream->next_in = (Bytef *)bytes;
  stream->avail_in = given;
  stream->next_out = room;
  stream->avail_out = space;
  int result = Z_OK;
  while (stream->avail_out > 0) {
    /* Zeros behind a member are none: they fill up the block of a tape, and gzip passes them as well. */
    while (!unpacker->is_inside && unpacker->has_ended && stream->avail_in > 0 && *stream->next_in == 0)
      stream->next_in++, stream->avail_in--;
    if (!unpacker->is_inside && stream->avail_in == 0) break;
    unpacker->is_inside = true;
    result = inflate(stream, Z_NO_FLUSH);
    if (result == Z_STREAM_END) {
      unpacker->is_inside = false;
      unpacker->has_ended = true;
      if (inflateReset(stream) != Z_OK) return CPACKING_FAILED;
    } else if (result != Z_OK) {
      break;
    }
  }
  *taken = given - stream->avail_in;
  *written = space - stream->avail_out;
  if (result != Z_OK && result != Z_STREAM_END && result != Z_BUF_ERROR) return CPACKING_FAILED;
  return *taken == count && stream->avail_out > 0 ? CPACKING_DONE : CPACKING_ROOM;
}

enum cpacking_result cpacking_unpack(cpacking_unpacker *unpacker, const void *bytes, size_t count,
                                     size_t *taken, void *room, size_t capacity, size_t *written) {
  *taken = *written = 0;
  if (unpacker->format == CPACKING_GZIP)
    return unpack_gzip(unpacker, bytes, count, taken, room, capacity, written);
  ZSTD_inBuffer in = {bytes, count, 0};
  ZSTD_outBuffer out = {room, capacity, 0};
  while (out.pos < out.size) {
    size_t before = in.pos + out.pos;
    size_t left = ZSTD_decompressStream(unpacker->zstd, &out, &in);
    if (ZSTD_isError(left)) return CPACKING_FAILED;
    if (in.pos + out.pos > before) unpacker->is_inside = left != 0;
    if (in.pos == in.size) break;
  }
  *taken = in.pos;
  *written = out.pos;
  return in.pos == count && out.pos < capacity ? CPACKING_DONE : CPACKING_ROOM;
}

bool cpacking_is_between(const cpacking_unpacker *unpacker) { return !unpacker->is_inside; }
