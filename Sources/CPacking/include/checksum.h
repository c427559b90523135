/* The checksum of bytes, of which a zstd frame's content has one: XXH64 with the seed 0, as its specification says (xxhash.com,
 * RFC 8878 3.1.1). */
#ifndef CPACKING_CHECKSUM_H
#define CPACKING_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

struct cpacking_checksum {
  uint64_t lanes[4], length;
  unsigned char rest[32];
};

void cpacking_checksum_begin(struct cpacking_checksum *sum);
void cpacking_checksum_add(struct cpacking_checksum *sum, const void *bytes, size_t count);
/* What a frame ends with: the lower half. */
uint32_t cpacking_checksum_value(const struct cpacking_checksum *sum);

#endif
