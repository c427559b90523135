#include <cjson/Written.hpp>

#include <cstring>
#include <new>

namespace {

/// Places in the text are kept in 32 bits.
constexpr size_t longest = UINT32_MAX - 4096;

/// Readable bytes promised behind the text, and behind the strings.
constexpr size_t padding = 64;

/// Room for a value behind its key: for a number, and for bytes that copying the key goes beyond.
constexpr size_t roomForValue = 48;

uint64_t word(char kind, uint64_t payload) { return uint64_t{static_cast<unsigned char>(kind)} << 56 | payload; }

}  // namespace

bool cjson_rows::addKey(const char *key, size_t length) {
  const uint64_t offset = strings.length;
  if (!addString(key, length)) return false;
  if (!cjson::append(before, keys.count == 0 ? "{" : ",", 1) || !cjson::appendString(before, key, length)) return false;
  if (!cjson::append(before, ":", 1) || !cjson::reserve(before, 8)) return false;
  return keys.append({word('"', offset), static_cast<uint32_t>(before.length)});
}

bool cjson_rows::beginRow() {
  if (words.count == 0) {
    if (!words.reserve(64) || !cjson::append(text, "[", 1)) return false;
    words.count = 2;  // the root and the list, known at the end
  } else if (!cjson::append(text, ",", 1)) {
    return false;
  }
  // A key has one word, a value up to two.
  if (!words.reserve(words.count + 3 * keys.count + 2)) return false;
  if (!rows.append({static_cast<uint32_t>(words.count), static_cast<uint32_t>(text.length), 0, 0})) return false;
  words.count++;
  return true;
}

bool cjson_rows::begin(char kind, uint64_t payload) {
  if (place == 0 && !beginRow()) return false;
  const uint32_t start = place == 0 ? 0 : keys.elements[place - 1].end;
  const Key &key = keys.elements[place++];
  words.elements[words.count++] = key.word;
  words.elements[words.count++] = word(kind, payload);
  // Eight bytes at a time, which may be more than there are.
  const size_t length = key.end - start;
  if (!cjson::reserve(text, length + roomForValue)) return false;
  char *to = text.bytes + text.length;
  for (size_t done = 0; done < length; done += 8) std::memcpy(to + done, before.bytes + start + done, 8);
  text.length += length;
  return true;
}

bool cjson_rows::addNumber(uint64_t bits) {
  words.elements[words.count++] = bits;
  return endValue();
}

bool cjson_rows::addText(const char *bytes, size_t length, const char **wrong) {
  if (!begin('"', strings.length)) return false;
  const size_t start = text.length;
  if (!cjson::appendString(text, bytes, length, wrong)) return false;
  const size_t written = text.length - start - 2;
  if (written == length) return addString(bytes, length) && endValue();
  // The string is what a reader makes of what was written.
  const size_t record = strings.length;
  if (!cjson::reserve(strings, written + sizeof(uint32_t) + 1)) return false;
  strings.length += sizeof(uint32_t);
  const auto read = static_cast<uint32_t>(cjson_unescape(text.bytes + start + 1, written, strings.bytes + strings.length));
  std::memcpy(strings.bytes + record, &read, sizeof read);
  strings.length += read;
  strings.bytes[strings.length++] = 0;
  return endValue();
}

/// Adds a string as tapes have them: its length, its bytes, and a zero.
bool cjson_rows::addString(const char *bytes, size_t length) {
  const auto count = static_cast<uint32_t>(length);
  if (!cjson::reserve(strings, length + sizeof count + 1)) return false;
  char *at = strings.bytes + strings.length;
  std::memcpy(at, &count, sizeof count);
  if (length > 0) std::memcpy(at + sizeof count, bytes, length);
  at[sizeof count + length] = 0;
  strings.length += length + sizeof count + 1;
  return true;
}

bool cjson_rows::endRow() {
  cjson::Row &row = rows.elements[rows.count - 1];
  words.elements[words.count++] = word('}', row.tape);
  words.elements[row.tape] = word('{', uint64_t{keys.count < 0xFFFFFF ? keys.count : 0xFFFFFF} << 32 | words.count);
  place = 0;
  if (!cjson::append(text, "}", 1)) return false;
  row.end = static_cast<uint32_t>(text.length);
  return true;
}

cjson_index *cjson_rows::end() {
  if (rows.count == 0) {
    words.count = 2;
    if (!cjson::append(text, "[", 1)) return nullptr;
  }
  if (!words.reserve(words.count + 2) || !cjson::append(text, "]", 1)) return nullptr;
  if (!cjson::reserve(text, padding) || !cjson::reserve(strings, padding)) return nullptr;
  std::memset(text.bytes + text.length, 0, padding);
  std::memset(strings.bytes + strings.length, 0, padding);
  words.elements[words.count++] = word(']', 1);
  words.elements[1] = word('[', uint64_t{rows.count < 0xFFFFFF ? rows.count : 0xFFFFFF} << 32 | words.count);
  words.elements[words.count++] = word('r', 0);
  words.elements[0] = word('r', words.count);
  list = {1, 0, static_cast<uint32_t>(rows.count)};
  index.text = text.bytes;
  index.length = text.length;
  index.tape = {words.elements, reinterpret_cast<const unsigned char *>(strings.bytes)};
  index.words = words.count;
  index.stringBytes = strings.length;
  index.lists = &list;
  index.listCount = rows.count > 0;
  index.rows = rows.elements;
  index.rowCount = rows.count;
  index.size = text.capacity - text.length + strings.capacity + words.capacity * sizeof(uint64_t) +
               rows.capacity * sizeof(cjson::Row);
  index.owner = this;
  index.release = [](void *rows) { cjson_rows_free(static_cast<cjson_rows *>(rows)); };
  return &index;
}

cjson_rows *cjson_rows_new(void) {
  auto *rows = new (std::nothrow) cjson_rows{};
  if (!rows) return nullptr;
  rows->text.limit = rows->strings.limit = longest;
  return rows;
}

void cjson_rows_free(cjson_rows *rows) {
  cjson_buffer_free(&rows->text);
  cjson_buffer_free(&rows->strings);
  cjson_buffer_free(&rows->before);
  rows->words.free();
  rows->rows.free();
  rows->keys.free();
  delete rows;
}

int cjson_rows_key(cjson_rows *rows, const char *key, size_t length) { return rows->addKey(key, length); }

int cjson_rows_null(cjson_rows *rows) {
  return rows->begin('n') && cjson::append(rows->text, "null", 4) && rows->endValue();
}

int cjson_rows_boolean(cjson_rows *rows, int truth) {
  return rows->begin(truth ? 't' : 'f') && cjson::append(rows->text, truth ? "true" : "false", truth ? 4 : 5) &&
         rows->endValue();
}

int cjson_rows_integer(cjson_rows *rows, int64_t integer) {
  return rows->begin('l') && cjson::appendInteger(rows->text, integer) && rows->addNumber(static_cast<uint64_t>(integer));
}

int cjson_rows_real(cjson_rows *rows, double number) {
  uint64_t bits;
  std::memcpy(&bits, &number, sizeof bits);
  return rows->begin('d') && cjson::appendFloat(rows->text, number) && rows->addNumber(bits);
}

int cjson_rows_text(cjson_rows *rows, const char *text, size_t length, const char **wrong) {
  *wrong = nullptr;
  return rows->addText(text, length, wrong);
}

cjson_index *cjson_rows_end(cjson_rows *rows) { return rows->end(); }

const char *cjson_rows_json(const cjson_rows *rows, size_t *length) {
  *length = rows->text.length;
  return rows->text.bytes;
}
