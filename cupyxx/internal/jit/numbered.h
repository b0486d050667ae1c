// SPDX-License-Identifier: MIT
// Sources as compile errors show them.
#pragma once

#include <cstdio>
#include <sstream>
#include <string>

namespace cupyxx::internal::jit {

/// "    1 | line" for each line of a source.
inline std::string numbered(const std::string& source) {
  std::string text;
  std::istringstream lines(source);
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    char margin[16];
    std::snprintf(margin, sizeof margin, "%5d | ", number);
    text += margin + line + "\n";
  }
  return text;
}

}  // namespace cupyxx::internal::jit
