#include <cjson/Buffer.hpp>

#include <charconv>
#include <cmath>
#include <cstdlib>

namespace cjson {

bool grow(cjson_buffer &buffer, size_t extra) {
  if (extra > SIZE_MAX / 2 - buffer.length) return false;
  const size_t wanted = buffer.length + extra;
  if (buffer.limit > 0 && wanted > buffer.limit) {
    buffer.is_full = 1;
    return false;
  }
  size_t capacity = buffer.capacity < 128 ? 256 : buffer.capacity * 2;
  if (buffer.limit > 0 && capacity > buffer.limit) capacity = buffer.limit;
  if (capacity < wanted) capacity = wanted;
  void *bytes = std::realloc(buffer.bytes, capacity);
  if (!bytes) return false;
  buffer.bytes = static_cast<char *>(bytes);
  buffer.capacity = capacity;
  return true;
}

bool appendInteger(cjson_buffer &buffer, int64_t integer) {
  constexpr size_t longest = 20;
  if (!reserve(buffer, longest)) return false;
  char *start = buffer.bytes + buffer.length;
  buffer.length = static_cast<size_t>(std::to_chars(start, start + longest, integer).ptr - buffer.bytes);
  return true;
}

bool appendFloat(cjson_buffer &buffer, double number) {
  constexpr size_t longest = 40;
  if (!reserve(buffer, longest)) return false;
  char *start = buffer.bytes + buffer.length, *limit = start + longest;
  const double magnitude = std::fabs(number);
  const bool isFixed = magnitude == 0 || (magnitude >= 1e-5 && magnitude < 1e17);
  const auto format = isFixed ? std::chars_format::fixed : std::chars_format::scientific;
  char *end = std::to_chars(start, limit, number, format).ptr;
  if (isFixed && !std::memchr(start, '.', static_cast<size_t>(end - start))) {
    *end++ = '.';
    *end++ = '0';
  }
  buffer.length = static_cast<size_t>(end - buffer.bytes);
  return true;
}

}  // namespace cjson

void cjson_buffer_free(cjson_buffer *buffer) {
  std::free(buffer->bytes);
  *buffer = cjson_buffer{};
}
