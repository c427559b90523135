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
Document *Document::push(lua_State *L, const Array<Row> &given, size_t size) {
  const size_t whole = sizeof(Document) + given.count * (sizeof(uint64_t) + sizeof(Row)) + size;
  auto *document = new (lua_newuserdatauv(L, whole, 2)) Document{};
  document->standing = reinterpret_cast<uint64_t *>(document + 1);
  document->rows = reinterpret_cast<Row *>(document->standing + given.count);
  std::fill_n(document->standing, given.count, LazyRow::asItCame);
  std::copy_n(given.elements, given.count, document->rows);
  document->state = stateOf(L);
  document->size = whole;
  return document;
}

/// From here on the document on top of the stack releases the owner.
void Document::own(lua_State *L, void *&owner, void (*release)(void *owner)) {
  lua_rawgetp(L, LUA_REGISTRYINDEX, &metatableKey);
  lua_setmetatable(L, -2);
  this->owner = owner;
  this->release = release;
  owner = nullptr;
}

Document *Document::push(lua_State *L, const Parser &parser, const Parsed &parsed, void *&owner,
                         void (*release)(void *owner)) {
  const size_t tapeSize = parsed.words * sizeof(uint64_t), stringsSize = parsed.stringBytes + padding;
  Document *document = push(L, parser.rows, tapeSize + stringsSize + (owner ? 0 : parsed.length + padding));
  auto *tape = reinterpret_cast<uint64_t *>(document->rows + parser.rows.count);
  auto *strings = reinterpret_cast<unsigned char *>(tape + parsed.words);
  std::memcpy(tape, parsed.tape.words, tapeSize);
  std::memcpy(strings, parsed.tape.strings, parsed.stringBytes);
  std::memset(strings + parsed.stringBytes, 0, padding);
  document->tape = Tape{tape, strings};
  document->text = parsed.text;
  document->length = parsed.length;
  if (owner) {
    document->size += parsed.length;
  } else {
    auto *text = reinterpret_cast<char *>(strings + stringsSize);
    std::memcpy(text, parsed.text, parsed.length);
    std::memset(text + parsed.length, 0, padding);
    document->text = text;
  }
  document->own(L, owner, release);
  return document;
}

Document *Document::push(lua_State *L, const cjson_rows &written, void *&owner, void (*release)(void *owner)) {
  Document *document = push(L, written.rows, 0);
  document->tape = written.tape();
  document->text = written.text.bytes;
  document->length = written.text.length;
  document->size += cjson_rows_size(&written);
  document->own(L, owner, release);
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
