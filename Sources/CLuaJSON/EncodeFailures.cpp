#include <cctype>
#include <cstdarg>
#include <cstdio>
#include <cstring>

#include "Encode.hpp"
#include "Failure.hpp"

namespace cjson {

namespace {

/// Longer keys are cut in messages.
constexpr size_t longestKey = 40;

bool isName(const char *key, size_t length) {
  for (size_t i = 0; i < length; i++) {
    if (key[i] != '_' && !std::isalnum(static_cast<unsigned char>(key[i]))) return false;
  }
  return length > 0 && length <= longestKey && !std::isdigit(static_cast<unsigned char>(key[0]));
}

/// Copies the beginning of a key, whole characters only, without control characters.
void copyKey(char (&to)[longestKey + 4], const char *key, size_t length) {
  const bool isCut = length > longestKey;
  if (isCut) {
    length = longestKey;
    while (length > 0 && (static_cast<unsigned char>(key[length]) & 0xC0) == 0x80) length--;
  }
  for (size_t i = 0; i < length; i++) to[i] = static_cast<unsigned char>(key[i]) < 0x20 ? '?' : key[i];
  std::strcpy(to + length, isCut ? "..." : "");
}

}  // namespace

void Encoder::raise() {
  if (out->is_full) fail("more than %zu bytes of text, which is more than there is memory for", out->limit);
  raiseMemory(L, failure);
}

void Encoder::fail(const char *format, ...) {
  char reason[160], itemName[32] = "", place[96];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(reason, sizeof reason, format, arguments);
  va_end(arguments);
  if (item > 0) std::snprintf(itemName, sizeof itemName, "item %zu: ", item);
  place[sizeof place - 1] = 0;
  const size_t length = describePath(place + sizeof place - 1, sizeof place - 1);
  const char *start = place + sizeof place - 1 - length;
  describe(error, 0, 0, "%s%s%s%s", itemName, start, length > 0 ? ": " : "", reason);
  *failure = CJSON_INVALID;
  lua_pushnil(L);
  lua_error(L);
  __builtin_unreachable();
}

/// Writes where we are so that it ends at `end`; what is too long loses its beginning.
size_t Encoder::describePath(char *end, size_t room) const {
  size_t length = 0;
  for (int i = depth - 1; i >= 0; i--) {
    const Step &step = path[i];
    char piece[longestKey + 12], key[longestKey + 4];
    if (!step.key) {
      std::snprintf(piece, sizeof piece, "[%lld]", step.index);
    } else {
      copyKey(key, step.key, step.length);
      const char *format = !isName(step.key, step.length) ? "[\"%s\"]" : i > 0 ? ".%s" : "%s";
      std::snprintf(piece, sizeof piece, format, key);
    }
    const size_t count = std::strlen(piece), ellipsis = i > 0 ? 3 : 0;
    if (length + count + ellipsis > room) {
      std::memcpy(end - length - 3, "...", 3);
      return length + 3;
    }
    length += count;
    std::memcpy(end - length, piece, count);
  }
  return length;
}

}  // namespace cjson
