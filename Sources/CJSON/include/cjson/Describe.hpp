#pragma once

#include <CJSON.h>

namespace cjson {

/// Writes `error` (which may be null) as printf would.
__attribute__((format(printf, 4, 5))) void describe(cjson_error *error, size_t line, size_t column,
                                                    const char *format, ...);

}  // namespace cjson
