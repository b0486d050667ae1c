// SPDX-License-Identifier: MIT
// Sources as compile errors show them.
#pragma once

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <string>

namespace cupyxx::internal::jit {

/// The line number of the first error in a compiler's log, or of its first message if there is no
/// error; 0 if there is no message. `mark` is what the compiler writes before a line number
/// ("kernel.cc:", "name(").
inline int error_line(const std::string& log, const std::string& mark) {
  int first = 0;
  std::istringstream lines(log);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t at = line.find(mark);
    if (at == std::string::npos) continue;
    const char* const digits = line.c_str() + at + mark.size();
    if (std::isdigit(static_cast<unsigned char>(*digits)) == 0) continue;
    const int number = std::atoi(digits);
    if (line.find("error", at) != std::string::npos) return number;
    if (first == 0) first = number;
  }
  return first;
}

/// "    1 | line" for the ten lines of a source around one of them; for its beginning when that one
/// is not known.
inline std::string numbered(const std::string& source, int around) {
  constexpr int kBefore = 5, kShown = 10;
  const int first = std::max(1, around - kBefore);
  std::string text;
  std::istringstream lines(source);
  std::string line;
  for (int number = 1; number < first + kShown && std::getline(lines, line); ++number) {
    if (number < first) continue;
    char margin[16];
    std::snprintf(margin, sizeof margin, "%5d | ", number);
    text += margin + line + "\n";
  }
  return text;
}

}  // namespace cupyxx::internal::jit
