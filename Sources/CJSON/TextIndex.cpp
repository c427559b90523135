#include <cjson/TextIndex.hpp>

#include <cstring>
#include <new>

namespace {

/// Readable bytes that looking at keys wants behind the strings.
constexpr size_t padding = 8;

template <typename Element>
Element *place(char *&at, const Element *elements, size_t count) {
  auto *placed = reinterpret_cast<Element *>(at);
  if (count > 0) std::memcpy(placed, elements, count * sizeof(Element));
  at += count * sizeof(Element);
  return placed;
}

/// A copy of all but the text, in one block.
cjson_index *copy(const cjson_index &index) {
  const size_t size = sizeof(cjson_index) + index.words * sizeof(uint64_t) + index.rowCount * sizeof(cjson::Row) +
                      index.listCount * sizeof(cjson::RowList) + index.stringBytes + padding;
  auto *block = static_cast<char *>(std::malloc(size));
  if (!block) return nullptr;
  auto *made = new (block) cjson_index(index);
  char *at = block + sizeof(cjson_index);
  made->tape.words = place(at, index.tape.words, index.words);
  made->rows = place(at, index.rows, index.rowCount);
  made->lists = place(at, index.lists, index.listCount);
  made->tape.strings = place(at, index.tape.strings, index.stringBytes);
  std::memset(at, 0, padding);
  made->size = size;
  made->owner = block;
  made->release = std::free;
  return made;
}

}  // namespace

struct cjson_parser {
  cjson::Parser parser;
};

cjson_parser *cjson_parser_new(void) { return new (std::nothrow) cjson_parser{}; }

void cjson_parser_free(cjson_parser *parser) {
  parser->parser.free();
  delete parser;
}

cjson_index *cjson_parse(cjson_parser *parser, const char *text, size_t length, size_t padding) {
  cjson_index index;
  cjson_error error;
  if (parser->parser.parse(text, length, padding, index, &error) != CJSON_OK) return nullptr;
  return copy(index);
}

void cjson_index_free(cjson_index *index) { index->release(index->owner); }

size_t cjson_index_size(const cjson_index *index) { return index->size; }
