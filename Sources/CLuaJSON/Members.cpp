#include "Members.hpp"

#include <algorithm>
#include <cstring>

namespace cjson {

int compare(const Entry &a, const Entry &b) {
  if (a.rank != b.rank) return a.rank < b.rank ? -1 : 1;
  const int order = std::memcmp(a.key(), b.key(), std::min(a.length, b.length));
  if (order != 0) return order;
  return a.length == b.length ? 0 : (a.length < b.length ? -1 : 1);
}

static void insert(Entry *entries, size_t count) {
  for (size_t i = 1; i < count; i++) {
    if (compare(entries[i - 1], entries[i]) <= 0) continue;
    const Entry entry = entries[i];
    size_t to = i;
    for (; to > 0 && compare(entries[to - 1], entry) > 0; to--) entries[to] = entries[to - 1];
    entries[to] = entry;
  }
}

const Entry *sort(Entry *entries, size_t count) {
  constexpr size_t few = 24;
  if (count <= few) {
    insert(entries, count);
  } else {
    std::sort(entries, entries + count, [](const Entry &a, const Entry &b) { return compare(a, b) < 0; });
  }
  for (size_t i = 1; i < count; i++) {
    if (compare(entries[i - 1], entries[i]) == 0) return entries + i;
  }
  return nullptr;
}

}  // namespace cjson
