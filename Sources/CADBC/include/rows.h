/* Rows in Arrow's layout, made of JSON. */
#ifndef CADBC_ROWS_H
#define CADBC_ROWS_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Memory that grows, and that its last owner frees with `free`. */
typedef struct {
  uint8_t *bytes;
  size_t count, capacity;
} cadbc_buffer;

/* How the values of a column are laid out. */
typedef enum __attribute__((enum_extensibility(closed))) {
  CADBC_BOOLEAN = 0,
  CADBC_INTEGER,
  CADBC_REAL,
  CADBC_DATE,
  CADBC_TIMESTAMP,
  CADBC_JSON,
  CADBC_TEXT
} cadbc_form;

/* Values of one column: a bit for each that is there; numbers, or bits, or where each text ends; and the bytes of texts. */
typedef struct {
  cadbc_form form;
  int digits;   /* behind the second, of a moment */
  int is_fixed; /* whether values have to be made of the type, and not the type of them: then only the host appends them */
  int64_t count, null_count;
  cadbc_buffer validity, values, text;
} cadbc_column;

/* A member that items have, and the column of its values. */
typedef struct {
  const uint8_t *name;
  size_t length;
  int is_plain; /* whether JSON may have the name as it is */
  cadbc_column *column;
  int place;  /* the host's number of the column */
  int is_key; /* whether it is the id, which the column of ids has already */
} cadbc_member;

/* What finds a row: a text, or a number, which may only count it. */
typedef struct {
  const uint8_t *text; /* NULL for a number */
  size_t length;
  int64_t number;
  int is_counted;
} cadbc_row_id;

typedef struct {
  cadbc_column *const *columns; /* those that items fill; each has as many values as there are rows */
  size_t column_count;
  const cadbc_member *members; /* in the order in which they come, mostly */
  size_t member_count;
  cadbc_column *key; /* the column of ids */
  int keeps_null;    /* whether a text may have the character U+0000 in it */
  int skips_null;    /* whether a member that is not known is nothing if it is null */
} cadbc_rows;

/* Appends the row of an item, an object, if that takes nothing that is not known: each member has a column, and each value is one of
 * the type that its column has, as most of them are. Otherwise appends nothing and answers 0; so it does for what is no JSON. */
int cadbc_append_row(const cadbc_rows *rows, cadbc_row_id id, const char *json, size_t length);

/* The days from 1970-01-01 to one as 2026-11-25; 0 if the text is none. */
int cadbc_day(const uint8_t *text, size_t length, int32_t *day);

/* The microseconds from 1970 to a moment as 2026-11-25T13:30:00Z, with 0, 3 or 6 digits behind the second; 0 if the text is none. */
int cadbc_moment(const uint8_t *text, size_t length, int64_t *microseconds, int *digits);

static inline void cadbc_reserve(cadbc_buffer *buffer, size_t extra) {
  if (buffer->count + extra <= buffer->capacity) return;
  size_t capacity = buffer->capacity * 2 > buffer->count + extra ? buffer->capacity * 2 : buffer->count + extra;
  if (capacity < 1024) capacity = 1024;
  buffer->bytes = (uint8_t *)realloc(buffer->bytes, capacity);
  if (!buffer->bytes) abort();
  buffer->capacity = capacity;
}

static inline void cadbc_append_bytes(cadbc_buffer *buffer, const void *bytes, size_t count) {
  cadbc_reserve(buffer, count);
  if (count) memcpy(buffer->bytes + buffer->count, bytes, count);
  buffer->count += count;
}

static inline void cadbc_append_bit(cadbc_buffer *buffer, int64_t place, int bit) {
  if ((size_t)(place >> 3) >= buffer->count) {
    cadbc_reserve(buffer, 1);
    buffer->bytes[buffer->count++] = 0;
  }
  uint8_t mask = (uint8_t)(1u << (place & 7));
  if (bit)
    buffer->bytes[place >> 3] |= mask;
  else
    buffer->bytes[place >> 3] &= (uint8_t)~mask;
}

static inline int cadbc_bit(const cadbc_buffer *buffer, int64_t place) {
  return buffer->bytes[place >> 3] >> (place & 7) & 1;
}

/* Appends a value of 64 bits, or the bit, or the number of 32 bits. */
static inline void cadbc_append_64(cadbc_column *column, uint64_t word) {
  cadbc_append_bit(&column->validity, column->count++, 1);
  cadbc_append_bytes(&column->values, &word, 8);
}

static inline void cadbc_append_32(cadbc_column *column, int32_t word) {
  cadbc_append_bit(&column->validity, column->count++, 1);
  cadbc_append_bytes(&column->values, &word, 4);
}

static inline void cadbc_append_truth(cadbc_column *column, int bit) {
  cadbc_append_bit(&column->validity, column->count, 1);
  cadbc_append_bit(&column->values, column->count++, bit);
}

/* Appends what was put behind the texts already. */
static inline void cadbc_end_text(cadbc_column *column) { cadbc_append_32(column, (int32_t)column->text.count); }

static inline void cadbc_append_null(cadbc_column *column) {
  static const uint64_t zero = 0;
  cadbc_append_bit(&column->validity, column->count, 0);
  column->null_count++;
  int32_t end = (int32_t)column->text.count;
  switch (column->form) {
    case CADBC_BOOLEAN: cadbc_append_bit(&column->values, column->count, 0); break;
    case CADBC_INTEGER:
    case CADBC_REAL:
    case CADBC_TIMESTAMP: cadbc_append_bytes(&column->values, &zero, 8); break;
    case CADBC_DATE: cadbc_append_bytes(&column->values, &zero, 4); break;
    case CADBC_JSON:
    case CADBC_TEXT: cadbc_append_bytes(&column->values, &end, 4); break;
  }
  column->count++;
}

/* Takes the last value back. */
static inline void cadbc_remove_last(cadbc_column *column) {
  column->count--;
  if (!cadbc_bit(&column->validity, column->count)) column->null_count--;
  switch (column->form) {
    case CADBC_BOOLEAN: break;
    case CADBC_INTEGER:
    case CADBC_REAL:
    case CADBC_TIMESTAMP: column->values.count -= 8; break;
    case CADBC_DATE: column->values.count -= 4; break;
    case CADBC_JSON:
    case CADBC_TEXT: {
      int32_t end;
      column->values.count -= 4;
      memcpy(&end, column->values.bytes + column->values.count - 4, 4);
      column->text.count = (size_t)end;
      break;
    }
  }
}

#endif
