#include <simdjson.h>

#include <cjson/Describe.hpp>
#include <memory>
#include <new>

#include "Index.hpp"
#include "Scan.hpp"

namespace cjson {

/// Memory for a text longer than this is not kept.
constexpr size_t longestKept = 4 << 20;

/// What the first stage is given room for at the least.
constexpr size_t smallest = 4 << 10;

}  // namespace cjson

struct cjson_reader {
  std::unique_ptr<simdjson::internal::dom_parser_implementation> stage;
  cjson::Array<cjson_node> nodes{};
  size_t capacity = 0;

  ~cjson_reader() { nodes.free(); }

  /// Makes room for a text of `length` bytes, and lets go what a much longer one took.
  int prepare(size_t length) {
    if (capacity > cjson::longestKept && length <= cjson::longestKept) {
      capacity = 0;
      nodes.free();
    }
    if (length <= capacity) return simdjson::SUCCESS;
    size_t wanted = capacity * 2 < cjson::smallest ? cjson::smallest : capacity * 2;
    if (wanted < length || wanted > cjson::longestKept) wanted = length;
    const int code =
        stage ? int{stage->set_capacity(wanted)}
              : int{simdjson::get_active_implementation()->create_dom_parser_implementation(wanted, 1, stage)};
    capacity = code == simdjson::SUCCESS ? wanted : 0;
    return code;
  }

  /// Finds the values: simdjson's code, which is none of its own when the walk finds the fault.
  int read(const char *text, size_t length, size_t deepest) {
    if (length == 0) return simdjson::EMPTY;
    if (const int code = prepare(length)) return code;
    const auto *bytes = reinterpret_cast<const uint8_t *>(text);
    if (const int code = stage->stage1(bytes, length, simdjson::stage1_mode::regular)) return code;
    const uint32_t count = stage->n_structural_indexes;
    if (!nodes.reserve(count)) return simdjson::MEMALLOC;
    const uint32_t *indexes = stage->structural_indexes.get();
    cjson::Index index(text, static_cast<uint32_t>(length), indexes, count, nodes.elements, deepest);
    return index.run() ? simdjson::SUCCESS : simdjson::TAPE_ERROR;
  }
};

cjson_reader *cjson_reader_new(void) { return new (std::nothrow) cjson_reader(); }

void cjson_reader_free(cjson_reader *reader) { delete reader; }

cjson_status cjson_read(cjson_reader *reader, const char *text, size_t length, size_t deepest,
                        const cjson_node **nodes, cjson_error *error) {
  using namespace cjson;
  if (deepest > mostNested) deepest = mostNested;
  switch (reader->read(text, length, deepest)) {
    case simdjson::SUCCESS: *nodes = reader->nodes.elements; return CJSON_OK;
    case simdjson::MEMALLOC: describe(error, 0, 0, "not enough memory"); return CJSON_MEMORY;
    case simdjson::CAPACITY: describe(error, 0, 0, "the text is longer than 4 GB"); return CJSON_INVALID;
    default: break;
  }
  if (!error) return CJSON_INVALID;
  Array<LargeNumber> large{};
  if (Scan(text, length, large, error, deepest).run()) describe(error, 0, 0, "not a JSON text that can be read");
  large.free();
  return CJSON_INVALID;
}
