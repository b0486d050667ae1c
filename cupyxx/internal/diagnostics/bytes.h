// SPDX-License-Identifier: MIT
// Numbers of bytes as people read them.
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>

namespace cupyxx::internal {

/// "512 B", "1.50 KiB", "3.00 GiB".
inline std::string bytes_text(std::uint64_t bytes) {
  static constexpr const char* kUnits[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  auto value = static_cast<double>(bytes);
  int unit = 0;
  for (; value >= 1024 && unit < 4; ++unit) value /= 1024;
  char text[48];
  std::snprintf(text, sizeof text, unit == 0 ? "%.0f %s" : "%.2f %s", value, kUnits[unit]);
  return text;
}

}  // namespace cupyxx::internal
