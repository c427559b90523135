#include "rows.h"

#include <CJSONPassing.h>

/* Appends a text without its escapes. */
static int append_text(cadbc_column *column, const cjson_value *value, int keeps_null) {
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

static int append(cadbc_column *column, const cjson_value *value, int keeps_null) {
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
      if (!cjson_integer(value, &whole)) return 0;
      cadbc_append_64(column, (uint64_t)whole);
      return 1;
    case CADBC_REAL: {
      uint64_t bits;
      if (!cjson_short_real(value, &number)) return 0;
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
static int is_id(const cjson_value *value, cadbc_row_id id) {
  int64_t number;
  if (id.is_counted) return 1;
  if (!id.text) return cjson_integer(value, &number) && number == id.number;
  return value->kind == CJSON_TEXT && !value->is_escaped && (size_t)(value->end - value->start) == id.length &&
         memcmp(value->start, id.text, id.length) == 0;
}

/* So many members are looked at for one, unless it is of use to know that there is none. */
static const size_t most_tried = 32;

/* The member of that name among so many, of which `likely` is the first, and then those behind it. */
static const cadbc_member *find(const cadbc_rows *rows, const cjson_value *name, size_t likely, size_t most) {
  size_t length = (size_t)(name->end - name->start);
  size_t tried = rows->member_count < most ? rows->member_count : most;
  for (size_t i = 0; i < tried; i++) {
    size_t place = likely + i < rows->member_count ? likely + i : likely + i - rows->member_count;
    const cadbc_member *member = &rows->members[place];
    if (member->length == length && memcmp(member->name, name->start, length) == 0) return member;
  }
  return NULL;
}

static int append_member(const cadbc_rows *rows, const cadbc_member *member, const cjson_value *found, cadbc_row_id id, int64_t count) {
  if (!member->column) return 0;
  if (member->is_key) return is_id(found, id);
  return !member->column->is_fixed && member->column->count == count && append(member->column, found, rows->keeps_null);
}

/* Passes a name, and answers its member: the likely one without a look at what else it could be. */
static int pass_name(const cadbc_rows *rows, size_t likely, cjson_scan *scan, cjson_value *name, const cadbc_member **member) {
  if (!cjson_pass(scan, '"')) return 0;
  if (likely < rows->member_count) {
    *member = &rows->members[likely];
    size_t length = (*member)->length;
    if ((*member)->is_plain && (size_t)(scan->end - scan->at) > length && scan->at[length] == '"' &&
        memcmp(scan->at, (*member)->name, length) == 0) {
      scan->at += length + 1;
      return 1;
    }
  }
  if (!cjson_pass_text(scan, name) || name->is_escaped) return 0;
  *member = find(rows, name, likely, most_tried);
  return 1;
}

static int append_members(const cadbc_rows *rows, int64_t count, cadbc_row_id id, cjson_scan *scan) {
  if (!append_key(rows->key, id)) return 0;
  size_t likely = 0;
  cjson_skip_space(scan);
  if (!cjson_pass(scan, '{')) return 0;
  cjson_skip_space(scan);
  if (cjson_pass(scan, '}')) return 1;
  while (1) {
    cjson_value name, found;
    const cadbc_member *member;
    if (!pass_name(rows, likely, scan, &name, &member)) return 0;
    cjson_skip_space(scan);
    if (!cjson_pass(scan, ':')) return 0;
    cjson_skip_space(scan);
    if (!cjson_pass_value(scan, &found, 1)) return 0;
    /* Nothing is only what no column has. */
    if (!member && found.kind == CJSON_NULL && rows->member_count > most_tried)
      member = find(rows, &name, likely, rows->member_count);
    if (member) {
      if (!append_member(rows, member, &found, id, count)) return 0;
      likely = (size_t)(member - rows->members) + 1;
    } else if (found.kind != CJSON_NULL || !rows->skips_null) {
      return 0;
    }
    cjson_skip_space(scan);
    if (cjson_pass(scan, '}')) return 1;
    if (!cjson_pass(scan, ',')) return 0;
    cjson_skip_space(scan);
  }
}

int cadbc_append_row(const cadbc_rows *rows, cadbc_row_id id, const char *json, size_t length) {
  const int64_t count = rows->key->count;
  cjson_scan scan = {(const uint8_t *)json, (const uint8_t *)json + length};
  int is_done = append_members(rows, count, id, &scan);
  if (is_done) cjson_skip_space(&scan);
  if (!is_done || scan.at < scan.end) {
    for (size_t i = 0; i < rows->column_count; i++)
      if (rows->columns[i]->count > count) cadbc_remove_last(rows->columns[i]);
    return 0;
  }
  for (size_t i = 0; i < rows->column_count; i++)
    if (rows->columns[i]->count == count) cadbc_append_null(rows->columns[i]);
  return 1;
}
