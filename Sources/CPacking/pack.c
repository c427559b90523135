#include "CPacking.h"

#include <stdint.h>
#include <stdlib.h>
#include <zlib.h>
#include <zstd.h>

struct cpacking_packer {
  enum cpacking_format format;
  z_stream gzip;
  ZSTD_CCtx *zstd;
  /* Of the content of the frame that is open: what would end it has to say it. */
  struct cpacking_checksum sum;
};

/* A window of 32 KB and the header and trailer of gzip. */
static const int gzip_window = 15 + 16;

cpacking_packer *cpacking_packer_new(enum cpacking_format format) {
  cpacking_packer *packer = calloc(1, sizeof *packer);
  if (!packer) return NULL;
  packer->format = format;
  cpacking_checksum_begin(&packer->sum);
  bool is_made = format == CPACKING_GZIP
                     ? deflateInit2(&packer->gzip, 6, Z_DEFLATED, gzip_window, 8, Z_DEFAULT_STRATEGY) == Z_OK
                     : (packer->zstd = ZSTD_createCCtx()) != NULL;
  if (packer->zstd) ZSTD_CCtx_setParameter(packer->zstd, ZSTD_c_checksumFlag, 1);
  if (is_made) return packer;
  free(packer);
  return NULL;
}

void cpacking_packer_free(cpacking_packer *packer) {
  if (packer->format == CPACKING_GZIP) deflateEnd(&packer->gzip);
  ZSTD_freeCCtx(packer->zstd);
  free(packer);
}

static size_t least(size_t one, size_t other) { return one < other ? one : other; }

static enum cpacking_result pack_gzip(z_stream *stream, const void *bytes, size_t count, size_t *taken,
                                      void *room, size_t capacity, size_t *written, enum cpacking_mode mode) {
  const int flushes[] = {Z_NO_FLUSH, Z_SYNC_FLUSH, Z_FINISH};
  const uInt given = (uInt)least(count, 1 << 30), space = (uInt)least(capacity, 1 << 30);
  stream->next_in = (Bytef *)bytes;
  stream->avail_in = given;
  stream->next_out = room;
  stream->avail_out = space;
  int result = deflate(stream, given < count ? Z_NO_FLUSH : flushes[mode]);
  *taken = given - stream->avail_in;
  *written = space - stream->avail_out;
  if (result == Z_STREAM_ERROR) return CPACKING_FAILED;
  if (result == Z_STREAM_END) return deflateReset(stream) == Z_OK ? CPACKING_DONE : CPACKING_FAILED;
  bool is_done = *taken == count && stream->avail_out > 0 && mode != CPACKING_END;
  return is_done ? CPACKING_DONE : CPACKING_ROOM;
}

enum cpacking_result cpacking_pack(cpacking_packer *packer, const void *bytes, size_t count, size_t *taken,
                                   void *room, size_t capacity, size_t *written, enum cpacking_mode mode) {
  if (packer->format == CPACKING_GZIP)
    return pack_gzip(&packer->gzip, bytes, count, taken, room, capacity, written, mode);
  const ZSTD_EndDirective directives[] = {ZSTD_e_continue, ZSTD_e_flush, ZSTD_e_end};
  ZSTD_inBuffer in = {bytes, count, 0};
  ZSTD_outBuffer out = {room, capacity, 0};
  size_t left = ZSTD_compressStream2(packer->zstd, &out, &in, directives[mode]);
  *taken = in.pos;
  *written = out.pos;
  if (ZSTD_isError(left)) return CPACKING_FAILED;
  cpacking_checksum_add(&packer->sum, bytes, in.pos);
  if (mode == CPACKING_END && left == 0) cpacking_checksum_begin(&packer->sum);
  return in.pos == count && (mode == CPACKING_MORE || left == 0) ? CPACKING_DONE : CPACKING_ROOM;
}

static unsigned char *put(unsigned char *place, uint32_t number) {
  for (int shift = 0; shift < 32; shift += 8) *place++ = (unsigned char)(number >> shift);
  return place;
}

size_t cpacking_ending(const cpacking_packer *packer, unsigned char ending[16]) {
  unsigned char *end = ending;
  if (packer->format == CPACKING_GZIP) {
    /* An empty last block with fixed codes; then the checksum and the length of the text. */
    *end++ = 3;
    *end++ = 0;
    end = put(end, (uint32_t)packer->gzip.adler);
    end = put(end, (uint32_t)packer->gzip.total_in);
  } else {
    /* An empty last block of raw bytes; then the checksum. */
    *end++ = 1;
    *end++ = 0;
    *end++ = 0;
    end = put(end, cpacking_checksum_value(&packer->sum));
  }
  return (size_t)(end - ending);
}
