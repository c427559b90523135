#include "Build.hpp"
#include "CLuaJSON.h"
#include "Digits.hpp"
#include "Failure.hpp"

namespace cjson {

namespace {

/// What parsing a text touches of the memory that it sets aside, for each of its bytes.
constexpr size_t parsedBytesPerByte = 4;

/// What a protected decoding is given.
struct Decoding {
  cjson_index index;
  void *owner;  ///< null once a document has it
  void (*release)(void *owner);
};

/// Pushes what was parsed.
int build(lua_State *L) {
  auto &decoding = *static_cast<Decoding *>(lua_touserdata(L, 1));
  const cjson_index &index = decoding.index;
  Builder builder = makeBuilder(L, index.tape);
  const char *text = index.text;
  if (index.listCount > 0) {
    builder.document = Document::push(L, index, decoding.owner, decoding.release);
    builder.documentIndex = lua_gettop(L);
    builder.lists = index.lists;
    builder.listsEnd = builder.lists + index.listCount;
    text = builder.document->text;
  }
  uint32_t at = 1;
  if (mayLoseDigits(index.tape, at, builder.lists, builder.listsEnd)) {
    builder.text = {text, text + index.length};
    builder.text.skipSpace();
  }
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
    status = state->parser.parse(text, length, padding, decoding.index, error);
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

cjson_status cjson_push_index(lua_State *L, const cjson_index *index, void *owner, void (*release)(void *owner), cjson_error *error) {
  using namespace cjson;
  Decoding decoding{*index, owner, release};
  cjson_status status = CJSON_MEMORY, failure;
  const bool hasRoom = lua_checkstack(L, 1) && stateOf(L) && (!limits().reserve || limits().reserve(L, index->size + index->length));
  if (hasRoom) {
    status = protect(L, build, &decoding, 0, 0, 1, &failure, error);
  } else {
    describe(error, 0, 0, "not enough memory");
  }
  if (decoding.owner) release(owner);
  return status;
}
