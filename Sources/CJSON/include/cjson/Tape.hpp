#pragma once

#include <cstdint>
#include <cstring>

namespace cjson {

/// A parsed text: simdjson's tape, one word per value (two for numbers), the kind in its top byte.
struct Tape {
  const uint64_t *words;
  const unsigned char *strings;

  char kind(uint32_t at) const { return kindOf(words[at]); }

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

  /// Whether the string at `at` has these bytes.
  bool isString(uint32_t at, const char *bytes, size_t length) const {
    return stringLength(at) == length && std::memcmp(string(at), bytes, length) == 0;
  }

  /// The value of the object's member with this key; 0 is none. Of two with one key the last counts.
  uint32_t member(uint32_t object, const char *key, size_t length) const {
    uint32_t found = 0;
    for (uint32_t at = object + 1; kind(at) != '}'; at = next(at + 1)) {
      if (isString(at, key, length)) found = at + 1;
    }
    return found;
  }

  /// The same of an object that has no two members of one name.
  uint32_t onlyMember(uint32_t object, const char *key, size_t length) const {
    for (uint32_t at = object + 1; kind(at) != '}'; at = next(at + 1)) {
      if (isString(at, key, length)) return at + 1;
    }
    return 0;
  }

  /// Whether the object at `object` has the keys of the other one in the same order, and so have all objects within; where
  /// there are any in arrays, the answer is no.
  bool hasKeysOf(uint32_t object, uint32_t other) const {
    for (object++, other++; kind(object) != '}'; object = next(object), other = next(other)) {
      const uint64_t key = words[object++], otherKey = words[other++];
      if (key != otherKey && (kindOf(otherKey) == '}' || !areSame(key, otherKey))) return false;
      const char value = kind(object);
      if (value == '{' && (kind(other) != '{' || !hasKeysOf(object, other))) return false;
      if (value == '[' && !hasScalarsOnly(object)) return false;
    }
    return kind(other) == '}';
  }

  /// Whether two members of the object have the same key.
  bool hasKeyTwice(uint32_t object) const {
    for (uint32_t at = object + 1; kind(at) != '}'; at = next(at + 1)) {
      if (member(object, string(at), stringLength(at)) != at + 1) return true;
    }
    return false;
  }

  /// Whether nothing in the array has elements or members of its own.
  bool hasScalarsOnly(uint32_t array) const {
    for (array++; kind(array) != ']'; array = next(array)) {
      if (kind(array) == '{' || kind(array) == '[') return false;
    }
    return true;
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
  static char kindOf(uint64_t word) { return static_cast<char>(word >> 56); }

  /// Whether the strings of two words have the same bytes. Their lengths and first four bytes are looked at together, and then eight at
  /// a time: so many can be read behind the last string.
  bool areSame(uint64_t word, uint64_t other) const {
    const unsigned char *left = strings + offsetOf(word), *right = strings + offsetOf(other);
    uint64_t first, second;
    std::memcpy(&first, left, sizeof first);
    std::memcpy(&second, right, sizeof second);
    const auto length = static_cast<uint32_t>(first);
    if (length != static_cast<uint32_t>(second)) return false;
    if (length < 4) return (first ^ second) << (32 - 8 * length) == 0;
    if (first != second) return false;
    for (uint32_t done = 4; done < length; done += 8) {
      std::memcpy(&first, left + 4 + done, sizeof first);
      std::memcpy(&second, right + 4 + done, sizeof second);
      const uint32_t rest = length - done;
      const uint64_t differences = first ^ second;
      if ((rest < 8 ? differences << (64 - 8 * rest) : differences) != 0) return false;
    }
    return true;
  }

  static uint64_t offsetOf(uint64_t word) { return word & 0x00FFFFFFFFFFFFFF; }

  uint64_t offset(uint32_t at) const { return offsetOf(words[at]); }
};

}  // namespace cjson
