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

/// Two digits for each number below a hundred.
struct Pairs {
  char of[100][2];
  constexpr Pairs() : of{} {
    for (int number = 0; number < 100; number++) {
      of[number][0] = static_cast<char>('0' + number / 10);
      of[number][1] = static_cast<char>('0' + number % 10);
    }
  }
};
static constexpr Pairs pairs;

constexpr size_t mostDigits = longestInteger - 1;

/// Writes a number and answers its end; there has to be room for `mostDigits`.
static char *writeDigits(char *to, uint64_t number) {
  // As many again behind them, so that all can be copied at once.
  char digits[2 * mostDigits], *const end = digits + mostDigits, *first = end;
  for (; number >= 100; number /= 100) std::memcpy(first -= 2, pairs.of[number % 100], 2);
  if (number >= 10) {
    std::memcpy(first -= 2, pairs.of[number], 2);
  } else {
    *--first = static_cast<char>('0' + number);
  }
  std::memcpy(to, first, mostDigits);
  return to + (end - first);
}

bool appendInteger(cjson_buffer &buffer, int64_t integer) {
  if (!reserve(buffer, longestInteger)) return false;
  char *to = buffer.bytes + buffer.length;
  auto magnitude = static_cast<uint64_t>(integer);
  if (integer < 0) {
    *to++ = '-';
    magnitude = -magnitude;
  }
  buffer.length = static_cast<size_t>(writeDigits(to, magnitude) - buffer.bytes);
  return true;
}

/// Writes a number with few digits, as most are, quicker than one needs for any: false for others.
///
/// Division rounds correctly, so what gives the same number again is its shortest form, once the zeros at its end are left out: no other
/// with up to fifteen digits gives it.
static bool writeShort(char *&to, double number) {
  constexpr int decimals = 4;
  constexpr double power = 1e4;
  const double magnitude = std::fabs(number);
  if (!(magnitude >= 1e-3 && magnitude < 1e11)) return false;
  const auto digits = static_cast<uint64_t>(magnitude * power + 0.5);
  if (static_cast<double>(digits) / power != magnitude) return false;
  if (number < 0) *to++ = '-';
  to = writeDigits(to, digits / 10'000);
  *to++ = '.';
  const uint64_t rest = digits % 10'000;
  std::memcpy(to, pairs.of[rest / 100], 2);
  std::memcpy(to + 2, pairs.of[rest % 100], 2);
  to += decimals;
  for (int zeros = 1; zeros < decimals && to[-1] == '0'; zeros++) to--;
  return true;
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
