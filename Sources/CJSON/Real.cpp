#include <CJSONPassing.h>

#include <charconv>
#include <cmath>
#include <cstring>

namespace {

/* A double has so many digits at the most, and keeps so many of any number. */
constexpr int most_digits = 17, kept_digits = 15;

/* The digits of a number from the first that is not zero to the last one; more than a double has are only counted. */
struct digits {
  char text[most_digits];
  int count = 0;

  digits(const char *at, const char *end) {
    int zeros = 0;
    for (; at < end && (*at | 0x20) != 'e'; at++) {
      if (!cjson_is_digit(static_cast<uint8_t>(*at))) continue;
      if (*at == '0') {
        zeros += count > 0;
        continue;
      }
      for (; zeros > 0; zeros--) add('0');
      add(*at);
    }
  }

 private:
  void add(char digit) {
    if (count < most_digits) text[count] = digit;
    count++;
  }
};

}  // namespace

int cjson_keeps_digits(const char *start, size_t length, double number) {
  const digits own(start, start + length);
  if (own.count == 0) return 1;
  if (own.count > most_digits || number == 0) return 0;
  if (own.count <= kept_digits && std::isnormal(number)) return 1;
  char text[most_digits + 16];
  const auto written = std::to_chars(text, text + sizeof text, std::fabs(number), std::chars_format::scientific, own.count - 1);
  const digits again(text, written.ptr);
  return again.count == own.count && std::memcmp(again.text, own.text, static_cast<size_t>(own.count)) == 0;
}

int cjson_exact_real(const cjson_value *value, double *number) {
  const auto *start = reinterpret_cast<const char *>(value->start), *end = reinterpret_cast<const char *>(value->end);
  const auto [at, problem] = std::from_chars(start, end, *number);
  return problem == std::errc{} && at == end && cjson_keeps_digits(start, static_cast<size_t>(end - start), *number);
}
