#pragma once

#include <cstddef>

#include "Array.hpp"
#include "CJSON.h"
#include "Depth.hpp"

namespace cjson {

/// An integer that fits no 64 bits: its bytes in the text, its value as a float.
struct LargeNumber {
  size_t start, length;
  double value;
};

/// A slow and strict reader for texts that simdjson refused: finds the first fault and says what was expected there.
struct Scan {
  Scan(const char *text, size_t length, Array<LargeNumber> &large, cjson_error *error)
      : text(text), length(length), large(&large), error(error) {}

  /// False at the first fault, which is then described; true when there is none save integers that are `large`.
  bool run();

 private:
  bool value();
  bool open(char bracket);
  bool key();
  bool afterValue();
  bool word(const char *word);
  bool number();
  bool digits();
  bool keep(size_t start, bool isInteger);
  bool string();
  bool escape();
  bool surrogates(size_t start);
  bool hex(unsigned &unit);
  void skipSpace();
  bool ended(const char *inside);
  bool fault(size_t at, const char *format, ...) __attribute__((format(printf, 3, 4)));
  bool expected(const char *what);
  const char *inside() const;

  static constexpr size_t deepest = mostNested;
  const char *text;
  size_t length;
  Array<LargeNumber> *large;
  cjson_error *error;
  char brackets[deepest] = {};
  size_t depth = 0, position = 0;
};

}  // namespace cjson
