#include <CJSON.h>

#include <string.h>

/* Compiled for each of the processors that `cjson_extend` is. */
#define in_all static inline __attribute__((always_inline))

/* What is in a block of 64 bytes, a bit for each. */
typedef struct {
  uint64_t quotes, backslashes, openings, closings;
} marks;

/* Brackets differ from braces by one bit. */
static const uint8_t brace_bit = 0x20;

#ifdef __SSE2__
typedef char bytes16 __attribute__((vector_size(16)));

in_all bytes16 all(uint8_t byte) {
  bytes16 bytes;
  memset(&bytes, byte, sizeof bytes);
  return bytes;
}

in_all uint64_t equal(bytes16 bytes, uint8_t wanted) {
  return (uint64_t)(uint32_t)__builtin_ia32_pmovmskb128((bytes16)(bytes == all(wanted)));
}

in_all marks marks_of(const uint8_t *block) {
  marks found = {0, 0, 0, 0};
  for (int i = 0; i < 64; i += 16) {
    bytes16 bytes;
    memcpy(&bytes, block + i, sizeof bytes);
    bytes16 braces = bytes | all(brace_bit);
    found.quotes |= equal(bytes, '"') << i;
    found.backslashes |= equal(bytes, '\\') << i;
    found.openings |= equal(braces, '{') << i;
    found.closings |= equal(braces, '}') << i;
  }
  return found;
}
#else
in_all marks marks_of(const uint8_t *block) {
  marks found = {0, 0, 0, 0};
  for (int i = 0; i < 64; i++) {
    uint8_t byte = block[i], brace = byte | brace_bit;
    found.quotes |= (uint64_t)(byte == '"') << i;
    found.backslashes |= (uint64_t)(byte == '\\') << i;
    found.openings |= (uint64_t)(brace == '{') << i;
    found.closings |= (uint64_t)(brace == '}') << i;
  }
  return found;
}
#endif

/* The bytes that a backslash before them takes the meaning from; and whether the one behind so many bytes is such a one. */
static uint64_t escaped(cjson_extent *extent, uint64_t backslashes, int length) {
  uint64_t found = extent->is_escaped ? 1 : 0;
  for (uint64_t rest = backslashes & ~found; rest != 0;) {
    int place = __builtin_ctzll(rest);
    rest &= rest - 1;
    if (place == 63) {
      extent->is_escaped = 1;
      return found;
    }
    found |= (uint64_t)2 << place;
    rest &= ~found;
  }
  extent->is_escaped = length < 64 && (found >> length & 1) != 0;
  return found;
}

/* The bytes behind an odd number of bits. */
in_all uint64_t between(uint64_t bits) {
  for (int shift = 1; shift < 64; shift *= 2) bits ^= bits << shift;
  return bits;
}

/* Goes on with one block, of which so many bytes count: how many of them belong to the value. */
in_all int pass(cjson_extent *extent, const uint8_t *block, int length) {
  marks found = marks_of(block);
  if (found.backslashes != 0 || extent->is_escaped) found.quotes &= ~escaped(extent, found.backslashes, length);
  uint64_t text = between(found.quotes) ^ (extent->is_in_text ? ~(uint64_t)0 : 0);
  extent->is_in_text = (text >> 63) != 0;
  found.openings &= ~text;
  found.closings &= ~text;
  if (__builtin_popcountll(found.closings) < extent->depth) {
    extent->depth += __builtin_popcountll(found.openings) - __builtin_popcountll(found.closings);
    return length;
  }
  for (uint64_t rest = found.openings | found.closings; rest != 0; rest &= rest - 1) {
    extent->depth += (found.openings & rest & -rest) != 0 ? 1 : -1;
    if (extent->depth == 0) return __builtin_ctzll(rest) + 1;
  }
  return length;
}

#ifdef __x86_64__
/* Most processors count bits in one instruction; which they are is looked up when the program starts. */
__attribute__((target_clones("arch=haswell", "default")))
#endif
size_t cjson_extend(cjson_extent *extent, const void *bytes, size_t length) {
  const uint8_t *start = bytes;
  size_t passed = 0;
  while (length - passed >= 64) {
    passed += (size_t)pass(extent, start + passed, 64);
    if (extent->depth == 0) return passed;
  }
  if (passed == length) return passed;
  uint8_t last[64];
  memset(last, ' ', sizeof last);
  memcpy(last, start + passed, length - passed);
  return passed + (size_t)pass(extent, last, (int)(length - passed));
}
