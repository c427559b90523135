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
  size_t capacity = buffer.capacity < 64 ? 128 : buffer.capacity * 2;
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

/// Writes a number with few digits, as most are, quicker than one needs for any: false for others.
///
/// Division rounds correctly, so what gives the same number again is its shortest form: no other with up to fifteen digits does, and one
/// with fewer decimals was tried before.
static bool writeShort(char *&to, double number) {
  constexpr double powers[] = {1, 1e1, 1e2, 1e3, 1e4};
  constexpr double mostDigits = 1e15;
  const double magnitude = std::fabs(number);
  if (!(magnitude >= 1e-3 && magnitude < 1e11)) return false;
  for (int decimals = 1; decimals <= 4; decimals++) {
    const double scaled = static_cast<double>(static_cast<int64_t>(magnitude * powers[decimals] + 0.5));
    if (scaled >= mostDigits || scaled / powers[decimals] != magnitude) continue;
    const auto digits = static_cast<uint64_t>(scaled), power = static_cast<uint64_t>(powers[decimals]);
    if (number < 0) *to++ = '-';
    to = std::to_chars(to, to + 20, digits / power).ptr;
    *to++ = '.';
    uint64_t rest = digits % power;
    for (int place = decimals - 1; place >= 0; place--, rest /= 10) to[place] = static_cast<char>('0' + rest % 10);
    to += decimals;
    return true;
  }
  return false;
}

bool appendFloat(cjson_buffer &buffer, double number) {
  constexpr size_t longest = 40;
  if (!reserve(buffer, longest)) return false;
  char *start = buffer.bytes + buffer.length, *limit = start + longest;
  if (char *end = start; writeShort(end, number)) {
    buffer.length = static_cast<size_t>(end - buffer.bytes);
    return true;
  }
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
