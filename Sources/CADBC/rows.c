#include "rows.h"

#include <CJSON.h>

/* A text of JSON, from the front. */
typedef struct {
  const uint8_t *at, *end;
} scan;

/* A value that was passed. */
typedef struct {
  const uint8_t *start, *end; /* of a text, what is between its quotes */
  cjson_kind kind;
  int is_escaped, has_escapes; /* a text; a text or one in an array or object */
} value;

static const int deepest = 64;

static int is_space(uint8_t byte) { return byte == ' ' || byte == '\n' || byte == '\t' || byte == '\r'; }

static int is_digit(uint8_t byte) { return (uint8_t)(byte - '0') < 10; }

static void skip_space(scan *scan) {
  while (scan->at < scan->end && is_space(*scan->at)) scan->at++;
}

static int pass(scan *scan, uint8_t byte) {
  if (scan->at == scan->end || *scan->at != byte) return 0;
  scan->at++;
  return 1;
}

/* Whether bytes are UTF-8. */
static int is_utf8(const uint8_t *at, const uint8_t *end) {
  while (at < end) {
    uint8_t first = *at++;
    if (first < 0x80) continue;
    int more = first >= 0xf0 ? 3 : first >= 0xe0 ? 2 : 1;
    if (first < 0xc2 || first > 0xf4 || end - at < more) return 0;
    uint8_t second = *at;
    if (first == 0xe0 && second < 0xa0) return 0;
    if (first == 0xed && second > 0x9f) return 0;
    if (first == 0xf0 && second < 0x90) return 0;
    if (first == 0xf4 && second > 0x8f) return 0;
    for (; more > 0; more--)
      if ((*at++ & 0xc0) != 0x80) return 0;
  }
  return 1;
}

/* Passes an escape, of which the backslash is here. */
static int pass_escape(scan *scan) {
  if (scan->end - scan->at < 2) return 0;
  uint8_t kind = scan->at[1];
  scan->at += 2;
  if (kind != 'u') return kind && strchr("\"\\/bfnrt", kind) != NULL;
  if (scan->end - scan->at < 4) return 0;
  for (int i = 0; i < 4; i++) {
    uint8_t lower = *scan->at++ | 0x20;
    if (!is_digit(lower) && (lower < 'a' || lower > 'f')) return 0;
  }
  return 1;
}

static const uint64_t ones = 0x0101010101010101, tops = 0x8080808080808080;

/* The top bit of some byte where one is zero. */
static uint64_t zeros(uint64_t word) { return (word - ones) & ~word & tops; }

/* Passes bytes of a text that are nothing else than characters, eight at a time; notes the top bits of those that have one. */
static inline void skip_plain(scan *scan, uint64_t *high) {
  while (scan->end - scan->at >= 8) {
    uint64_t word;
    memcpy(&word, scan->at, 8);
    uint64_t others = zeros(word ^ ones * '"') | zeros(word ^ ones * '\\') | ((word - ones * 0x20) & ~word & tops);
    if (others) {
      /* The first of them is right in any case; the numbers are those of a machine with the lowest byte first. */
      int bits = __builtin_ctzll(others) & ~7;
      *high |= word & (((uint64_t)1 << bits) - 1);
      scan->at += bits >> 3;
      return;
    }
    *high |= word;
    scan->at += 8;
  }
}

/* Passes a text, the first quote of which is passed. */
static int pass_text(scan *scan, value *found) {
  const uint8_t *start = scan->at;
  uint64_t high = 0;
  *found = (value){start, NULL, CJSON_TEXT, 0, 0};
  while (1) {
    skip_plain(scan, &high);
    if (scan->at == scan->end) return 0;
    uint8_t byte = *scan->at;
    if (byte == '"') break;
    if (byte < 0x20) return 0;
    if (byte == '\\') {
      found->is_escaped = found->has_escapes = 1;
      if (!pass_escape(scan)) return 0;
      continue;
    }
    high |= byte;
    scan->at++;
  }
  found->end = scan->at++;
  return !(high & tops) || is_utf8(start, found->end);
}

static int pass_digits(scan *scan) {
  const uint8_t *start = scan->at;
  while (scan->at < scan->end && is_digit(*scan->at)) scan->at++;
  return scan->at > start;
}

static int pass_number(scan *scan, value *found) {
  *found = (value){scan->at, NULL, CJSON_INTEGER, 0, 0};
  pass(scan, '-');
  const uint8_t *first = scan->at;
  if (!pass_digits(scan) || (*first == '0' && scan->at - first > 1)) return 0;
  if (pass(scan, '.')) {
    found->kind = CJSON_REAL;
    if (!pass_digits(scan)) return 0;
  }
  if (scan->at < scan->end && (*scan->at | 0x20) == 'e') {
    found->kind = CJSON_REAL;
    scan->at++;
    if (!pass(scan, '+')) pass(scan, '-');
    if (!pass_digits(scan)) return 0;
  }
  found->end = scan->at;
  return 1;
}

