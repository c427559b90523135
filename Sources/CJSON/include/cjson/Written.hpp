#pragma once

#include <cjson/Array.hpp>
#include <cjson/Buffer.hpp>
#include <cjson/TextIndex.hpp>

/// A list of objects that is written together with its tape.
struct cjson_rows {
  cjson_buffer text, strings;

  bool addKey(const char *key, size_t length);

  /// Makes room for so many bytes in so many objects, as far as there is memory.
  void reserve(size_t bytes, size_t count);

  /// Begins a value: writes what stands before it, and its words; there is room for one that is no text.
  bool begin(char kind, uint64_t payload = 0);

  /// Ends a number, which has one word more.
  bool endNumber(uint64_t bits);

  /// Adds a text; where it is no UTF-8 it fails, and says at which byte.
  bool addText(const char *bytes, size_t length, const char **wrong);

  /// Ends the object whose values are all there.
  bool endValue() { return place < keys.count || endRow(); }

  /// The index; null without memory.
  cjson_index *end();

 private:
  /// A key: its word, and where what is written before its value is.
  struct Key {
    uint64_t word;
    uint32_t start, length;
  };

  /// What an object takes of the text at the most, but for its texts: a comma, its keys, and for each value what may be written behind
  /// its key, for a number or in copying that.
  size_t rowRoom() const { return before.length + (keys.count + 1) * roomForValue; }
  static constexpr size_t roomForValue = 48;

  /// Words of an object at the most: a key has one, a value up to two.
  size_t wordsOfRow() const { return 3 * keys.count + 2; }

  bool beginRow();
  bool endRow();
  bool addString(const char *bytes, size_t length);

  cjson::Array<uint64_t> words;
  cjson::Array<cjson::Row> rows;
  cjson::RowList list;
  cjson_index index;
  cjson::Array<Key> keys;
  cjson_buffer before;  ///< what is written before values, one behind the other
  size_t place = 0;     ///< of the next value among the keys

  friend void cjson_rows_free(cjson_rows *rows);
};
