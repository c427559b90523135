#include <cjson/TextIndex.hpp>

#include <simdjson.h>

#include <cstring>
#include <new>

#include <cjson/Describe.hpp>
#include "Scan.hpp"
#include "Walk.hpp"

namespace cjson {

/// A parser that grew for a text longer than this is not kept: it holds some 14 bytes for each of the text.
constexpr size_t longestKeptText = 4 << 20;

/// Readable bytes that simdjson wants after a text.
constexpr size_t padding = simdjson::SIMDJSON_PADDING;

void Parser::free() {
  delete simd;
  simd = nullptr;
  lists.free();
  rows.free();
  copied.free();
  large.free();
}

void Parser::trim() {
  if (copied.capacity > longestKeptText) copied.free();
  if (!simd || simd->capacity() <= longestKeptText) return;
  delete simd;
  simd = nullptr;
  lists.free();
  rows.free();
}

bool Parser::allocate() {
  trim();
  if (!simd) simd = new (std::nothrow) simdjson::dom::parser;
  return simd;
}

int Parser::run(const char *bytes, size_t length) { return simd->parse(bytes, length, false).error(); }

/// Takes a copy of the text with room after it.
bool Parser::copy(const char *text, size_t length) {
  if (!copied.reserve(length + padding)) return false;
  std::memcpy(copied.elements, text, length);
  std::memset(copied.elements + length, ' ', padding);
  return true;
}

cjson_status Parser::parse(const char *text, size_t length, size_t readable, cjson_index &index, cjson_error *error) {
  if (length >= 3 && std::memcmp(text, "\xEF\xBB\xBF", 3) == 0) {
    text += 3;
    length -= 3;
  }
  const bool isInPlace = readable >= padding;
  if (!allocate() || (!isInPlace && !copy(text, length))) {
    describe(error, 0, 0, "not enough memory");
    return CJSON_MEMORY;
  }
  const char *bytes = isInPlace ? text : copied.elements;
  const int code = length == 0 ? int{simdjson::EMPTY} : run(bytes, length);
  if (code == simdjson::MEMALLOC) {
    describe(error, 0, 0, "not enough memory");
    return CJSON_MEMORY;
  }
  if (code == simdjson::CAPACITY) {
    describe(error, 0, 0, "the text is longer than 4 GB");
    return CJSON_INVALID;
  }
  if (code != simdjson::SUCCESS) {
    const cjson_status status = parseLargeNumbers(text, length, error);
    if (status != CJSON_OK) return status;
    bytes = copied.elements;
  }

  const auto *indexes = simd->implementation->structural_indexes.get();
  const uint32_t indexCount = simd->implementation->n_structural_indexes;
  const Tape tape{simd->doc.tape.get(), simd->doc.string_buf.get()};
  const auto words = static_cast<uint32_t>(tape.words[0]);
  lists.count = rows.count = 0;
  Walk walk{tape, bytes, indexes, &lists, &rows, 1, 0};
  if (!walk.value()) {
    describe(error, 0, 0, "not enough memory");
    return CJSON_MEMORY;
  }
  const size_t stringBytes = Walk::stringBytes(tape, words, bytes, indexes, indexCount);
  index = {text, length, tape, words, stringBytes, lists.elements, lists.count, rows.elements, rows.count, 0, false, nullptr, nullptr};
  return CJSON_OK;
}

/// Explains why simdjson refused the text; or parses it after all, when it only had integers that fit no 64 bits.
cjson_status Parser::parseLargeNumbers(const char *text, size_t length, cjson_error *error) {
  large.count = 0;
  if (!Scan(text, length, large, error).run()) return CJSON_INVALID;
  if (large.count == 0) {
    describe(error, 0, 0, "not a JSON text that can be read");
    return CJSON_INVALID;
  }
  if (!copy(text, length)) {
    describe(error, 0, 0, "not enough memory");
    return CJSON_MEMORY;
  }
  for (size_t i = 0; i < large.count; i++) {
    const LargeNumber &number = large.elements[i];
    std::memset(copied.elements + number.start, ' ', number.length);
    copied.elements[number.start] = '0';
  }
  if (run(copied.elements, length) != simdjson::SUCCESS) {
    describe(error, 0, 0, "not a JSON text that can be read");
    return CJSON_INVALID;
  }
  place(large.elements, large.count, copied.elements);
  return CJSON_OK;
}

/// Puts the values of large numbers where zeros stood for them.
void Parser::place(const LargeNumber *numbers, size_t count, const char *bytes) {
  const auto *indexes = simd->implementation->structural_indexes.get();
  uint64_t *words = simd->doc.tape.get();
  uint32_t tape = 1;
  for (uint32_t i = 0; count > 0; i++) {
    if (indexes[i] == numbers->start) {
      words[tape] = uint64_t{'d'} << 56;
      std::memcpy(words + tape + 1, &numbers->value, sizeof numbers->value);
      numbers++;
      count--;
    }
    tape += Walk::words(bytes[indexes[i]]);
  }
}

}  // namespace cjson
