#include <cjson/Describe.hpp>

#include <cstdarg>
#include <cstdio>

namespace cjson {

void describe(cjson_error *error, size_t line, size_t column, const char *format, ...) {
  if (!error) return;
  error->line = line;
  error->column = column;
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(error->message, sizeof error->message, format, arguments);
  va_end(arguments);
}

}  // namespace cjson
