// SPDX-License-Identifier: MIT
// Kernels that are launched while the one before them ends.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace cupyxx::testing {

/// What a kernel, given as PTX, does with memory of the device before it waits for the kernel
/// before it; empty where it waits first. "no wait" where it does not wait at all, and "no entry"
/// for text that is no kernel.
inline std::string before_waiting(std::string_view ptx) {
  const std::size_t entry = ptx.find(".entry ");
  if (entry == std::string_view::npos) return "no entry";
  const std::size_t wait = ptx.find("griddepcontrol.wait", entry);
  if (wait == std::string_view::npos) return "no wait";
  std::string_view start = ptx.substr(entry, wait - entry);
  while (!start.empty()) {
    const std::size_t end = std::min(start.find('\n'), start.size() - 1);
    std::string_view line = start.substr(0, end);
    start.remove_prefix(end + 1);
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    if (line.starts_with("@")) line.remove_prefix(std::min(line.find(' ') + 1, line.size()));
    for (const std::string_view allowed : {"ld.param", "ld.const", "ld.shared", "st.shared"}) {
      if (line.starts_with(allowed)) line = {};
    }
    for (const std::string_view harm :
         {"ld", "st", "atom", "red", "cp.", "prefetch", "call", "tex", "mbarrier"}) {
      if (line.starts_with(harm)) return std::string(line);
    }
  }
  return "";
}

}  // namespace cupyxx::testing
