#include <CJSONPassing.h>

#include <charconv>
#include <cmath>
#include <cstring>

#include <cjson/Buffer.hpp>

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

  bool operator==(const digits &other) const {
    return count == other.count && count <= most_digits && std::memcmp(text, other.text, static_cast<size_t>(count)) == 0;
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
  return digits(text, written.ptr) == own;
}

int cjson_gives_back(const char *start, size_t length, double number) {
  const digits own(start, start + length);
  if (own.count == 0) return 1;
  if (own.count > most_digits || number == 0) return 0;
  // From 2^53 on all digits before the point are written, which may be others.
  if (own.count <= kept_digits && std::isnormal(number) && std::fabs(number) < 0x1p53) return 1;
  char text[48];
  cjson_buffer written{text, 0, sizeof text, 0, 0};
  return cjson::appendFloat(written, number) && digits(text, text + written.length) == own;
}

int cjson_reads_as(const char *start, size_t length, double number) {
  double own = 0;
  // What is too near to zero is zero; what is too large was never read.
  if (std::from_chars(start, start + length, own).ec != std::errc{}) own = *start == '-' ? -0.0 : 0.0;
  return std::memcmp(&own, &number, sizeof own) == 0;
}

int cjson_exact_real(const cjson_value *value, double *number) {
  const auto *start = reinterpret_cast<const char *>(value->start), *end = reinterpret_cast<const char *>(value->end);
  const auto [at, problem] = std::from_chars(start, end, *number);
  return problem == std::errc{} && at == end && cjson_keeps_digits(start, static_cast<size_t>(end - start), *number);
}
