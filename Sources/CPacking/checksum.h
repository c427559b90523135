/* The checksum of a zstd frame's content: XXH64 with the seed 0, as its specification says (xxhash.com, RFC 8878 3.1.1). */
#ifndef CHECKSUM_H
#define CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

struct checksum {
  uint64_t lanes[4], length;
  unsigned char rest[32];
};

void checksum_begin(struct checksum *sum);
void checksum_add(struct checksum *sum, const void *bytes, size_t count);
/* What a frame ends with: the lower half. */
uint32_t checksum_value(const struct checksum *sum);

#endif
