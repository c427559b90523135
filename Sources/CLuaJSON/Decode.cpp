#include "Build.hpp"
#include "CLuaJSON.h"
#include "Failure.hpp"

namespace cjson {

namespace {

/// What parsing a text touches of the memory that it sets aside, for each of its bytes.
constexpr size_t parsedBytesPerByte = 4;

/// What a protected decoding is given.
struct Decoding {
  Parsed parsed;
  void *owner;  ///< null once a document has it
  void (*release)(void *owner);
};

/// What a protected push of written rows is given.
struct Adoption {
  const cjson_rows *rows;
  void *owner;  ///< null once a document has it
  void (*release)(void *owner);
};

/// Pushes the list of written rows.
int adopt(lua_State *L) {
  auto &adoption = *static_cast<Adoption *>(lua_touserdata(L, 1));
  const cjson_rows &rows = *adoption.rows;
  Builder builder = makeBuilder(L, rows.tape());
  const RowList list{1, 0, static_cast<uint32_t>(rows.rows.count)};
  if (list.count > 0) {
    builder.document = Document::push(L, rows, adoption.owner, adoption.release);
    builder.documentIndex = lua_gettop(L);
    builder.lists = &list;
    builder.listsEnd = &list + 1;
  }
  uint32_t at = 1;
  builder.push(at);
  return 1;
}

/// Pushes what was parsed.
int build(lua_State *L) {
  auto &decoding = *static_cast<Decoding *>(lua_touserdata(L, 1));
  Builder builder = makeBuilder(L, decoding.parsed.tape);
  const Parser &parser = builder.state->parser;
  if (parser.lists.count > 0) {
    builder.document = Document::push(L, parser, decoding.parsed, decoding.owner, decoding.release);
    builder.documentIndex = lua_gettop(L);
    builder.lists = parser.lists.elements;
    builder.listsEnd = builder.lists + parser.lists.count;
  }
  uint32_t at = 1;
  builder.push(at);
  return 1;
}

}  // namespace

}  // namespace cjson

cjson_status cjson_decode(lua_State *L, const char *text, size_t length, size_t padding, void *owner,
                          void (*release)(void *owner), cjson_error *error) {
  using namespace cjson;
  constexpr size_t paddingInPlace = 64;
  Decoding decoding{{}, release && padding >= paddingInPlace ? owner : nullptr, release};
  const bool isInPlace = decoding.owner != nullptr;
  cjson_status status = CJSON_MEMORY;
  State *state = lua_checkstack(L, 1) ? stateOf(L) : nullptr;
  const bool hasRoom = state && (!limits().reserve || limits().reserve(L, length * parsedBytesPerByte));
  if (hasRoom) {
    status = state->parser.parse(text, length, padding, decoding.parsed, error);
  } else {
    describe(error, 0, 0, "not enough memory");
  }
  cjson_status failure;
  if (status == CJSON_OK) status = protect(L, build, &decoding, 0, 0, 1, &failure, error);
  if (state) state->parser.trim();
  const bool isKept = isInPlace && !decoding.owner;
  if (owner && release && !isKept) release(owner);
  return status;
}

cjson_status cjson_push_rows(lua_State *L, const cjson_rows *rows, void *owner, void (*release)(void *owner), cjson_error *error) {
  using namespace cjson;
  Adoption adoption{rows, owner, release};
  cjson_status status = CJSON_MEMORY, failure;
  const bool hasRoom = lua_checkstack(L, 1) && stateOf(L) && (!limits().reserve || limits().reserve(L, cjson_rows_size(rows)));
  if (hasRoom) {
    status = protect(L, adopt, &adoption, 0, 0, 1, &failure, error);
  } else {
    describe(error, 0, 0, "not enough memory");
  }
  if (adoption.owner) release(owner);
  return status;
}
