/* A text of JSON passed value by value, from the front, for those in C who take what most texts have, and leave the rest to the reader
 * of `CJSON.h`: nothing is allocated, and nothing is said of what is wrong. */
#ifndef CJSON_PASSING_H
#define CJSON_PASSING_H

#include <CJSON.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A text of JSON, from the front. */
typedef struct {
  const uint8_t *at, *end;
} cjson_scan;

/* A value that was passed. */
typedef struct {
  const uint8_t *start, *end; /* of a text, what is between its quotes */
  cjson_kind kind;
  int is_escaped, has_escapes; /* a text; a text or one in an array or object */
  /* Of a number: its digits as one number, of which there are so many, and so many behind the point. Nineteen fit. */
  uint64_t digits;
  int digit_count, fraction_count;
} cjson_value;

static inline int cjson_is_space(uint8_t byte) {
  return byte <= ' ' && (byte == ' ' || byte == '\n' || byte == '\t' || byte == '\r');
}

static inline int cjson_is_digit(uint8_t byte) { return (uint8_t)(byte - '0') < 10; }

static inline void cjson_skip_space(cjson_scan *scan) {
  while (scan->at < scan->end && cjson_is_space(*scan->at)) scan->at++;
}

static inline int cjson_pass(cjson_scan *scan, uint8_t byte) {
  if (scan->at == scan->end || *scan->at != byte) return 0;
  scan->at++;
  return 1;
}

/* Passes a text, the first quote of which is passed. */
int cjson_pass_text(cjson_scan *scan, cjson_value *found);

/* Passes a value that is so deep in others; 0 if there is none, and where it is too deep. */
int cjson_pass_value(cjson_scan *scan, cjson_value *found, int depth);

/* An integer; 0 if it is too large for one of 64 bits. */
int cjson_integer(const cjson_value *value, int64_t *number);

/* The nearest double of few digits. */
int cjson_short_real(const cjson_value *value, double *number);

/* The nearest double; 0 if the number is too large or too small for one, or has digits that it does not keep. */
int cjson_exact_real(const cjson_value *value, double *number);

#ifdef __cplusplus
}
#endif

#endif
