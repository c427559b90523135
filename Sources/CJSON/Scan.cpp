#include "Scan.hpp"

#include <cctype>
#include <cstdarg>
#include <cstdio>
#include <cstring>

#include <cjson/Describe.hpp>
#include "UTF8.hpp"

namespace cjson {

bool Scan::run() {
  skipSpace();
  if (position == length) return fault(CJSON_WANTED_VALUE, position, length == 0 ? "the text is empty" : "the text is blank");
  if (!value()) return false;
  while (depth > 0) {
    if (!afterValue()) return false;
  }
  skipSpace();
  return position == length || expected(CJSON_WANTED_END, "the end of the text");
}

/// Reads a scalar, an empty container, or the beginning of a container up to the end of its first value.
bool Scan::value() {
  while (true) {
    skipSpace();
    if (position == length) return ended(CJSON_WANTED_VALUE, inside());
    switch (const char first = text[position]) {
      case '{':
      case '[':
        if (!open(first)) return false;
        if (text[position - 1] != first) return true;  // closed at once
        if (first == '{' && !key()) return false;
        continue;
      case '"': return string();
      case 't': return word("true");
      case 'f': return word("false");
      case 'n': return word("null");
      default: return first == '-' || (first >= '0' && first <= '9') ? number() : expected(CJSON_WANTED_VALUE, "a value");
    }
  }
}

/// Enters a container, or passes an empty one.
bool Scan::open(char bracket) {
  const size_t start = position++;
  size_t next = position;
  while (next < length && std::memchr(" \t\r\n", text[next], 4)) next++;
  const bool isEmpty = next < length && text[next] == (bracket == '{' ? '}' : ']');
  if (depth + 1 > deepest || (depth + 1 == deepest && !isEmpty)) {
    return fault(CJSON_WANTED_LEVEL, start, "nested deeper than %zu", deepest - 1);
  }
  if (isEmpty) {
    position = next + 1;
  } else {
    brackets[depth++] = bracket;
  }
  return true;
}

bool Scan::key() {
  skipSpace();
  if (position == length) return ended(CJSON_WANTED_KEY, inside());
  if (text[position] != '"') return expected(CJSON_WANTED_KEY, "a key");
  if (!string()) return false;
  skipSpace();
  if (position == length) return ended(CJSON_WANTED_COLON, inside());
  if (text[position] != ':') return expected(CJSON_WANTED_COLON, "':' after a key");
  position++;
  return true;
}

/// Reads what may follow a value in a container: its end, or a comma and the next value.
bool Scan::afterValue() {
  skipSpace();
  const bool isObject = brackets[depth - 1] == '{';
  const cjson_wanted wanted = isObject ? CJSON_WANTED_MEMBER_END : CJSON_WANTED_ELEMENT_END;
  if (position == length) return ended(wanted, inside());
  if (text[position] == (isObject ? '}' : ']')) {
    position++;
    depth--;
    return true;
  }
  if (text[position] != ',') return expected(wanted, isObject ? "',' or '}'" : "',' or ']'");
  position++;
  return (!isObject || key()) && value();
}

bool Scan::word(const char *word) {
  const size_t start = position;
  while (position < length && !std::memchr(" \t\r\n,:]}[{\"", text[position], 11)) position++;
  const size_t count = position - start;
  if (count == std::strlen(word) && std::memcmp(text + start, word, count) == 0) return true;
  position = start;
  return expected(CJSON_WANTED_VALUE, "a value");
}

void Scan::skipSpace() {
  while (position < length && std::memchr(" \t\r\n", text[position], 4)) position++;
}

const char *Scan::inside() const {
  if (depth == 0) return nullptr;
  return brackets[depth - 1] == '{' ? "an object" : "an array";
}

bool Scan::ended(cjson_wanted wanted, const char *inside) {
  return fault(wanted, length, "the text ends inside %s", inside ? inside : "a value");
}

bool Scan::fault(cjson_wanted wanted, size_t at, const char *format, ...) {
  size_t line = 1, lineStart = 0;
  for (size_t i = 0; i < at; i++) {
    if (text[i] == '\n') line++, lineStart = i + 1;
  }
  char message[sizeof error->message];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(message, sizeof message, format, arguments);
  va_end(arguments);
  describe(error, line, at - lineStart + 1, "%s", message);
  if (error) error->offset = at, error->wanted = wanted;
  return false;
}

/// A fault here: names what stands in the place of what was expected.
bool Scan::expected(cjson_wanted wanted, const char *what) {
  const auto *bytes = reinterpret_cast<const unsigned char *>(text) + position;
  if (*bytes >= 0x80) {
    const size_t count = characterLength(bytes, length - position);
    if (count == 0) return fault(CJSON_WANTED_UTF8, position, "invalid UTF-8 (byte 0x%02x)", *bytes);
    return fault(wanted, position, "expected %s, got '%.*s'", what, static_cast<int>(count), text + position);
  }
  if (*bytes < 0x20 || *bytes == 0x7F) return fault(wanted, position, "expected %s, got byte 0x%02x", what, *bytes);
  auto isWord = [&](size_t at) {
    if (at >= length) return false;
    return std::memchr("-+._", text[at], 4) || std::isalnum(static_cast<unsigned char>(text[at]));
  };
  size_t end = position + 1;
  if (isWord(position)) {
    while (isWord(end) && end - position < 20) end++;
  }
  if (*bytes == '"') return fault(wanted, position, "expected %s, got a string", what);
  return fault(wanted, position, "expected %s, got '%.*s'", what, static_cast<int>(end - position), text + position);
}

}  // namespace cjson
