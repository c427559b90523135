#include "Inner.hpp"
#include "LazyRow.hpp"
#include "RowText.hpp"

namespace cjson {

/// Whether the number that a row's document has for a member is the double that scripts see, to its last digit.
static bool keepsDigits(const LazyRow &lazy, const char *name, size_t length) {
  const Tape &tape = lazy.document->tape;
  RowText text{lazy.document->text + lazy.row->start};
  for (uint32_t at = lazy.row->tape + 1; tape.kind(at) != '}'; at = tape.next(at + 1)) {
    const RowText::Member member = text.next();
    if (!tape.isString(at, name, length)) continue;
    if (tape.kind(at + 1) == 'u') return false;
    return tape.kind(at + 1) != 'd' || cjson_keeps_digits(member.value, static_cast<size_t>(member.end - member.value), tape.number(at + 1));
  }
  return true;
}

int keepsDigits(lua_State *L) {
  size_t length;
  const char *name = luaL_checklstring(L, 2, &length);
  const LazyRow lazy = lazyRowAt(L, 1);
  lua_pushboolean(L, !lazy.row || keepsDigits(lazy, name, length));
  return 1;
}

}  // namespace cjson
