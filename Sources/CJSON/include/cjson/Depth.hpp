#pragma once

#include <cstddef>

namespace cjson {

/// Values within values that are read and written: as deep as simdjson goes.
constexpr size_t mostNested = 1024;

}  // namespace cjson
