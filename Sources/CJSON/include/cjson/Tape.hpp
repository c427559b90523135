#pragma once

#include <cstdint>
#include <cstring>

namespace cjson {

/// A parsed text: simdjson's tape, one word per value (two for numbers), the kind in its top byte.
struct Tape {
  const uint64_t *words;
  const unsigned char *strings;

  char kind(uint32_t at) const { return static_cast<char>(words[at] >> 56); }

  bool isNumber(uint32_t at) const {
    const char kind = this->kind(at);
    return kind == 'l' || kind == 'u' || kind == 'd';
  }

  /// Where the value after the one at `at` is.
  uint32_t next(uint32_t at) const {
    const char kind = this->kind(at);
    if (kind == '{' || kind == '[') return static_cast<uint32_t>(words[at]);
    return at + (isNumber(at) ? 2 : 1);
  }

  /// Elements of an array, members of an object; stops counting at 0xFFFFFF.
  uint32_t count(uint32_t at) const { return static_cast<uint32_t>(words[at] >> 32) & 0xFFFFFF; }

  uint32_t stringLength(uint32_t at) const {
    uint32_t length;
    std::memcpy(&length, strings + offset(at), sizeof length);
    return length;
  }

  const char *string(uint32_t at) const {
    return reinterpret_cast<const char *>(strings) + offset(at) + sizeof(uint32_t);
  }

  /// The value of the object's member with this key; 0 is none. Of two with one key the last counts.
  uint32_t member(uint32_t object, const char *key, size_t length) const {
    uint32_t found = 0;
    for (uint32_t at = object + 1; kind(at) != '}'; at = next(at + 1)) {
      if (stringLength(at) == length && std::memcmp(string(at), key, length) == 0) found = at + 1;
    }
    return found;
  }

  int64_t integer(uint32_t at) const { return static_cast<int64_t>(words[at + 1]); }

  uint64_t natural(uint32_t at) const { return words[at + 1]; }

  /// The number at `at` as a float, whatever its kind.
  double number(uint32_t at) const {
    switch (kind(at)) {
      case 'l': return static_cast<double>(integer(at));
      case 'u': return static_cast<double>(words[at + 1]);
      default: {
        double number;
        std::memcpy(&number, words + at + 1, sizeof number);
        return number;
      }
    }
  }

 private:
  uint64_t offset(uint32_t at) const { return words[at] & 0x00FFFFFFFFFFFFFF; }
};

}  // namespace cjson
