#include <CJSON.h>

#include <cstring>

namespace {

/// The number that four hexadecimal digits write.
uint32_t codeUnit(const char *digits) {
  uint32_t unit = 0;
  for (int i = 0; i < 4; i++) {
    const char lower = static_cast<char>(digits[i] | 0x20);
    unit = unit * 16 + static_cast<uint32_t>(lower >= 'a' ? lower - 'a' + 10 : digits[i] - '0');
  }
  return unit;
}

char *write(char *to, uint32_t scalar) {
  auto continuation = [scalar](int shift) { return static_cast<char>(0x80 | (scalar >> shift & 0x3F)); };
  if (scalar < 0x80) {
    *to++ = static_cast<char>(scalar);
  } else if (scalar < 0x800) {
    *to++ = static_cast<char>(0xC0 | scalar >> 6);
    *to++ = continuation(0);
  } else if (scalar < 0x10000) {
    *to++ = static_cast<char>(0xE0 | scalar >> 12);
    *to++ = continuation(6);
    *to++ = continuation(0);
  } else {
    *to++ = static_cast<char>(0xF0 | scalar >> 18);
    *to++ = continuation(12);
    *to++ = continuation(6);
    *to++ = continuation(0);
  }
  return to;
}

/// The scalar whose first four digits begin at `from`, which passes them, with the second half of its pair where it has
/// one.
uint32_t scalar(const char *&from, const char *end) {
  const uint32_t high = codeUnit(from);
  from += 4;
  if (high < 0xD800 || high > 0xDFFF) return high;
  if (high > 0xDBFF || end - from < 6 || from[0] != '\\' || from[1] != 'u') return 0xFFFD;
  const uint32_t low = codeUnit(from + 2);
  if (low < 0xDC00 || low > 0xDFFF) return 0xFFFD;
  from += 6;
  return 0x10000 + ((high & 0x3FF) << 10 | (low & 0x3FF));
}

}  // namespace

size_t cjson_unescape(const char *escaped, size_t length, char *text) {
  const char *from = escaped, *end = escaped + length;
  char *to = text;
  while (from < end) {
    const auto *next = static_cast<const char *>(std::memchr(from, '\\', static_cast<size_t>(end - from)));
    const size_t plain = static_cast<size_t>((next ? next : end) - from);
    std::memcpy(to, from, plain);
    to += plain;
    if (!next || end - next < 2) break;
    from = next + 2;
    switch (next[1]) {
      case 'n': *to++ = '\n'; break;
      case 't': *to++ = '\t'; break;
      case 'r': *to++ = '\r'; break;
      case 'b': *to++ = '\b'; break;
      case 'f': *to++ = '\f'; break;
      case 'u':
        if (end - from < 4) return static_cast<size_t>(to - text);
        to = write(to, scalar(from, end));
        break;
      default: *to++ = next[1];
    }
  }
  return static_cast<size_t>(to - text);
}
