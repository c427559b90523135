#pragma once

#include <cstddef>

#include <CJSON.h>
#include <cjson/Depth.hpp>
#include <cjson/Parse.hpp>

namespace cjson {

/// A slow and strict reader for texts that simdjson refused: finds the first fault and says what was expected there.
struct Scan {
  Scan(const char *text, size_t length, Array<LargeNumber> &large, cjson_error *error, size_t deepest = mostNested)
      : text(text), length(length), large(&large), error(error), deepest(deepest) {}

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
  bool ended(cjson_wanted wanted, const char *inside);
  bool fault(cjson_wanted wanted, size_t at, const char *format, ...) __attribute__((format(printf, 4, 5)));
  bool expected(cjson_wanted wanted, const char *what);
  const char *inside() const;

  const char *text;
  size_t length;
  Array<LargeNumber> *large;
  cjson_error *error;
  const size_t deepest;
  char brackets[mostNested] = {};
  size_t depth = 0, position = 0;
};

}  // namespace cjson
