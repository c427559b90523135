#pragma once

#include <cstddef>
#include <cstdint>

#include <cjson/Array.hpp>
#include <CJSON.h>
#include <cjson/Tape.hpp>

namespace simdjson {
namespace dom {
class parser;
}
}  // namespace simdjson

namespace cjson {

/// An object that waits in rows: where it is on the tape, its bytes in the text, and what its reader notes of its keys.
struct Row {
  uint32_t tape, start, end, shape;
};

/// A non-empty array of objects: where it is on the tape, and which rows are its own.
struct RowList {
  uint32_t tape, first, count;
};

/// An integer that fits no 64 bits: its bytes in the text, its value as a float.
struct LargeNumber {
  size_t start, length;
  double value;
};

/// A parser and the memory that it uses again for every text.
struct Parser {
  /// Parses one text and finds its rows; `index` is good until the next text. `padding` bytes after it may be read.
  cjson_status parse(const char *text, size_t length, size_t padding, cjson_index &index, cjson_error *error);

  /// Frees the memory that a long text took, once what was parsed is not needed any more.
  void trim();

  void free();

 private:
  bool allocate();
  int run(const char *bytes, size_t length);
  cjson_status parseLargeNumbers(const char *text, size_t length, cjson_error *error);
  bool copy(const char *text, size_t length);
  void place(const LargeNumber *numbers, size_t count, const char *bytes);

  simdjson::dom::parser *simd;
  Array<RowList> lists;
  Array<Row> rows;
  Array<char> copied;
  Array<LargeNumber> large;
};

}  // namespace cjson
