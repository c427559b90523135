/* JSON read with simdjson: for the host's own reader, and for what builds values in Lua. Nothing here knows of Lua. */
#ifndef CJSON_H
#define CJSON_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
  CJSON_OK = 0,
  CJSON_INVALID = 1,  /* the text is no JSON, or the value can't be written as JSON */
  CJSON_MEMORY = 2    /* a memory limit, or none left */
} cjson_status;

/* What should stand where a text is no JSON. */
typedef enum {
  CJSON_WANTED_NOTHING = 0,  /* the fault is none of a text, or none that has a name */
  CJSON_WANTED_VALUE,
  CJSON_WANTED_KEY,
  CJSON_WANTED_COLON,
  CJSON_WANTED_MEMBER_END,   /* a comma or a closing brace */
  CJSON_WANTED_ELEMENT_END,  /* a comma or a closing bracket */
  CJSON_WANTED_END,          /* nothing behind the value */
  CJSON_WANTED_QUOTE,        /* the end of a string */
  CJSON_WANTED_NO_CONTROL,   /* in a string */
  CJSON_WANTED_ESCAPE,       /* a known one */
  CJSON_WANTED_DIGITS,       /* four hexadecimal ones */
  CJSON_WANTED_PAIR,         /* the other half of a surrogate pair */
  CJSON_WANTED_UTF8,
  CJSON_WANTED_NUMBER,       /* one that is written as JSON has it, and not too large */
  CJSON_WANTED_LEVEL,        /* fewer levels */
} cjson_wanted;

/* Where and why (a null pointer is fine where one is asked for). `line` and `column` are 1-based and 0 when they mean
 * nothing; columns count bytes, as `offset` does from the beginning of the text. */
typedef struct {
  size_t line, column, offset;
  cjson_wanted wanted;
  char message[256];
} cjson_error;

/* Bytes that grow up to a limit (0: none); start with zeros, end with cjson_buffer_free. */
typedef struct {
  char *bytes;
  size_t length, capacity, limit;
  int is_full; /* an append was over the limit */
} cjson_buffer;

void cjson_buffer_free(cjson_buffer *buffer);

typedef enum {
  CJSON_NULL,
  CJSON_FALSE,
  CJSON_TRUE,
  CJSON_INTEGER, /* without fraction and exponent, however long */
  CJSON_REAL,
  CJSON_TEXT,
  CJSON_ARRAY,
  CJSON_OBJECT
} cjson_kind;

/* One value of a text: its bytes from `start` to `end`, those between the quotes for a text. What is in an array or an
 * object follows it, keys as texts before their values; `span` counts the node and all of those. */
typedef struct {
  uint32_t start, end, span;
  uint8_t kind; /* a cjson_kind */
  uint8_t is_escaped;
} cjson_node;

/* Memory that is used again for every text. */
typedef struct cjson_reader cjson_reader;

cjson_reader *cjson_reader_new(void); /* null without memory */
void cjson_reader_free(cjson_reader *reader);

/* Finds the values of a text (exactly one, with what is in it; white space around it is fine). `*nodes` are the
 * reader's, and valid until the next text. Numbers are not converted; half a surrogate pair is let through. `deepest`
 * arrays and objects may be in each other, the innermost of them empty; 1024 at the most. */
cjson_status cjson_read(cjson_reader *reader, const char *text, size_t length, size_t deepest,
                        const cjson_node **nodes, cjson_error *error);

/* Writes the text whose escaped form this is, which has no more bytes than that, and answers how many; half a surrogate
 * pair, which UTF-8 can't hold, becomes U+FFFD. */
size_t cjson_unescape(const char *escaped, size_t length, char *text);

/* What is known of a JSON text that was parsed, or written, by another than the one who reads it. It refers to the text. */
typedef struct cjson_index cjson_index;

void cjson_index_free(cjson_index *index);

/* Bytes that it holds besides the text. */
size_t cjson_index_size(const cjson_index *index);

/* Memory that is used again for every text. */
typedef struct cjson_parser cjson_parser;

cjson_parser *cjson_parser_new(void); /* null without memory */
void cjson_parser_free(cjson_parser *parser);

/* Parses a text, of which `padding` bytes more may be read; null if it is no JSON, which who decodes it will say, or without memory. */
cjson_index *cjson_parse(cjson_parser *parser, const char *text, size_t length, size_t padding);

/* A list of objects with the same keys, written as JSON and indexed on the way as a parser would: who reads it need not parse.
 *
 * First all keys, then of each object as many values, in the order of the keys, then the end. All answer 0 without memory, and for
 * more than 4 GB; the list is then good for nothing but to be freed. */
typedef struct cjson_rows cjson_rows;

cjson_rows *cjson_rows_new(void); /* null without memory */
void cjson_rows_free(cjson_rows *rows);

/* Adds a key; no other has the same bytes. */
int cjson_rows_key(cjson_rows *rows, const char *key, size_t length);

/* Makes room for so many bytes in so many objects, once the keys are there. Without memory it will be asked for as they come. */
void cjson_rows_reserve(cjson_rows *rows, size_t bytes, size_t count);

/* Add the next value; a number is finite. A text that is no UTF-8 is none: then 0 is answered too, and `wrong` is its first such byte. */
int cjson_rows_null(cjson_rows *rows);
int cjson_rows_boolean(cjson_rows *rows, int truth);
int cjson_rows_integer(cjson_rows *rows, int64_t integer);
int cjson_rows_real(cjson_rows *rows, double number);
int cjson_rows_text(cjson_rows *rows, const char *text, size_t length, const char **wrong);

/* The index of what was written, which then frees the list, too. */
cjson_index *cjson_rows_end(cjson_rows *rows);

/* The text so far, with 64 readable bytes behind it once it has ended. */
const char *cjson_rows_json(const cjson_rows *rows, size_t *length);

/* Whether a double has all the digits of the number of which it is the nearest: written with as many, it is that number again. */
int cjson_keeps_digits(const char *start, size_t length, double number);

/* Whether a double is written as the number of which it is the nearest, whatever form that has: 1.50 and 1.5 are one number. */
int cjson_gives_back(const char *start, size_t length, double number);

/* Whether a number is read as this double, to the last bit. */
int cjson_reads_as(const char *start, size_t length, double number);

/* How far a value that begins with a bracket was passed; zero at its start. */
typedef struct {
  int64_t depth;
  int is_in_text, is_escaped;
} cjson_extent;

/* Passes those of the next bytes that belong to the value, the first of which is its bracket, and answers how many: all but where it ends,
 * where `depth` is 0 again. Of what is in it only brackets and texts are looked at. */
size_t cjson_extend(cjson_extent *extent, const void *bytes, size_t length);

#ifdef __cplusplus
}
#endif
#endif
