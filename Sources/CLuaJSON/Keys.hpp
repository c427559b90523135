#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "Lua.hpp"
#include <cjson/Tape.hpp>

namespace cjson {

/// The keys of objects: strings kept so that a known one costs no hashing, and the order of their first sight.
///
/// Two of the state's tables belong to it, side by side on the stack: the kept strings by slot, and the ranks by string.
struct Keys {
  static constexpr int slots = 256;
  static constexpr uint32_t longestKept = 28, mostRanks = 4096, unranked = mostRanks;

  /// Pushes the key whose bytes these are (with eight readable ones after them), and ranks it when it is new.
  /// `tables` is where the state's tables are.
  void push(lua_State *L, int tables, const char *bytes, uint32_t length);

  /// Whether all keys of the object or array at `at` of a tape, and of those within, are kept, and so ranked.
  bool know(const Tape &tape, uint32_t at) const;

  /// Ranks the keys of the object at `at` of a tape, and of those within.
  void note(lua_State *L, int tables, const Tape &tape, uint32_t at);

  /// The place of the string at `index` in the order of first sight, or `unranked`.
  uint32_t rank(lua_State *L, int tables, int index);

 private:
  size_t slot(const char *bytes, uint32_t length) const;
  void see(lua_State *L, int tables);

  struct Kept {
    uint32_t length;
    char bytes[longestKept];

    bool is(const char *key, uint32_t size) const {
      return length == size && size > 0 && std::memcmp(bytes, key, size) == 0;
    }
  };
  struct Ranked {
    const char *string;  ///< alive as long as the state: the table of ranks holds it
    uint32_t rank;
  };
  Kept kept[slots];
  Ranked ranked[slots];
  uint32_t ranks;
};

}  // namespace cjson
