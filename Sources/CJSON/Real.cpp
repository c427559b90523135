#include <CJSONPassing.h>

#include <charconv>

/* A double keeps so many digits. */
static constexpr int most_digits = 17;

/* Whether there are no more from the first digit that is not zero to the last one. */
static bool has_few_digits(const char *at, const char *end) {
  int count = 0, zeros = 0;
  for (; at < end && (*at | 0x20) != 'e'; at++) {
    if (!cjson_is_digit(static_cast<uint8_t>(*at))) continue;
    if (*at > '0') count += zeros + 1, zeros = 0;
    else if (count > 0) zeros++;
  }
  return count <= most_digits;
}

int cjson_exact_real(const cjson_value *value, double *number) {
  const auto *start = reinterpret_cast<const char *>(value->start), *end = reinterpret_cast<const char *>(value->end);
  const auto [at, problem] = std::from_chars(start, end, *number);
  return problem == std::errc{} && at == end && (value->digit_count <= most_digits || has_few_digits(start, end));
}
