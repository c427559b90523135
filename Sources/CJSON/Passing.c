#include <CJSONPassing.h>

#include <string.h>

static const int deepest = 64;

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
static int pass_escape(cjson_scan *scan) {
  if (scan->end - scan->at < 2) return 0;
  uint8_t kind = scan->at[1];
  scan->at += 2;
  if (kind != 'u') return kind && strchr("\"\\/bfnrt", kind) != NULL;
  if (scan->end - scan->at < 4) return 0;
  for (int i = 0; i < 4; i++) {
    uint8_t lower = *scan->at++ | 0x20;
    if (!cjson_is_digit(lower) && (lower < 'a' || lower > 'f')) return 0;
  }
  return 1;
}

static const uint64_t ones = 0x0101010101010101, tops = 0x8080808080808080;

/* The top bit of some byte where one is zero. */
static uint64_t zeros(uint64_t word) { return (word - ones) & ~word & tops; }

/* Passes bytes of a text that are nothing else than characters, eight at a time; notes the top bits of those that have one. */
static inline void skip_plain(cjson_scan *scan, uint64_t *high) {
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

int cjson_pass_text(cjson_scan *scan, cjson_value *found) {
  const uint8_t *start = scan->at;
  uint64_t high = 0;
  *found = (cjson_value){.start = start, .kind = CJSON_TEXT};
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

/* Passes digits, and answers how many. */
static int pass_digits(cjson_scan *scan, cjson_value *found) {
  const uint8_t *start = scan->at, *at = start;
  uint64_t digits = found->digits;
  while (at < scan->end && cjson_is_digit(*at)) digits = digits * 10 + (uint64_t)(*at++ - '0');
  const int count = at - start < 1000 ? (int)(at - start) : 1000;
  scan->at = at;
  found->digits = digits;
  found->digit_count += count;
  return count;
}

static int pass_number(cjson_scan *scan, cjson_value *found) {
  *found = (cjson_value){.start = scan->at, .kind = CJSON_INTEGER};
  cjson_pass(scan, '-');
  const uint8_t *first = scan->at;
  if (!pass_digits(scan, found) || (*first == '0' && scan->at - first > 1)) return 0;
  if (cjson_pass(scan, '.')) {
    found->kind = CJSON_REAL;
    found->fraction_count = pass_digits(scan, found);
    if (!found->fraction_count) return 0;
  }
  if (scan->at < scan->end && (*scan->at | 0x20) == 'e') {
    found->kind = CJSON_REAL;
    scan->at++;
    if (!cjson_pass(scan, '+')) cjson_pass(scan, '-');
    /* No power is in the digits. */
    found->digit_count = 1000;
    if (!pass_digits(scan, found)) return 0;
  }
  found->end = scan->at;
  return 1;
}

static int pass_word(cjson_scan *scan, const char *word, size_t length, cjson_kind kind, cjson_value *found) {
  if ((size_t)(scan->end - scan->at) < length || memcmp(scan->at, word, length) != 0) return 0;
  *found = (cjson_value){.start = scan->at, .end = scan->at + length, .kind = kind};
  scan->at += length;
  return 1;
}

/* Passes an array or an object, the first bracket of which is here. */
static int pass_container(cjson_scan *scan, cjson_value *found, int depth) {
  int is_object = *scan->at == '{', has_escapes = 0;
  uint8_t closing = is_object ? '}' : ']';
  const uint8_t *start = scan->at++;
  if (depth == deepest) return 0;
  cjson_skip_space(scan);
  if (!cjson_pass(scan, closing)) {
    while (1) {
      cjson_value inner;
      if (is_object) {
        if (!cjson_pass(scan, '"') || !cjson_pass_text(scan, &inner)) return 0;
        has_escapes |= inner.has_escapes;
        cjson_skip_space(scan);
        if (!cjson_pass(scan, ':')) return 0;
        cjson_skip_space(scan);
      }
      if (!cjson_pass_value(scan, &inner, depth + 1)) return 0;
      has_escapes |= inner.has_escapes;
      cjson_skip_space(scan);
      if (cjson_pass(scan, closing)) break;
      if (!cjson_pass(scan, ',')) return 0;
      cjson_skip_space(scan);
    }
  }
  *found = (cjson_value){
      .start = start, .end = scan->at, .kind = is_object ? CJSON_OBJECT : CJSON_ARRAY, .has_escapes = has_escapes};
  return 1;
}

int cjson_pass_value(cjson_scan *scan, cjson_value *found, int depth) {
  if (scan->at == scan->end) return 0;
  switch (*scan->at) {
    case '"': scan->at++; return cjson_pass_text(scan, found);
    case '{':
    case '[': return pass_container(scan, found, depth);
    case 't': return pass_word(scan, "true", 4, CJSON_TRUE, found);
    case 'f': return pass_word(scan, "false", 5, CJSON_FALSE, found);
    case 'n': return pass_word(scan, "null", 4, CJSON_NULL, found);
    default: return pass_number(scan, found);
  }
}

int cjson_integer(const cjson_value *value, int64_t *number) {
  const int is_negative = *value->start == '-';
  if (value->kind != CJSON_INTEGER || value->digit_count > 19) return 0;
  if (value->digits > (uint64_t)INT64_MAX + (uint64_t)is_negative) return 0;
  *number = (int64_t)(is_negative ? 0 - value->digits : value->digits);
  return 1;
}

/* Few digits and the power of ten that they are divided by are doubles themselves, so that only their quotient is rounded (Clinger
 * 1990). */
int cjson_short_real(const cjson_value *value, double *number) {
  static const double powers[] = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
  if (value->kind == CJSON_INTEGER) {
    int64_t whole;
    if (!cjson_integer(value, &whole) || value->digits > (uint64_t)1 << 53) return 0;
    *number = (double)whole;
    return 1;
  }
  if (value->kind != CJSON_REAL || value->digit_count > 15) return 0;
  const double magnitude = (double)value->digits / powers[value->fraction_count];
  *number = *value->start == '-' ? -magnitude : magnitude;
  return 1;
}
