#include <charconv>

#include "Scan.hpp"
#include "UTF8.hpp"

namespace cjson {

static bool isDigit(char byte) { return byte >= '0' && byte <= '9'; }

bool Scan::digits() {
  const size_t start = position;
  while (position < length && isDigit(text[position])) position++;
  if (position > start) return true;
  return position == length ? ended(CJSON_WANTED_NUMBER, "a number") : expected(CJSON_WANTED_NUMBER, "a digit");
}

bool Scan::number() {
  const size_t start = position;
  bool isInteger = true;
  if (text[position] == '-') position++;
  const size_t first = position;
  if (!digits()) return false;
  if (text[first] == '0' && position - first > 1) return fault(CJSON_WANTED_NUMBER, first, "a number can't begin with 0");
  if (position < length && text[position] == '.') {
    position++;
    isInteger = false;
    if (!digits()) return false;
  }
  if (position < length && (text[position] | 0x20) == 'e') {
    position++;
    isInteger = false;
    if (position < length && (text[position] == '+' || text[position] == '-')) position++;
    if (!digits()) return false;
  }
  return keep(start, isInteger);
}

/// Whether a number that fits no float is far from zero, and not too near to it.
static bool isHuge(const char *first, const char *last) {
  int64_t magnitude = 0, exponent = 0;
  bool isFraction = false, isSignificant = false;
  for (; first != last && (*first | 0x20) != 'e'; first++) {
    if (*first == '.') isFraction = true;
    if (!isDigit(*first)) continue;
    isSignificant |= *first != '0';
    if (isSignificant != isFraction) magnitude += isSignificant ? 1 : -1;
  }
  if (first != last) {
    first += first[1] == '+' ? 2 : 1;
    const bool isRead = std::from_chars(first, last, exponent).ec == std::errc();
    if (!isRead) return *first != '-';
  }
  return magnitude + exponent > 0;
}

/// Notes a number if it is an integer that fits no 64 bits; refuses one that fits no float.
bool Scan::keep(size_t start, bool isInteger) {
  const char *first = text + start, *last = text + position;
  double value = 0;
  const auto result = std::from_chars(first, last, value);
  if (result.ec != std::errc() && isHuge(first, last)) return fault(CJSON_WANTED_NUMBER, start, "a number too large for 64 bits");
  int64_t integer = 0;
  uint64_t natural = 0;
  if (!isInteger || std::from_chars(first, last, integer).ec == std::errc() ||
      std::from_chars(first, last, natural).ec == std::errc()) {
    return true;
  }
  return large->append({start, position - start, value}) || fault(CJSON_WANTED_NOTHING, start, "not enough memory");
}

bool Scan::string() {
  position++;
  while (position < length) {
    const auto byte = static_cast<unsigned char>(text[position]);
    if (byte == '"') {
      position++;
      return true;
    }
    if (byte < 0x20) return fault(CJSON_WANTED_NO_CONTROL, position, "a control character (0x%02x) in a string", byte);
    if (byte == '\\') {
      if (!escape()) return false;
    } else if (byte < 0x80) {
      position++;
    } else {
      const auto *bytes = reinterpret_cast<const unsigned char *>(text) + position;
      const size_t count = characterLength(bytes, length - position);
      if (count == 0) return fault(CJSON_WANTED_UTF8, position, "invalid UTF-8 (byte 0x%02x)", byte);
      position += count;
    }
  }
  return ended(CJSON_WANTED_QUOTE, "a string");
}

bool Scan::escape() {
  const size_t start = position++;
  if (position == length) return ended(CJSON_WANTED_QUOTE, "a string");
  switch (const char kind = text[position]) {
    case '"':
    case '\\':
    case '/':
    case 'b':
    case 'f':
    case 'n':
    case 'r':
    case 't': position++; return true;
    case 'u': return surrogates(start);
    default:
      if (kind > 0x20 && kind < 0x7F) return fault(CJSON_WANTED_ESCAPE, start, "an unknown escape \\%c", kind);
      return fault(CJSON_WANTED_ESCAPE, start, "an unknown escape");
  }
}

/// Reads `\uXXXX`, or two of them where the first is the first half of a pair.
bool Scan::surrogates(size_t start) {
  unsigned high, low;
  position++;
  if (!hex(high)) return false;
  if (high < 0xD800 || high > 0xDFFF) return true;
  const bool isPair = high < 0xDC00 && position + 1 < length && text[position] == '\\' && text[position + 1] == 'u';
  if (!isPair) return fault(CJSON_WANTED_PAIR, start, "half of a surrogate pair (\\u%04x)", high);
  position += 2;
  if (!hex(low)) return false;
  if (low < 0xDC00 || low > 0xDFFF) return fault(CJSON_WANTED_PAIR, start, "half of a surrogate pair (\\u%04x)", high);
  return true;
}

bool Scan::hex(unsigned &unit) {
  unit = 0;
  for (int i = 0; i < 4; i++, position++) {
    if (position == length) return ended(CJSON_WANTED_QUOTE, "a string");
    const char byte = text[position], lower = static_cast<char>(byte | 0x20);
    const bool isLetter = lower >= 'a' && lower <= 'f';
    if (!isDigit(byte) && !isLetter) return fault(CJSON_WANTED_DIGITS, position, "\\u wants four hexadecimal digits");
    unit = unit * 16 + static_cast<unsigned>(isLetter ? lower - 'a' + 10 : byte - '0');
  }
  return true;
}

}  // namespace cjson
