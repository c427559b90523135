#include <cjson/Written.hpp>

#include <cstring>
#include <new>

namespace {

/// Places in the text are kept in 32 bits.
constexpr size_t longest = UINT32_MAX - 4096;

/// Readable bytes promised behind the text, and behind the strings.
constexpr size_t padding = 64;

uint64_t word(char kind, uint64_t payload) { return uint64_t{static_cast<unsigned char>(kind)} << 56 | payload; }

}  // namespace

bool cjson_rows::addKey(const char *key, size_t length) {
  const uint64_t offset = strings.length;
  const size_t start = before.length;
  const auto count = static_cast<uint32_t>(length);
  if (!cjson::append(strings, reinterpret_cast<const char *>(&count), sizeof count)) return false;
  if (!cjson::append(strings, key, length) || !cjson::append(strings, "", 1)) return false;
  if (!cjson::append(before, keys.count == 0 ? "{" : ",", 1) || !cjson::appendString(before, key, length)) return false;
  if (!cjson::append(before, ":", 1) || !cjson::reserve(before, 8)) return false;
  return keys.append({word('"', offset), static_cast<uint32_t>(start), static_cast<uint32_t>(before.length - start)});
}

void cjson_rows::reserve(size_t bytes, size_t count) {
  // One that is a little longer is not to be moved for it.
  const size_t room = bytes + bytes / 8 + rowRoom() + padding;
  (void)cjson::reserve(text, room);
  (void)cjson::reserve(strings, room);
  (void)rows.reserve(count);
  (void)words.reserve(count * wordsOfRow() + 4);
}

bool cjson_rows::beginRow() {
  const bool isFirst = words.count == 0;
  if (isFirst) words.count = 2;  // the root and the list, known at the end
  if (!cjson::reserve(text, rowRoom()) || !words.reserve(words.count + wordsOfRow())) return false;
  text.bytes[text.length++] = isFirst ? '[' : ',';
  if (!rows.append({static_cast<uint32_t>(words.count), static_cast<uint32_t>(text.length), 0, 0})) return false;
  words.count++;
  return true;
}

inline bool cjson_rows::begin(char kind, uint64_t payload) {
  if (place == 0 && !beginRow()) return false;
  const Key &key = keys.elements[place++];
  uint64_t *next = words.elements + words.count;
  next[0] = key.word;
  next[1] = word(kind, payload);
  words.count += 2;
  // Eight bytes at a time, which may be more than there are.
  char *to = text.bytes + text.length;
  const char *from = before.bytes + key.start;
  for (size_t done = 0; done < key.length; done += 8) std::memcpy(to + done, from + done, 8);
  text.length += key.length;
  return true;
}

inline bool cjson_rows::endNumber(uint64_t bits) {
  words.elements[words.count++] = bits;
  return endValue();
}

bool cjson_rows::addText(const char *bytes, size_t length, const char **wrong) {
  if (!begin('"', strings.length)) return false;
  const size_t start = text.length;
  if (!cjson::appendString(text, bytes, length, wrong) || !cjson::reserve(text, rowRoom())) return false;
  const size_t written = text.length - start - 2;
  if (written == length) return addString(text.bytes + start + 1, length) && endValue();
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

/// Adds a string as tapes have them: its length, its bytes, and a zero. Seven bytes behind it may be read.
bool cjson_rows::addString(const char *bytes, size_t length) {
  const auto count = static_cast<uint32_t>(length);
  if (!cjson::reserve(strings, length + sizeof count + 8)) return false;
  char *at = strings.bytes + strings.length;
  std::memcpy(at, &count, sizeof count);
  at += sizeof count;
  // Eight bytes at a time, which may be more than there are.
  for (size_t done = 0; done < length; done += 8) std::memcpy(at + done, bytes + done, 8);
  at[length] = 0;
  strings.length += length + sizeof count + 1;
  return true;
}

bool cjson_rows::endRow() {
  cjson::Row &row = rows.elements[rows.count - 1];
  words.elements[words.count++] = word('}', row.tape);
  words.elements[row.tape] = word('{', uint64_t{keys.count < 0xFFFFFF ? keys.count : 0xFFFFFF} << 32 | words.count);
  place = 0;
  text.bytes[text.length++] = '}';
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
  index.isUniform = true;
  // What there is room for beyond that was never touched, and takes no memory.
  index.size = strings.length + words.count * sizeof(uint64_t) + rows.count * sizeof(cjson::Row);
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

void cjson_rows_reserve(cjson_rows *rows, size_t bytes, size_t count) { rows->reserve(bytes, count); }

int cjson_rows_null(cjson_rows *rows) {
  return rows->begin('n') && cjson::append(rows->text, "null", 4) && rows->endValue();
}

int cjson_rows_boolean(cjson_rows *rows, int truth) {
  return rows->begin(truth ? 't' : 'f') && cjson::append(rows->text, truth ? "true" : "false", truth ? 4 : 5) &&
         rows->endValue();
}

int cjson_rows_integer(cjson_rows *rows, int64_t integer) {
  return rows->begin('l') && cjson::appendInteger(rows->text, integer) && rows->endNumber(static_cast<uint64_t>(integer));
}

int cjson_rows_real(cjson_rows *rows, double number) {
  uint64_t bits;
  std::memcpy(&bits, &number, sizeof bits);
  return rows->begin('d') && cjson::appendFloat(rows->text, number) && rows->endNumber(bits);
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
