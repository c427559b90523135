#include "Scan.hpp"

#include <cctype>
#include <cstdarg>
#include <cstdio>
#include <cstring>

#include "Failure.hpp"
#include "UTF8.hpp"

namespace cjson {

bool Scan::run() {
  skipSpace();
  if (position == length) return fault(position, length == 0 ? "the text is empty" : "the text is blank");
  if (!value()) return false;
  while (depth > 0) {
    if (!afterValue()) return false;
  }
  skipSpace();
  return position == length || expected("the end of the text");
}

/// Reads a scalar, an empty container, or the beginning of a container up to the end of its first value.
bool Scan::value() {
  while (true) {
    skipSpace();
    if (position == length) return ended(inside());
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
      default: return first == '-' || (first >= '0' && first <= '9') ? number() : expected("a value");
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
    return fault(start, "nested deeper than %zu", deepest - 1);
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
  if (position == length) return ended(inside());
  if (text[position] != '"') return expected("a key");
  if (!string()) return false;
  skipSpace();
  if (position == length) return ended(inside());
  if (text[position] != ':') return expected("':' after a key");
  position++;
  return true;
}

/// Reads what may follow a value in a container: its end, or a comma and the next value.
bool Scan::afterValue() {
  skipSpace();
  if (position == length) return ended(inside());
  const bool isObject = brackets[depth - 1] == '{';
  if (text[position] == (isObject ? '}' : ']')) {
    position++;
    depth--;
    return true;
  }
  if (text[position] != ',') return expected(isObject ? "',' or '}'" : "',' or ']'");
  position++;
  return (!isObject || key()) && value();
}

bool Scan::word(const char *word) {
  const size_t start = position;
  while (position < length && !std::memchr(" \t\r\n,:]}[{\"", text[position], 11)) position++;
  const size_t count = position - start;
  if (count == std::strlen(word) && std::memcmp(text + start, word, count) == 0) return true;
  position = start;
  return expected("a value");
}

void Scan::skipSpace() {
  while (position < length && std::memchr(" \t\r\n", text[position], 4)) position++;
}

const char *Scan::inside() const {
  if (depth == 0) return nullptr;
  return brackets[depth - 1] == '{' ? "an object" : "an array";
}

bool Scan::ended(const char *inside) {
  return fault(length, "the text ends inside %s", inside ? inside : "a value");
}

bool Scan::fault(size_t at, const char *format, ...) {
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
  return false;
}

/// A fault here: names what stands in the place of what was expected.
bool Scan::expected(const char *what) {
  const auto *bytes = reinterpret_cast<const unsigned char *>(text) + position;
  if (*bytes >= 0x80) {
    const size_t count = characterLength(bytes, length - position);
    if (count == 0) return fault(position, "invalid UTF-8 (byte 0x%02x)", *bytes);
    return fault(position, "expected %s, got '%.*s'", what, static_cast<int>(count), text + position);
  }
  if (*bytes < 0x20 || *bytes == 0x7F) return fault(position, "expected %s, got byte 0x%02x", what, *bytes);
  auto isWord = [&](size_t at) {
    if (at >= length) return false;
    return std::memchr("-+._", text[at], 4) || std::isalnum(static_cast<unsigned char>(text[at]));
  };
  size_t end = position + 1;
  if (isWord(position)) {
    while (isWord(end) && end - position < 20) end++;
  }
  if (*bytes == '"') return fault(position, "expected %s, got a string", what);
  return fault(position, "expected %s, got '%.*s'", what, static_cast<int>(end - position), text + position);
}

}  // namespace cjson
