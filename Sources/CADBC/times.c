#include "rows.h"

/* Reads a number of so many digits. */
static int number(const uint8_t *text, int length, int *sum) {
  *sum = 0;
  for (int i = 0; i < length; i++) {
    if ((uint8_t)(text[i] - '0') > 9) return 0;
    *sum = *sum * 10 + (text[i] - '0');
  }
  return 1;
}

static int days_in(int month, int year) {
  static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  return days[month - 1] + (month == 2 && year % 4 == 0 && (year % 100 != 0 || year % 400 == 0));
}

int cadbc_day(const uint8_t *text, size_t length, int32_t *days) {
  int year, month, day;
  if (length != 10 || text[4] != '-' || text[7] != '-') return 0;
  if (!number(text, 4, &year) || !number(text + 5, 2, &month) || !number(text + 8, 2, &day)) return 0;
  if (year < 1 || month < 1 || month > 12 || day < 1 || day > days_in(month, year)) return 0;
  /* Years that begin in March, so that a leap day is the last. */
  int shifted = month > 2 ? year : year - 1;
  int of_year = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1;
  *days = shifted * 365 + shifted / 4 - shifted / 100 + shifted / 400 + of_year - 719468;
  return 1;
}

int cadbc_moment(const uint8_t *text, size_t length, int64_t *microseconds, int *digits) {
  int32_t day;
  int hour, minute, second, fraction = 0;
  if ((length != 20 && length != 24 && length != 27) || text[10] != 'T' || text[length - 1] != 'Z') return 0;
  if (text[13] != ':' || text[16] != ':' || !cadbc_day(text, 10, &day)) return 0;
  if (!number(text + 11, 2, &hour) || !number(text + 14, 2, &minute) || !number(text + 17, 2, &second)) return 0;
  if (hour > 23 || minute > 59 || second > 59) return 0;
  *digits = length == 20 ? 0 : (int)length - 21;
  if (*digits) {
    if (text[19] != '.' || !number(text + 20, *digits, &fraction)) return 0;
    if (*digits == 3) fraction *= 1000;
  }
  *microseconds = ((int64_t)day * 86400 + hour * 3600 + minute * 60 + second) * 1000000 + fraction;
  return 1;
}
