#include "Document.hpp"

#include <algorithm>
#include <cstring>
#include <new>

#include <cjson/Buffer.hpp>
#include "LazyRow.hpp"
#include "State.hpp"

namespace cjson {

static char metatableKey;

/// Readable bytes that looking at keys wants after the strings, and looking for members after the text.
constexpr size_t padding = 8;

static int collect(lua_State *L) {
  auto *document = static_cast<Document *>(lua_touserdata(L, 1));
  if (document->owner) document->release(document->owner);
  document->owner = nullptr;
  if (document->isHeld) document->state->held -= document->size;
  document->isHeld = false;
  return 0;
}

void openDocuments(lua_State *L) {
  lua_createtable(L, 0, 1);
  lua_pushcfunction(L, collect);
  lua_setfield(L, -2, "__gc");
  lua_rawsetp(L, LUA_REGISTRYINDEX, &metatableKey);
}

/// Pushes a document with these rows, and so many bytes of its own behind them.
Document *Document::push(lua_State *L, const cjson_index &index, size_t size) {
  const size_t whole = sizeof(Document) + index.rowCount * (sizeof(uint64_t) + sizeof(Row)) + size;
  auto *document = new (lua_newuserdatauv(L, whole, documentValues)) Document{};
  document->standing = reinterpret_cast<uint64_t *>(document + 1);
  document->rows = reinterpret_cast<Row *>(document->standing + index.rowCount);
  std::fill_n(document->standing, index.rowCount, LazyRow::asItCame);
  std::copy_n(index.rows, index.rowCount, document->rows);
  document->text = index.text;
  document->length = index.length;
  document->tape = index.tape;
  document->isUniform = document->knowsLineBreaks = index.isUniform;
  document->state = stateOf(L);
  document->size = whole;
  return document;
}

Document *Document::push(lua_State *L, const cjson_index &index, void *&owner, void (*release)(void *owner)) {
  const bool isLent = !index.release;
  const size_t tapeSize = isLent ? index.words * sizeof(uint64_t) : 0, stringsSize = isLent ? index.stringBytes + padding : 0;
  Document *document = push(L, index, tapeSize + stringsSize + (owner ? 0 : index.length + padding));
  auto *tape = reinterpret_cast<uint64_t *>(document->rows + index.rowCount);
  auto *strings = reinterpret_cast<unsigned char *>(tape) + tapeSize;
  if (isLent) {
    std::memcpy(tape, index.tape.words, tapeSize);
    std::memcpy(strings, index.tape.strings, index.stringBytes);
    std::memset(strings + index.stringBytes, 0, padding);
    document->tape = Tape{tape, strings};
  }
  if (owner) {
    document->size += index.length + index.size;
  } else {
    auto *text = reinterpret_cast<char *>(strings + stringsSize);
    std::memcpy(text, index.text, index.length);
    std::memset(text + index.length, 0, padding);
    document->text = text;
  }
  lua_rawgetp(L, LUA_REGISTRYINDEX, &metatableKey);
  lua_setmetatable(L, -2);
  document->owner = owner;
  document->release = release;
  owner = nullptr;
  return document;
}

static bool isSpace(char byte) { return byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r'; }

/// The first line break from `from` on, or `end`. There is none inside strings.
static const char *lineBreak(const char *from, const char *end) {
  while (from < end && *from != '\n' && *from != '\r') from++;
  return from;
}

bool Document::isOnOneLine() {
  if (!knowsLineBreaks) {
    hasLineBreaks = std::memchr(text, '\n', length) || std::memchr(text, '\r', length);
    knowsLineBreaks = true;
  }
  return !hasLineBreaks;
}

bool Document::append(const char *from, const char *end, cjson_buffer &out) {
  if (isOnOneLine()) return cjson::append(out, from, static_cast<size_t>(end - from));
  while (from < end) {
    const char *next = lineBreak(from, end), *kept = next;
    if (next != end) {
      while (kept > from && isSpace(kept[-1])) kept--;
      while (isSpace(*next)) next++;
    }
    if (!cjson::append(out, from, static_cast<size_t>(kept - from))) return false;
    from = next;
  }
  return true;
}

}  // namespace cjson
