/* JSON to and from the Lua stack: parsed by simdjson, built and read without a tree of our own in between.
 *
 * Nothing here raises through its caller: whatever can fail runs under lua_pcall inside, and is reported by the status. */
#ifndef CLUAJSON_H
#define CLUAJSON_H

#include <CJSON.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct lua_State lua_State;

/* How the limits of a state are kept. */
typedef struct {
  /* Whether `bytes` more may be held. */
  int (*reserve)(lua_State *L, size_t bytes);
  /* Has the state refuse memory over its limit (1), or not (0); answers what it did before. */
  int (*refuse)(lua_State *L, int refuses);
  /* Whether the code that runs has to stop. */
  int (*is_stopped)(lua_State *L);
} cjson_limits;

/* Prepares a state for all that follows. The limits are those of all states of the process, and live as long; null: none.
 * More than once does no harm. */
cjson_status cjson_open(lua_State *L, const cjson_limits *limits);

/* Pushes the sentinel that stands for JSON null (a light userdata, the same in every state). */
void cjson_push_null(lua_State *L);
int cjson_is_null(lua_State *L, int index);

/* Marks the table at `index` as an array, so that an empty one is written as []. Decoded arrays are marked. The mark is a
 * metatable (with `__metatable` false): CJSON_INVALID for what is no table or has another one. */
cjson_status cjson_mark_array(lua_State *L, int index);

/* Pushes the value of a JSON text (exactly one; white space around it is fine).
 *
 * `padding` bytes after the text may be read. With padding >= 64 and an `owner` the text is used in place and
 * `release(owner)` is called once when nothing needs it any more (at once, when nothing refers to it); otherwise it is
 * copied where needed. Pushes nothing unless CJSON_OK; release is called in every case, by the collector at the latest, so
 * it must not use the state.
 *
 * Objects become tables, arrays tables, except: a non-empty array whose elements are all objects becomes *rows*, a table
 * that is not there yet. Integers that fit 64 bits are Lua integers, others floats, whose digits in the text are noted beside the table; null is the sentinel. A byte order mark is skipped (columns
 * begin after it); nesting may be 1023 deep; numbers that fit no float are refused. */
cjson_status cjson_decode(lua_State *L, const char *text, size_t length, size_t padding, void *owner,
                          void (*release)(void *owner), cjson_error *error);

/* Pushes the value of a text that has its index; both stay where they are, and are released with their owner as above. */
cjson_status cjson_push_index(lua_State *L, const cjson_index *index, void *owner, void (*release)(void *owner), cjson_error *error);

/* Appends the JSON text of the value at `index`; `out` has the limit of what may come of it. Keys come in the order in which documents were seen to have them, then
 * by their bytes. `indent` 0 writes one line, and below 0 one in which all keys come by their bytes, whatever was seen. Metamethods are not called. A failure leaves `out` as it was, and its message begins with the
 * place (`items[3].parent: a table that holds itself`). Tables are arrays when marked or when they have elements; nesting
 * may be 200 deep. A number that is still the one that a text had for its member is written with the digits that it has there, but for `indent`
 * below 0: in a lazy row as long as no script sets that member, in a list as `cjson_push_digits` tells. `is_exact` refuses keys of objects that are integers, as they would come back as texts. */
cjson_status cjson_encode(lua_State *L, int index, int indent, int is_exact, cjson_buffer *out, cjson_error *error);

/* The digits of a number as the text had them, if Lua's number is written with others, and the table at `index`, which is plain, still has
 * that at this key; else null. They stay as long as the table does, and nothing runs. */
const char *cjson_digits(lua_State *L, int index, const char *key, size_t key_length, size_t *length);

/* Pushes a table with such digits of the elements of the list at `index`, by their places, and what is no text beside them; 0, with
 * nothing pushed, where there are none: where the list has not as many elements as it came with, or not all of these numbers, none has
 * its digits. */
int cjson_push_digits(lua_State *L, int index);

/* How many rows the value at `index` is; 0 when it is none. Rows are empty to raw access (`next`, `rawget`, `rawlen`,
 * lua_next): materialize them first. */
int cjson_is_rows(lua_State *L, int index);

/* Pushes one row of the rows at `index`, which stay as they are; nil where there is none. Nothing is pushed unless CJSON_OK. */
cjson_status cjson_push_row(lua_State *L, int index, int64_t position);

/* Turns rows, or a row, into a plain table in place (same identity); anything else is left alone. */
cjson_status cjson_materialize(lua_State *L, int index);

/* The same for a row only. A row that a script has got is lazy: raw access sees members that the script has added. */
cjson_status cjson_make_plain(lua_State *L, int index);

/* Whether the rows that scripts get are lazy (1, as at first) or made at once. A script can't tell, but by the digits of a number that it
 * set in the place of one that was the same double: in a row that was made at once it has those of the text. */
void cjson_set_lazy(lua_State *L, int is_lazy);

/* Adds what only the host's own Lua code may call to the table at `index`: transformed(items, transform, add, notes) → the items that
 * `transform` makes of them, and what was noted of each in the list `notes` (or nil). `transform(item)` may wait, and answers nothing, an
 * item, or a list of them, which `add(kept, count, list)` puts behind the `count` that are kept, and answers how many there are then.
 * keepsDigits(item, name) → whether a member of an item is a number of which scripts see all digits that its document has, or none.
 * renamed(given, names) → a table with the members of `given` under other names, which `names` has by their keys: the digits of numbers
 * stay theirs; or nil and what of `names` is no text. */
cjson_status cjson_add_inner(lua_State *L, int index);

typedef enum { CJSON_ID_NONE = 0, CJSON_ID_INTEGER = 1, CJSON_ID_TEXT = 2, CJSON_ID_OTHER = 3 } cjson_id_kind;

/* One item of a page: where its text is in `bytes`, and its id. An absent id and null are NONE; a float below 2^53 with the value of an
 * integer is an INTEGER, an integer from 2^63 to 2^64 that is as it came its digits as TEXT; booleans, tables and other floats are OTHER. */
typedef struct {
  size_t offset, length;
  cjson_id_kind id_kind;
  int64_t id_integer;
  size_t id_offset, id_length; /* CJSON_ID_TEXT: in `ids` */
} cjson_item;

/* The items of a list in their encoded form, each on one line, line ends between them. */
typedef struct {
  cjson_buffer bytes; /* with 64 readable bytes after `length` */
  cjson_buffer ids;
  cjson_item *items;
  size_t count, capacity;
} cjson_page;

void cjson_page_free(cjson_page *page);

/* Appends the elements of the array (or rows) at `index`. `id_field` names the member that holds the id; with it NULL the
 * ids are the elements of the table at `ids_index` (0: none, every id is CJSON_ID_NONE). Rows that no script touched are
 * copied as they came (white space between their parts removed only where they hold line breaks). Fails when an element
 * can't be written, and then leaves the page as it was; the message names its place, as "item 3: ...". */
cjson_status cjson_page_append(lua_State *L, int index, const char *id_field, int ids_index, cjson_page *page,
                               cjson_error *error);

#ifdef __cplusplus
}
#endif
#endif
