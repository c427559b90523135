/* Packs and unpacks bytes as they come: gzip (RFC 1952, by zlib) and Zstandard (RFC 8878, by libzstd).
 *
 * A packed file is one or more members (frames, as Zstandard says) behind each other; readers join them. */
#ifndef CPACKING_H
#define CPACKING_H

#include <stdbool.h>
#include <stddef.h>

#include "checksum.h"

enum cpacking_format { CPACKING_GZIP, CPACKING_ZSTD };

/* What else is to happen to what was packed. */
enum cpacking_mode {
  CPACKING_MORE,
  /* All of it can be read from what is written so far. */
  CPACKING_FLUSH,
  /* The member ends; the next bytes begin another. */
  CPACKING_END,
};

enum cpacking_result {
  CPACKING_DONE,
  /* There was no room for all of it: call again. */
  CPACKING_ROOM,
  /* The bytes are not of this format, or, for packing, there is no memory. */
  CPACKING_FAILED,
};

typedef struct cpacking_packer cpacking_packer;
typedef struct cpacking_unpacker cpacking_unpacker;

/* NULL where there is no memory. */
cpacking_packer *cpacking_packer_new(enum cpacking_format format);
void cpacking_packer_free(cpacking_packer *packer);

/* Packs bytes into the room; says by `taken` and `written` how far it came. */
enum cpacking_result cpacking_pack(cpacking_packer *packer, const void *bytes, size_t count, size_t *taken,
                                   void *room, size_t capacity, size_t *written, enum cpacking_mode mode);

/* The bytes that would end the member, directly behind a flush; at most 16. */
size_t cpacking_ending(const cpacking_packer *packer, unsigned char ending[16]);

cpacking_unpacker *cpacking_unpacker_new(enum cpacking_format format);
void cpacking_unpacker_free(cpacking_unpacker *unpacker);

/* Unpacks bytes into the room; done when all bytes are taken and nothing is left to write. */
enum cpacking_result cpacking_unpack(cpacking_unpacker *unpacker, const void *bytes, size_t count,
                                     size_t *taken, void *room, size_t capacity, size_t *written);

/* Whether the bytes so far end with a member. */
bool cpacking_is_between(const cpacking_unpacker *unpacker);

#endif
