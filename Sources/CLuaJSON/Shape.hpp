#pragma once

#include <cstdint>
#include <cstring>

#include "Members.hpp"

namespace cjson {

/// The keys of an object that was written, in the order of its table: the next one that has them is written in the same order,
/// without ranking, sorting or escaping its keys again.
///
/// Keys are compared by their addresses, so the tables have to live as long as this does.
struct Shape {
  static constexpr size_t mostKeys = 16, mostText = 256;

  unsigned users = 0;  ///< objects being written by it; it stays as it is as long as there are any

  bool isOf(const Entry *entries, size_t members) const {
    if (members != count || written != count) return false;
    for (size_t i = 0; i < count; i++) {
      if (keys[i] != entries[i].string) return false;
    }
    return true;
  }

  /// Begins to learn another shape, with the members of a table in its order; the members' texts are to follow.
  void begin(const Entry *entries, size_t members) {
    count = members;
    written = 0;
    for (size_t i = 0; i < count; i++) keys[i] = entries[i].string;
  }

  /// Adds the text of the next key, with its colon, and the place of its member in the table.
  void add(size_t place, const char *bytes, size_t length) {
    const size_t start = written > 0 ? ends[written - 1] : 0;
    if (start + length > mostText) return;
    std::memcpy(text + start, bytes, length);
    order[written] = static_cast<uint8_t>(place);
    ends[written++] = static_cast<uint16_t>(start + length);
  }

  size_t place(size_t member) const { return order[member]; }
  const char *key(size_t member) const { return text + start(member); }
  size_t keyLength(size_t member) const { return ends[member] - start(member); }

 private:
  size_t start(size_t member) const { return member > 0 ? ends[member - 1] : 0; }

  size_t count = 0, written = 0;
  const char *keys[mostKeys];
  uint8_t order[mostKeys];
  uint16_t ends[mostKeys];  ///< of the keys' texts
  char text[mostText];
};

/// The shapes that were seen last.
struct Shapes {
  /// The shape that these members have or that may be learnt from them; null where there is none to be had.
  Shape *find(const Entry *entries, size_t count) {
    if (count == 0 || count > Shape::mostKeys) return nullptr;
    Shape &shape = shapes[(reinterpret_cast<uintptr_t>(entries->string) / 16 + count) % kept];
    if (shape.isOf(entries, count)) return &shape;
    if (shape.users > 0) return nullptr;
    for (size_t i = 0; i < count; i++) {
      if (!entries[i].string) return nullptr;
    }
    return &shape;
  }

 private:
  static constexpr size_t kept = 8;
  Shape shapes[kept];
};

}  // namespace cjson
