/* os.date and os.time without the rest of `os`, which begins processes and removes files. */
#include "machine.h"

#include <errno.h>
#include <limits.h>
#include <stddef.h>
#include <string.h>
#include <time.h>

/* The fields of a date as scripts see them, and what has to be added for C. */
static const struct {
  const char *name;
  size_t place;
  int difference;
} fields[] = {{"year", offsetof(struct tm, tm_year), 1900}, {"month", offsetof(struct tm, tm_mon), 1},
              {"day", offsetof(struct tm, tm_mday), 0},     {"hour", offsetof(struct tm, tm_hour), 0},
              {"min", offsetof(struct tm, tm_min), 0},      {"sec", offsetof(struct tm, tm_sec), 0},
              {"yday", offsetof(struct tm, tm_yday), 1},    {"wday", offsetof(struct tm, tm_wday), 1}};
enum { settable_fields = 6, required_fields = 3, all_fields = 8 };

static int *field_of(struct tm *date, int field) { return (int *)((char *)date + fields[field].place); }

static void push_fields(lua_State *L, int table, struct tm *date) {
  for (int field = 0; field < all_fields; field++) {
    lua_pushinteger(L, (lua_Integer)*field_of(date, field) + fields[field].difference);
    lua_setfield(L, table, fields[field].name);
  }
  if (date->tm_isdst < 0) return;
  lua_pushboolean(L, date->tm_isdst);
  lua_setfield(L, table, "isdst");
}

/* One field of the date in the table at 1, in C's way of counting. */
static int read_field(lua_State *L, int field) {
  const char *name = fields[field].name;
  int is_integer, type = lua_getfield(L, 1, name);
  lua_Integer value = lua_tointegerx(L, -1, &is_integer);
  if (type == LUA_TNIL && field >= required_fields) {
    is_integer = 1;
    value = field == 3 ? 12 : 0; /* noon, as the hour that every day has */
  }
  lua_pop(L, 1);
  if (!is_integer) {
    const char *problem = type == LUA_TNIL ? "field '%s' missing in date table" : "field '%s' is not an integer";
    return luaL_error(L, problem, name);
  }
  if (value < INT_MIN / 2 || value > INT_MAX / 2) return luaL_error(L, "field '%s' is out-of-bound", name);
  return (int)value - fields[field].difference;
}

/* time(date) → seconds since 1970 of a local time; its fields are brought into their ranges. */
static int calendar_time(lua_State *L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 1);
  struct tm date;
  memset(&date, 0, sizeof date);
  for (int field = 0; field < settable_fields; field++) *field_of(&date, field) = read_field(L, field);
  date.tm_isdst = lua_getfield(L, 1, "isdst") == LUA_TNIL ? -1 : lua_toboolean(L, -1);
  lua_pop(L, 1);
  errno = 0;
  time_t time = mktime(&date);
  if (time == (time_t)-1 && errno) return luaL_error(L, "time result cannot be represented in this installation");
  push_fields(L, 1, &date);
  lua_pushinteger(L, (lua_Integer)time);
  return 1;
}

/* The length of the conversion behind a %, with its modifier; 0 for one that C does not have. */
static size_t conversion_length(const char *text) {
  static const char plain[] = "aAbBcCdDeFgGhHIjmMnprRStTuUVwWxXyYzZ%";
  if (*text && strchr(plain, *text)) return 1;
  const char *modified = *text == 'E' ? "cCxXyY" : *text == 'O' ? "deHImMSuUVwWy" : "";
  return *modified && text[1] && strchr(modified, text[1]) ? 2 : 0;
}

static void add_formatted(lua_State *L, luaL_Buffer *buffer, const char *format, size_t length, const struct tm *date) {
  const char *end = format + length;
  while (format < end) {
    if (*format != '%') {
      luaL_addchar(buffer, *format++);
      continue;
    }
    size_t count = conversion_length(++format);
    if (!count || format + count > end) {
      luaL_argerror(L, 1, lua_pushfstring(L, "invalid conversion specifier '%%%s'", format));
      return;
    }
    char conversion[4] = {'%', format[0], count > 1 ? format[1] : 0, 0}, text[256];
    luaL_addlstring(buffer, text, strftime(text, sizeof text, conversion, date));
    format += count;
  }
}

/* date(format, time) → a text, or for "*t" a table; with "!" in UTC. */
static int calendar_date(lua_State *L) {
  size_t length;
  const char *format = luaL_checklstring(L, 1, &length);
  time_t time = (time_t)luaL_checkinteger(L, 2);
  bool is_utc = *format == '!';
  struct tm date;
  if (!(is_utc ? gmtime_r(&time, &date) : localtime_r(&time, &date))) {
    return luaL_error(L, "date result cannot be represented in this installation");
  }
  format += is_utc;
  length -= is_utc;
  if (strncmp(format, "*t", 2) == 0) {
    lua_createtable(L, 0, all_fields + 1);
    push_fields(L, lua_gettop(L), &date);
    return 1;
  }
  luaL_Buffer buffer;
  luaL_buffinit(L, &buffer);
  add_formatted(L, &buffer, format, length, &date);
  luaL_pushresult(&buffer);
  return 1;
}

void clua_open_calendar(lua_State *L) {
  static const luaL_Reg functions[] = {{"time", calendar_time}, {"date", calendar_date}, {NULL, NULL}};
  luaL_newlib(L, functions);
  lua_setfield(L, -2, "os");
}
