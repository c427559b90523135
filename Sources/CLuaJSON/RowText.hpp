#pragma once

#include <cstdint>
#include <cstring>

namespace cjson {

/// The members of an object, one after the other, in a text that is known to be valid.
struct RowText {
  const char *at;  ///< its brace, then behind a member

  struct Member {
    const char *start;  ///< of the key
    const char *value;  ///< behind the colon
    const char *end;
  };

  Member next() {
    at = pastSpace(at + 1);
    Member member{at, nullptr, nullptr};
    member.value = pastSpace(pastString(at)) + 1;
    member.end = pastValue(pastSpace(member.value));
    at = pastSpace(member.end);
    return member;
  }

  static bool isSpace(char byte) { return byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r'; }

  static constexpr uint64_t ones = 0x0101010101010101;

  static uint64_t zeros(uint64_t bytes) { return (bytes - ones) & ~bytes & ones << 7; }

 private:
  static const char *pastSpace(const char *at) {
    while (isSpace(*at)) at++;
    return at;
  }

  /// Eight bytes at a time; a document's text has readable ones behind it.
  static const char *pastString(const char *at) {
    for (at++;; at += 8) {
      uint64_t bytes;
      std::memcpy(&bytes, at, sizeof bytes);
      // The first of them is exact: a borrow only goes up.
      uint64_t found = zeros(bytes ^ ones * '"') | zeros(bytes ^ ones * '\\');
      if (found == 0) continue;
      at += __builtin_ctzll(found) / 8;
      if (*at == '"') return at + 1;
      at -= 6;  // behind the escaped byte
    }
  }

  static const char *pastValue(const char *at) {
    if (*at == '"') return pastString(at);
    if (*at != '{' && *at != '[') {
      while (*at != ',' && *at != '}' && !isSpace(*at)) at++;
      return at;
    }
    int depth = 0;
    while (true) {
      switch (*at) {
        case '"': at = pastString(at); continue;
        case '{':
        case '[': depth++; break;
        case '}':
        case ']':
          if (--depth == 0) return at + 1;
          break;
        default: break;
      }
      at++;
    }
  }
};

}  // namespace cjson
