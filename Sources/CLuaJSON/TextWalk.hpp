#pragma once

#include "RowText.hpp"

namespace cjson {

/// A walk along a text that is known to be valid, in step with who goes along its tape. One that is nowhere stays there.
///
/// ```cpp
/// text.enter();                                     // { "a" : [1, 2] , "b" : 3 }
/// text.passKey(), text.passValue(), text.goOn();    // behind the comma
/// text.passKey(), text.passValue(), text.goOn();    // behind the brace
/// ```
struct TextWalk {
  const char *at;   ///< null: nowhere
  const char *end;  ///< nothing is read from there on

  /// Goes to the first value or key in the container that is here; where it is empty, `goOn` leaves it.
  void enter() {
    if (!at) return;
    at++;
    skipSpace();
  }

  /// Goes from a key to its value.
  void passKey() {
    if (!at) return;
    passString();
    skipSpace();
    at++;
    skipSpace();
  }

  /// Passes a value that is no container.
  void passScalar() {
    if (!at) return;
    if (*at == '"') return passString();
    while (at < end && *at != ',' && *at != ']' && *at != '}' && !RowText::isSpace(*at)) at++;
  }

  /// Passes any value, and all that is in it.
  void passValue() {
    if (!at || (*at != '{' && *at != '[')) return passScalar();
    int depth = 0;
    do {
      switch (*at) {
        case '"': passString(); continue;
        case '{':
        case '[': depth++; break;
        case '}':
        case ']': depth--; break;
        default: break;
      }
      at++;
    } while (depth > 0);
  }

  /// Passes what stands behind a value in a container: a comma, or its end.
  void goOn() {
    if (!at) return;
    skipSpace();
    at++;
    skipSpace();
  }

  void skipSpace() {
    while (at < end && RowText::isSpace(*at)) at++;
  }

 private:

  /// Eight bytes at a time, as long as there are so many.
  void passString() {
    for (at++; *at != '"';) {
      if (end - at < 8) {
        at += *at == '\\' ? 2 : 1;
        continue;
      }
      uint64_t bytes;
      std::memcpy(&bytes, at, sizeof bytes);
      // The first of them is exact: a borrow only goes up.
      const uint64_t found = RowText::zeros(bytes ^ RowText::ones * '"') | RowText::zeros(bytes ^ RowText::ones * '\\');
      at += found == 0 ? 8 : __builtin_ctzll(found) / 8;
      if (found != 0 && *at == '\\') at += 2;
    }
    at++;
  }
};

}  // namespace cjson
