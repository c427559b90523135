#include <cstdint>

#include <cjson/Buffer.hpp>
#include "UTF8.hpp"

namespace cjson {

namespace {

constexpr uint64_t each(uint64_t byte) { return byte * 0x0101010101010101; }

/// The top bit of every byte that can't be copied as it is; right up to the first one, which is all that is asked.
uint64_t special(uint64_t eight) {
  auto zeros = [](uint64_t bytes) { return (bytes - each(0x01)) & ~bytes; };
  const uint64_t isControl = (eight - each(0x20)) & ~eight;
  return (isControl | zeros(eight ^ each('"')) | zeros(eight ^ each('\\')) | eight) & each(0x80);
}

bool isSpecial(unsigned char byte) { return byte < 0x20 || byte >= 0x80 || byte == '"' || byte == '\\'; }

/// Room that `writeSpecial` may want.
constexpr size_t longestEscape = 6;

constexpr char digits[] = "0123456789abcdef";

/// Writes one character that can't be copied as it is, and passes it; a byte that is no text becomes U+FFFD.
char *writeSpecial(char *to, const unsigned char *&from, const unsigned char *end) {
  if (*from >= 0x80) {
    const size_t count = characterLength(from, static_cast<size_t>(end - from));
    std::memcpy(to, count ? reinterpret_cast<const char *>(from) : "\xEF\xBF\xBD", count ? count : 3);
    from += count ? count : 1;
    return to + (count ? count : 3);
  }
  const unsigned char byte = *from++;
  *to++ = '\\';
  switch (byte) {
    case '"':
    case '\\': *to++ = static_cast<char>(byte); return to;
    case '\b': *to++ = 'b'; return to;
    case '\f': *to++ = 'f'; return to;
    case '\n': *to++ = 'n'; return to;
    case '\r': *to++ = 'r'; return to;
    case '\t': *to++ = 't'; return to;
    default: {
      const char unit[] = {'u', '0', '0', static_cast<char>('0' + (byte >> 4)), digits[byte & 15]};
      std::memcpy(to, unit, sizeof unit);
      return to + sizeof unit;
    }
  }
}

}  // namespace

bool isText(const char *bytes, size_t length) {
  const auto *from = reinterpret_cast<const unsigned char *>(bytes), *end = from + length;
  while (from < end) {
    const size_t count = *from < 0x80 ? 1 : characterLength(from, static_cast<size_t>(end - from));
    if (count == 0) return false;
    from += count;
  }
  return true;
}

bool appendString(cjson_buffer &buffer, const char *bytes, size_t length, const char **wrong) {
  constexpr size_t slack = 2 + longestEscape;
  if (length > SIZE_MAX / 4 || !reserve(buffer, length + slack)) return false;
  const auto *from = reinterpret_cast<const unsigned char *>(bytes), *end = from + length;
  char *to = buffer.bytes + buffer.length;
  *to++ = '"';
  while (true) {
    while (end - from >= 8) {
      uint64_t eight;
      std::memcpy(&eight, from, 8);
      std::memcpy(to, &eight, 8);
      const uint64_t found = special(eight);
      const int plain = found ? __builtin_ctzll(found) / 8 : 8;
      from += plain;
      to += plain;
      if (found) break;
    }
    const auto rest = end - from;
    if (rest >= 4 && rest < 8) {
      // Two times four, some of them twice.
      uint32_t first, last;
      std::memcpy(&first, from, 4);
      std::memcpy(&last, end - 4, 4);
      if (special(uint64_t{last} << 32 | first) == 0) {
        std::memcpy(to, &first, 4);
        std::memcpy(to + rest - 4, &last, 4);
        to += rest;
        from = end;
      }
    }
    while (from < end && !isSpecial(*from)) *to++ = static_cast<char>(*from++);
    if (from == end) break;
    if (wrong && *from >= 0x80 && characterLength(from, static_cast<size_t>(end - from)) == 0) {
      *wrong = reinterpret_cast<const char *>(from);
      return false;
    }
    to = writeSpecial(to, from, end);
    buffer.length = static_cast<size_t>(to - buffer.bytes);
    if (!reserve(buffer, static_cast<size_t>(end - from) + slack)) return false;
    to = buffer.bytes + buffer.length;
  }
  *to++ = '"';
  buffer.length = static_cast<size_t>(to - buffer.bytes);
  return true;
}

}  // namespace cjson
