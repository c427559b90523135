#include "Index.hpp"

#include <cstring>

namespace cjson {

namespace {

bool isSpace(char byte) { return byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r'; }

bool isDigit(char byte) { return byte >= '0' && byte <= '9'; }

bool isHex(char byte) {
  const char lower = static_cast<char>(byte | 0x20);
  return isDigit(byte) || (lower >= 'a' && lower <= 'f');
}

/// Passes digits; false where there are none.
bool digits(const char *&from, const char *end) {
  const char *first = from;
  while (from < end && isDigit(*from)) from++;
  return from > first;
}

}  // namespace

bool Index::run() {
  if (!value()) return false;
  while (depth > 0) {
    if (!afterValue()) return false;
  }
  return at == count;
}

/// Notes a scalar, an empty container, or the beginning of a container up to the end of its first value.
bool Index::value() {
  while (at < count) {
    switch (text[indexes[at]]) {
      case '{':
        if (!open(CJSON_OBJECT, '}')) return false;
        if (nodes[found - 1].span != 0) return true;
        if (!key()) return false;
        continue;
      case '[':
        if (!open(CJSON_ARRAY, ']')) return false;
        if (nodes[found - 1].span != 0) return true;
        continue;
      case '"': return string();
      case 't': return scalar(CJSON_TRUE, "true");
      case 'f': return scalar(CJSON_FALSE, "false");
      case 'n': return scalar(CJSON_NULL, "null");
      default: return number();
    }
  }
  return false;
}

/// Enters a container, or passes an empty one, whose node then has its `span`.
bool Index::open(cjson_kind kind, char closing) {
  cjson_node &node = nodes[found++];
  node = {indexes[at++], 0, 0, static_cast<uint8_t>(kind), 0};
  const bool isEmpty = isAt(closing);
  if (depth + 1 > deepest || (depth + 1 == deepest && !isEmpty)) return false;
  if (isEmpty) {
    node.end = indexes[at++] + 1;
    node.span = 1;
  } else {
    containers[depth++] = found - 1;
  }
  return true;
}

/// Passes what may follow a value in a container: its end, or a comma and the next value.
bool Index::afterValue() {
  if (at == count) return false;
  const uint32_t place = containers[depth - 1];
  cjson_node &container = nodes[place];
  const bool isObject = container.kind == CJSON_OBJECT;
  const char character = text[indexes[at]];
  if (character == (isObject ? '}' : ']')) {
    container.end = indexes[at++] + 1;
    container.span = found - place;
    depth--;
    return true;
  }
  if (character != ',') return false;
  at++;
  return (!isObject || key()) && value();
}

bool Index::key() {
  if (!isAt('"') || !string() || !isAt(':')) return false;
  at++;
  return true;
}

/// Where the token here ends, with the space after it left out.
uint32_t Index::tokenEnd() const {
  uint32_t end = at + 1 < count ? indexes[at + 1] : length;
  while (isSpace(text[end - 1])) end--;
  return end;
}

bool Index::scalar(cjson_kind kind, const char *word) {
  const uint32_t start = indexes[at], end = tokenEnd();
  const size_t wordLength = std::strlen(word);
  if (end - start != wordLength || std::memcmp(text + start, word, wordLength) != 0) return false;
  at++;
  nodes[found++] = {start, end, 1, static_cast<uint8_t>(kind), 0};
  return true;
}

bool Index::number() {
  const uint32_t start = indexes[at], endOffset = tokenEnd();
  const char *from = text + start, *end = text + endOffset;
  cjson_kind kind = CJSON_INTEGER;
  if (*from == '-') from++;
  const char *first = from;
  if (!digits(from, end) || (*first == '0' && from - first > 1)) return false;
  if (from < end && *from == '.') {
    kind = CJSON_REAL;
    if (!digits(++from, end)) return false;
  }
  if (from < end && (*from | 0x20) == 'e') {
    kind = CJSON_REAL;
    from++;
    if (from < end && (*from == '+' || *from == '-')) from++;
    if (!digits(from, end)) return false;
  }
  if (from != end) return false;
  at++;
  nodes[found++] = {start, endOffset, 1, static_cast<uint8_t>(kind), 0};
  return true;
}

/// Notes a string; only its first quote is among the indexes, and what follows the last one up to the next is space.
bool Index::string() {
  const uint32_t start = indexes[at] + 1, end = tokenEnd() - 1;
  if (end < start || text[end] != '"') return false;
  const bool isEscaped = std::memchr(text + start, '\\', end - start);
  if (isEscaped && !escapes(start, end)) return false;
  at++;
  nodes[found++] = {start, end, 1, CJSON_TEXT, isEscaped};
  return true;
}

/// Whether every escape between the quotes is one that JSON knows.
bool Index::escapes(uint32_t from, uint32_t end) const {
  const char *next = text + from, *last = text + end;
  while ((next = static_cast<const char *>(std::memchr(next, '\\', static_cast<size_t>(last - next))))) {
    if (last - next < 2) return false;
    switch (next[1]) {
      case '"':
      case '\\':
      case '/':
      case 'b':
      case 'f':
      case 'n':
      case 'r':
      case 't': next += 2; break;
      case 'u':
        if (last - next < 6) return false;
        for (int i = 2; i < 6; i++) {
          if (!isHex(next[i])) return false;
        }
        next += 6;
        break;
      default: return false;
    }
  }
  return true;
}

}  // namespace cjson
