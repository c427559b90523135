#pragma once

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

 private:
  static const char *pastSpace(const char *at) {
    while (*at == ' ' || *at == '\t' || *at == '\n' || *at == '\r') at++;
    return at;
  }

  static const char *pastString(const char *at) {
    for (at++; *at != '"'; at++) {
      if (*at == '\\') at++;
    }
    return at + 1;
  }

  static const char *pastValue(const char *at) {
    if (*at == '"') return pastString(at);
    int depth = 0;
    while (true) {
      switch (*at) {
        case '"': at = pastString(at); continue;
        case '{':
        case '[': depth++; break;
        case '}':
        case ']':
          if (depth == 0) return at;
          if (--depth == 0) return at + 1;
          break;
        case ',':
        case ' ':
        case '\t':
        case '\n':
        case '\r':
          if (depth == 0) return at;
          break;
        default: break;
      }
      at++;
    }
  }
};

}  // namespace cjson
