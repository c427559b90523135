#pragma once

#include <cstddef>
#include <cstdlib>
#include <type_traits>

namespace cjson {

/// Elements that grow. Freed by hand: a raising Lua leaves scopes without running their destructors.
template <typename Element>
struct Array {
  static_assert(std::is_trivially_copyable<Element>::value, "elements are moved as bytes");

  Element *elements;
  size_t count, capacity;

  /// Makes room for `wanted` elements; false without memory.
  bool reserve(size_t wanted) {
    if (wanted <= capacity) return true;
    size_t grown = capacity * 2 < 16 ? 16 : capacity * 2;
    if (grown < wanted) grown = wanted;
    void *moved = std::realloc(elements, grown * sizeof(Element));
    if (!moved) return false;
    elements = static_cast<Element *>(moved);
    capacity = grown;
    return true;
  }

  bool append(const Element &element) {
    if (count == capacity && !reserve(count + 1)) return false;
    elements[count++] = element;
    return true;
  }

  void free() {
    std::free(elements);
    elements = nullptr;
    count = capacity = 0;
  }
};

}  // namespace cjson
