// SPDX-License-Identifier: MIT
#include <cstdlib>
#include <string>

#include "cupyxx/error.h"
#include "cupyxx/internal/gpu/memory/device_pool.h"

namespace cupyxx::internal::gpu {

std::size_t parse_memory_limit(const char* text, std::size_t total) {
  if (!text || !*text) return 0;
  char* end = nullptr;
  const double value = std::strtod(text, &end);
  const std::string unit = end;
  const bool percent = unit == "%";
  const bool fraction = percent || std::string(text).find('.') != std::string::npos;
  const double part = percent ? value / 100 : value;
  if (end == text || (!unit.empty() && !percent) || !(value >= 0) || (fraction && part > 1)) {
    throw ValueError(
        message("CUPYXX_GPU_MEMORY_LIMIT: neither bytes nor a part of the memory; \"", text, "\""));
  }
  return static_cast<std::size_t>(fraction ? part * static_cast<double>(total) : value);
}

}  // namespace cupyxx::internal::gpu
