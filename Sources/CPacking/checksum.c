#include "checksum.h"

#include <string.h>

static const uint64_t prime1 = 0x9E3779B185EBCA87, prime2 = 0xC2B2AE3D27D4EB4F, prime3 = 0x165667B19E3779F9,
                      prime4 = 0x85EBCA77C2B2AE63, prime5 = 0x27D4EB2F165667C5;

static uint64_t rotated(uint64_t word, int bits) { return word << bits | word >> (64 - bits); }

static uint64_t little(const unsigned char *bytes, size_t count) {
  uint64_t word = 0;
  memcpy(&word, bytes, count);
  return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? word : __builtin_bswap64(word);
}

static uint64_t mixed(uint64_t lane, uint64_t word) { return rotated(lane + word * prime2, 31) * prime1; }

void cpacking_checksum_begin(struct cpacking_checksum *sum) {
  sum->lanes[0] = prime1 + prime2;
  sum->lanes[1] = prime2;
  sum->lanes[2] = 0;
  sum->lanes[3] = -prime1;
  sum->length = 0;
}

/* Mixes as many bytes in as fill all lanes, from the front; answers where the rest begins. */
static const unsigned char *stripes(struct cpacking_checksum *sum, const unsigned char *bytes, size_t count) {
  uint64_t one = sum->lanes[0], two = sum->lanes[1], three = sum->lanes[2], four = sum->lanes[3];
  for (; count >= 32; bytes += 32, count -= 32) {
    one = mixed(one, little(bytes, 8));
    two = mixed(two, little(bytes + 8, 8));
    three = mixed(three, little(bytes + 16, 8));
    four = mixed(four, little(bytes + 24, 8));
  }
  sum->lanes[0] = one;
  sum->lanes[1] = two;
  sum->lanes[2] = three;
  sum->lanes[3] = four;
  return bytes;
}

void cpacking_checksum_add(struct cpacking_checksum *sum, const void *bytes, size_t count) {
  const unsigned char *from = bytes;
  size_t held = sum->length % 32;
  sum->length += count;
  if (held && held + count >= 32) {
    memcpy(sum->rest + held, from, 32 - held);
    stripes(sum, sum->rest, 32);
    from += 32 - held;
    count -= 32 - held;
    held = 0;
  }
  if (!held) {
    from = stripes(sum, from, count);
    count %= 32;
  }
  if (count) memcpy(sum->rest + held, from, count);
}

uint32_t cpacking_checksum_value(const struct cpacking_checksum *sum) {
  uint64_t hash = sum->lanes[2] + prime5;
  if (sum->length >= 32) {
    static const int bits[] = {1, 7, 12, 18};
    hash = 0;
    for (int lane = 0; lane < 4; lane++) hash += rotated(sum->lanes[lane], bits[lane]);
    for (int lane = 0; lane < 4; lane++) hash = (hash ^ mixed(0, sum->lanes[lane])) * prime1 + prime4;
  }
  hash += sum->length;
  const unsigned char *from = sum->rest;
  size_t count = sum->length % 32;
  for (; count >= 8; from += 8, count -= 8)
    hash = rotated(hash ^ mixed(0, little(from, 8)), 27) * prime1 + prime4;
  if (count >= 4) {
    hash = rotated(hash ^ little(from, 4) * prime1, 23) * prime2 + prime3;
    from += 4;
    count -= 4;
  }
  for (; count > 0; from++, count--) hash = rotated(hash ^ *from * prime5, 11) * prime1;
  hash = (hash ^ hash >> 33) * prime2;
  hash = (hash ^ hash >> 29) * prime3;
  return (uint32_t)(hash ^ hash >> 32);
}
