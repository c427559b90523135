#pragma once

#include <CJSON.h>
#include <cjson/Array.hpp>
#include <cjson/Depth.hpp>

namespace cjson {

/// A walk along the structural characters that simdjson's first stage found (brackets, colons, commas, first bytes of
/// values), which notes the values. The stage has checked UTF-8 and the ends of strings; the walk checks the rest.
struct Index {
  /// `nodes` has room for one for each index.
  Index(const char *text, uint32_t length, const uint32_t *indexes, uint32_t count, cjson_node *nodes, size_t deepest)
      : text(text), length(length), indexes(indexes), count(count), nodes(nodes), deepest(deepest) {}

  /// False where the text is no JSON.
  bool run();

 private:
  bool value();
  bool open(cjson_kind kind, char closing);
  bool afterValue();
  bool key();
  bool scalar(cjson_kind kind, const char *word);
  bool number();
  bool string();
  bool escapes(uint32_t from, uint32_t end) const;
  uint32_t tokenEnd() const;
  bool isAt(char character) const { return at < count && text[indexes[at]] == character; }

  const char *text;
  uint32_t length;
  const uint32_t *indexes;
  uint32_t count;
  cjson_node *nodes;
  size_t deepest;
  uint32_t at = 0, found = 0;  ///< where we are among the indexes, and among the nodes
  size_t depth = 0;
  uint32_t containers[mostNested];  ///< the nodes that are open; filled as they are
};

}  // namespace cjson
