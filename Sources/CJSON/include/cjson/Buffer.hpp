#pragma once

#include <cstring>

#include <CJSON.h>

namespace cjson {

/// Makes room for `extra` bytes after what is there; false without memory, and over the limit.
bool grow(cjson_buffer &buffer, size_t extra);

inline bool reserve(cjson_buffer &buffer, size_t extra) {
  return extra <= buffer.capacity - buffer.length || grow(buffer, extra);
}

inline bool append(cjson_buffer &buffer, const char *bytes, size_t count) {
  if (!reserve(buffer, count)) return false;
  if (count > 0) std::memcpy(buffer.bytes + buffer.length, bytes, count);
  buffer.length += count;
  return true;
}

/// Whether the bytes are UTF-8.
bool isText(const char *bytes, size_t length);

/// Appends a string in quotes, escaped. What is no UTF-8 becomes U+FFFD; with `wrong` it fails there, and says at which byte.
bool appendString(cjson_buffer &buffer, const char *bytes, size_t length, const char **wrong = nullptr);

/// Digits of the largest integer, and a sign.
constexpr size_t longestInteger = 21;

/// Appends an integer, for which there has to be room for the longest one.
bool appendInteger(cjson_buffer &buffer, int64_t integer);

/// Appends a finite number in the fewest digits that read back as the same one, always with a point or an exponent.
bool appendFloat(cjson_buffer &buffer, double number);

}  // namespace cjson
