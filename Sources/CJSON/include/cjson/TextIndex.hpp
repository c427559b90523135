#pragma once

#include <cjson/Parse.hpp>

/// What is known of a JSON text: its tape, and the rows in it.
struct cjson_index {
  const char *text;  ///< without a byte order mark
  size_t length;
  cjson::Tape tape;
  size_t words, stringBytes;  ///< of the tape, and of the strings that it refers to
  const cjson::RowList *lists;  ///< in the order of the text
  size_t listCount;
  const cjson::Row *rows;
  size_t rowCount;
  size_t size;  ///< bytes held besides the text
  bool isUniform;  ///< whether it is known that all rows have the same keys, no two of them alike, nothing else in them, and no line breaks
  void *owner;  ///< what `release` frees, and the index with it; null for what a parser lends
  void (*release)(void *owner);
};
