#include "Document.hpp"

#include <algorithm>
#include <cstring>

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

Document *Document::push(lua_State *L, const Parser &parser, const Parsed &parsed, void *&owner,
                         void (*release)(void *owner)) {
  const size_t rowCount = parser.rows.count;
  const size_t tapeSize = parsed.words * sizeof(uint64_t), rowsSize = rowCount * (sizeof(uint64_t) + sizeof(Row));
  const size_t stringsSize = parsed.stringBytes + padding, textSize = owner ? 0 : parsed.length + padding;
  const size_t size = sizeof(Document) + tapeSize + rowsSize + stringsSize + textSize;
  auto *document = static_cast<Document *>(lua_newuserdatauv(L, size, 2));
  auto *tape = reinterpret_cast<uint64_t *>(document + 1);
  auto *standing = tape + parsed.words;
  auto *rows = reinterpret_cast<Row *>(standing + rowCount);
  auto *strings = reinterpret_cast<unsigned char *>(rows + rowCount);
  auto *text = reinterpret_cast<char *>(strings + stringsSize);
  std::memcpy(tape, parsed.tape.words, tapeSize);
  std::fill_n(standing, rowCount, LazyRow::asItCame);
  std::memcpy(rows, parser.rows.elements, rowCount * sizeof(Row));
  std::memcpy(strings, parsed.tape.strings, parsed.stringBytes);
  std::memset(strings + parsed.stringBytes, 0, padding);
  if (textSize > 0) {
    std::memcpy(text, parsed.text, parsed.length);
    std::memset(text + parsed.length, 0, padding);
  }

  *document = Document{};
  document->text = owner ? parsed.text : text;
  document->tape = Tape{tape, strings};
  document->rows = rows;
  document->standing = standing;
  document->length = parsed.length;
  document->state = stateOf(L);
  document->size = size + (owner ? parsed.length : 0);
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

bool Document::append(const char *from, const char *end, cjson_buffer &out) {
  if (!knowsLineBreaks) {
    hasLineBreaks = std::memchr(text, '\n', length) || std::memchr(text, '\r', length);
    knowsLineBreaks = true;
  }
  if (!hasLineBreaks) return cjson::append(out, from, static_cast<size_t>(end - from));
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
