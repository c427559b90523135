#include "Walk.hpp"

namespace cjson {

namespace {

/// By character: how it changes the depth.
struct Depths {
  int8_t of[256];
  constexpr Depths() : of{} { of['{'] = of['['] = 1, of['}'] = of[']'] = -1; }
};
constexpr Depths depths;

}  // namespace

uint32_t Walk::words(char character) {
  switch (character) {
    case ':':
    case ',': return 0;
    case '-': return 2;
    default: return character >= '0' && character <= '9' ? 2 : 1;
  }
}

size_t Walk::stringBytes(const Tape &tape, size_t words, const char *text, const uint32_t *indexes, uint32_t count) {
  uint32_t word = static_cast<uint32_t>(words) - 1;  // the root's closing word
  while (count-- > 0) {
    const char character = text[indexes[count]];
    word -= Walk::words(character);
    if (character != '"') continue;
    const char *end = tape.string(word) + tape.stringLength(word) + 1;
    return static_cast<size_t>(end - reinterpret_cast<const char *>(tape.strings));
  }
  return 0;
}

bool Walk::value() {
  switch (tape.kind(word)) {
    case '{': return object();
    case '[': return array();
    default:
      word = tape.next(word);
      index++;
      return true;
  }
}

bool Walk::object() {
  word++;
  index++;
  const bool isEmpty = tape.kind(word) == '}';
  while (tape.kind(word) != '}') {
    word++;
    index += 2;  // the key and its colon
    if (!value()) return false;
    index++;  // a comma or the end
  }
  word++;
  index += isEmpty;
  return true;
}

bool Walk::array() {
  if (const uint32_t count = rowCount()) return rowList(count);
  word++;
  index++;
  const bool isEmpty = tape.kind(word) == ']';
  while (tape.kind(word) != ']') {
    if (!value()) return false;
    index++;
  }
  word++;
  index += isEmpty;
  return true;
}

/// How many elements the array here has if all are objects, else 0.
uint32_t Walk::rowCount() const {
  uint32_t count = 0, element = word + 1;
  for (; tape.kind(element) == '{'; count++) element = tape.next(element);
  return tape.kind(element) == ']' ? count : 0;
}

bool Walk::rowList(uint32_t count) {
  if (!lists->append({word, static_cast<uint32_t>(rows->count), count})) return false;
  if (!rows->reserve(rows->count + count)) return false;
  word++;
  index++;
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t start = indexes[index];
    int depth = 0;
    do {
      depth += depths.of[static_cast<unsigned char>(text[indexes[index++]])];
    } while (depth > 0);
    rows->elements[rows->count++] = {word, start, indexes[index - 1] + 1, 0};
    word = tape.next(word);
    index++;
  }
  word++;
  return true;
}

}  // namespace cjson
