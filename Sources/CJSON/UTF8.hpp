#pragma once

#include <cstddef>

namespace cjson {

/// The length of the well-formed character (not ASCII) that starts at `bytes`, or 0 where there is none.
inline size_t characterLength(const unsigned char *bytes, size_t available) {
  auto continues = [&](size_t at) { return at < available && (bytes[at] & 0xC0) == 0x80; };
  const unsigned char first = bytes[0];
  if (first < 0xC2 || first > 0xF4 || !continues(1)) return 0;
  if (first < 0xE0) return 2;
  const unsigned char second = bytes[1];
  if (!continues(2)) return 0;
  if (first < 0xF0) {
    const bool isOverlong = first == 0xE0 && second < 0xA0, isSurrogate = first == 0xED && second > 0x9F;
    return isOverlong || isSurrogate ? 0 : 3;
  }
  const bool isOverlong = first == 0xF0 && second < 0x90, isTooHigh = first == 0xF4 && second > 0x8F;
  return isOverlong || isTooHigh || !continues(3) ? 0 : 4;
}

}  // namespace cjson