static int pass_word(scan *scan, const char *word, size_t length, cjson_kind kind, value *found) {
  if ((size_t)(scan->end - scan->at) < length || memcmp(scan->at, word, length) != 0) return 0;
  *found = (value){scan->at, scan->at + length, kind, 0, 0};
  scan->at += length;
  return 1;
}

static int pass_value(scan *scan, value *found, int depth);

/* Passes an array or an object, the first bracket of which is here. */
static int pass_container(scan *scan, value *found, int depth) {
  int is_object = *scan->at == '{', has_escapes = 0;
  uint8_t closing = is_object ? '}' : ']';
  const uint8_t *start = scan->at++;
  if (depth == deepest) return 0;
  skip_space(scan);
  if (!pass(scan, closing)) {
    while (1) {
      value inner;
      if (is_object) {
        if (!pass(scan, '"') || !pass_text(scan, &inner)) return 0;
        has_escapes |= inner.has_escapes;
        skip_space(scan);
        if (!pass(scan, ':')) return 0;
        skip_space(scan);
      }
      if (!pass_value(scan, &inner, depth + 1)) return 0;
      has_escapes |= inner.has_escapes;
      skip_space(scan);
      if (pass(scan, closing)) break;
      if (!pass(scan, ',')) return 0;
      skip_space(scan);
    }
  }
  *found = (value){start, scan->at, is_object ? CJSON_OBJECT : CJSON_ARRAY, 0, has_escapes};
  return 1;
}

static int pass_value(scan *scan, value *found, int depth) {
  if (scan->at == scan->end) return 0;
  switch (*scan->at) {
    case '"': scan->at++; return pass_text(scan, found);
    case '{':
    case '[': return pass_container(scan, found, depth);
    case 't': return pass_word(scan, "true", 4, CJSON_TRUE, found);
    case 'f': return pass_word(scan, "false", 5, CJSON_FALSE, found);
    case 'n': return pass_word(scan, "null", 4, CJSON_NULL, found);
    default: return pass_number(scan, found);
  }
}

/* An integer that has no more digits than fit in any case. */
static int integer(const value *value, int64_t *number) {
  const uint8_t *at = value->start;
  int is_negative = *at == '-';
  at += is_negative;
  if (value->kind != CJSON_INTEGER || value->end - at > 18) return 0;
  int64_t sum = 0;
  while (at < value->end) sum = sum * 10 + (*at++ - '0');
  *number = is_negative ? -sum : sum;
  return 1;
}

/* The nearest double of few digits: they and the power of ten that they are divided by are doubles themselves, so that only their
 * quotient is rounded (Clinger 1990). */
static int real(const value *value, double *number) {
  int64_t sum = 0;
  if (value->kind == CJSON_INTEGER) {
    if (!integer(value, &sum) || sum > (int64_t)1 << 53 || sum < -((int64_t)1 << 53)) return 0;
    *number = (double)sum;
    return 1;
  }
  const uint8_t *at = value->start;
  int is_negative = *at == '-';
  at += is_negative;
  if (value->kind != CJSON_REAL || value->end - at > 16) return 0;
  int64_t divisor = 1;
  int is_fraction = 0;
  for (; at < value->end; at++) {
    if (*at == '.') {
      is_fraction = 1;
      continue;
    }
    if (!is_digit(*at)) return 0;
    sum = sum * 10 + (*at - '0');
    if (is_fraction) divisor *= 10;
  }
  double magnitude = (double)sum / (double)divisor;
  *number = is_negative ? -magnitude : magnitude;
  return 1;
}

/* Appends a text without its escapes. */
static int append_text(cadbc_column *column, const value *value, int keeps_null) {
  size_t length = (size_t)(value->end - value->start);
  if (!value->is_escaped) {
    cadbc_append_bytes(&column->text, value->start, length);
  } else {
    cadbc_reserve(&column->text, length);
    char *place = (char *)column->text.bytes + column->text.count;
    length = cjson_unescape((const char *)value->start, length, place);
    if (!keeps_null && memchr(place, 0, length)) return 0;
    column->text.count += length;
  }
  cadbc_end_text(column);
  return 1;
}

static int append(cadbc_column *column, const value *value, int keeps_null) {
  int64_t whole;
  double number;
  int32_t day;
  int digits;
  size_t length = (size_t)(value->end - value->start);
  if (value->kind == CJSON_NULL) {
    cadbc_append_null(column);
    return 1;
  }
  int is_plain = value->kind == CJSON_TEXT && !value->is_escaped;
  switch (column->form) {
    case CADBC_BOOLEAN:
      if (value->kind != CJSON_TRUE && value->kind != CJSON_FALSE) return 0;
      cadbc_append_truth(column, value->kind == CJSON_TRUE);
      return 1;
    case CADBC_INTEGER:
      if (!integer(value, &whole)) return 0;
      cadbc_append_64(column, (uint64_t)whole);
      return 1;
    case CADBC_REAL: {
      uint64_t bits;
      if (!real(value, &number)) return 0;
      memcpy(&bits, &number, 8);
      cadbc_append_64(column, bits);
      return 1;
    }
    case CADBC_DATE:
      if (!is_plain || !cadbc_day(value->start, length, &day)) return 0;
      cadbc_append_32(column, day);
      return 1;
    case CADBC_TIMESTAMP:
      if (!is_plain || !cadbc_moment(value->start, length, &whole, &digits) || digits != column->digits) return 0;
      cadbc_append_64(column, (uint64_t)whole);
      return 1;
    case CADBC_JSON:
      if (value->kind != CJSON_ARRAY && value->kind != CJSON_OBJECT) return 0;
      if (value->has_escapes && !keeps_null) return 0;
      cadbc_append_bytes(&column->text, value->start, length);
      cadbc_end_text(column);
      return 1;
    case CADBC_TEXT: return value->kind == CJSON_TEXT && append_text(column, value, keeps_null);
  }
  return 0;
}

