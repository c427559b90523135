#pragma once

#include <cstddef>
#include <cstdint>

#include <cjson/Parse.hpp>
#include <cjson/Tape.hpp>

namespace cjson {

/// A walk along a text's structural characters (brackets, colons, commas, first bytes of values), in step with
/// its tape: the tape knows what things are, the characters where they are.
struct Walk {
  Tape tape;
  const char *text;
  const uint32_t *indexes;
  Array<RowList> *lists;
  Array<Row> *rows;
  uint32_t word, index;  ///< where we are: on the tape, among the characters

  /// Passes one value and notes the rows in it; false without memory.
  bool value();

  /// How many words of the tape belong to a structural character.
  static uint32_t words(char character);

  /// The bytes of strings that the tape refers to.
  static size_t stringBytes(const Tape &tape, size_t words, const char *text, const uint32_t *indexes, uint32_t count);

 private:
  bool object();
  bool array();
  bool rowList(uint32_t count);
  uint32_t rowCount() const;
};

}  // namespace cjson
