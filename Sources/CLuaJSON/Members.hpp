#pragma once

#include <cstddef>
#include <cstdint>

#include "Lua.hpp"
#include <cjson/Buffer.hpp>

namespace cjson {

/// A member of an object that is being written.
struct Entry {
  uint32_t rank;
  uint32_t place;      ///< in the order in which the members were noted
  int slot;            ///< where its value is on the stack, or 0
  const char *string;  ///< null for an integer key, whose text is `digits`
  size_t length;
  lua_Integer integer;
  char digits[longestInteger];

  const char *key() const { return string ? string : digits; }
};

/// The order in which members are written: as seen in documents, then by the bytes of the keys.
int compare(const Entry &a, const Entry &b);

/// Puts members in that order. Answers a member whose key is there twice (as an integer and as text), or null.
const Entry *sort(Entry *entries, size_t count);

}  // namespace cjson