static int append_key(cadbc_column *key, cadbc_row_id id) {
  if (!id.text) {
    if (key->form != CADBC_INTEGER) return 0;
    cadbc_append_64(key, (uint64_t)id.number);
    return 1;
  }
  if (key->form != CADBC_TEXT) return 0;
  cadbc_append_bytes(&key->text, id.text, id.length);
  cadbc_end_text(key);
  return 1;
}

/* Whether the value is the id, written as it is. */
static int is_id(const value *value, cadbc_row_id id) {
  int64_t number;
  if (id.is_counted) return 1;
  if (!id.text) return integer(value, &number) && number == id.number;
  return value->kind == CJSON_TEXT && !value->is_escaped && (size_t)(value->end - value->start) == id.length &&
         memcmp(value->start, id.text, id.length) == 0;
}

/* So many members are looked at for one, unless it is of use to know that there is none. */
static const size_t most_tried = 32;

/* The member of that name among so many, of which `likely` is the first, and then those behind it. */
static const cadbc_member *find(const cadbc_rows *rows, const value *name, size_t likely, size_t most) {
  size_t length = (size_t)(name->end - name->start);
  size_t tried = rows->member_count < most ? rows->member_count : most;
  for (size_t i = 0; i < tried; i++) {
    size_t place = likely + i < rows->member_count ? likely + i : likely + i - rows->member_count;
    const cadbc_member *member = &rows->members[place];
    if (member->length == length && memcmp(member->name, name->start, length) == 0) return member;
  }
  return NULL;
}

static int append_member(const cadbc_rows *rows, const cadbc_member *member, const value *found, cadbc_row_id id, int64_t count) {
  if (!member->column) return 0;
  if (member->is_key) return is_id(found, id);
  return !member->column->is_fixed && member->column->count == count && append(member->column, found, rows->keeps_null);
}

/* Passes a name, and answers its member: the likely one without a look at what else it could be. */
static int pass_name(const cadbc_rows *rows, size_t likely, scan *scan, value *name, const cadbc_member **member) {
  if (!pass(scan, '"')) return 0;
  if (likely < rows->member_count) {
    *member = &rows->members[likely];
    size_t length = (*member)->length;
    if ((*member)->is_plain && (size_t)(scan->end - scan->at) > length && scan->at[length] == '"' &&
        memcmp(scan->at, (*member)->name, length) == 0) {
      scan->at += length + 1;
      return 1;
    }
  }
  if (!pass_text(scan, name) || name->is_escaped) return 0;
  *member = find(rows, name, likely, most_tried);
  return 1;
}

static int append_members(const cadbc_rows *rows, int64_t count, cadbc_row_id id, scan *scan) {
  if (!append_key(rows->key, id)) return 0;
  size_t likely = 0;
  skip_space(scan);
  if (!pass(scan, '{')) return 0;
  skip_space(scan);
  if (pass(scan, '}')) return 1;
  while (1) {
    value name, found;
    const cadbc_member *member;
    if (!pass_name(rows, likely, scan, &name, &member)) return 0;
    skip_space(scan);
    if (!pass(scan, ':')) return 0;
    skip_space(scan);
    if (!pass_value(scan, &found, 1)) return 0;
    /* Nothing is only what no column has. */
    if (!member && found.kind == CJSON_NULL && rows->member_count > most_tried)
      member = find(rows, &name, likely, rows->member_count);
    if (member) {
      if (!append_member(rows, member, &found, id, count)) return 0;
      likely = (size_t)(member - rows->members) + 1;
    } else if (found.kind != CJSON_NULL || !rows->skips_null) {
      return 0;
    }
    skip_space(scan);
    if (pass(scan, '}')) return 1;
    if (!pass(scan, ',')) return 0;
    skip_space(scan);
  }
}

int cadbc_append_row(const cadbc_rows *rows, cadbc_row_id id, const char *json, size_t length) {
  const int64_t count = rows->key->count;
  scan scan = {(const uint8_t *)json, (const uint8_t *)json + length};
  int is_done = append_members(rows, count, id, &scan);
  if (is_done) skip_space(&scan);
  if (!is_done || scan.at < scan.end) {
    for (size_t i = 0; i < rows->column_count; i++)
      if (rows->columns[i]->count > count) cadbc_remove_last(rows->columns[i]);
    return 0;
  }
  for (size_t i = 0; i < rows->column_count; i++)
    if (rows->columns[i]->count == count) cadbc_append_null(rows->columns[i]);
  return 1;
}
