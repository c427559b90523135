#include <CJSONPassing.h>

#include <charconv>

int cjson_any_real(const cjson_value *value, double *number) {
  const auto *start = reinterpret_cast<const char *>(value->start), *end = reinterpret_cast<const char *>(value->end);
  const auto [at, problem] = std::from_chars(start, end, *number);
  return problem == std::errc{} && at == end;
}
