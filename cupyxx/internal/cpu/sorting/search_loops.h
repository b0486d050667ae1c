// SPDX-License-Identifier: MIT
// Binary searches side by side, compiled once per instruction set.
#pragma once

#include <cstdint>

#include "cupyxx/internal/cpu/sorting/sort_loops.h"

namespace cupyxx::internal::cpu {

/// See SearchCall; of n > 0 sorted elements, for `count` values.
struct SearchLoop {
  SortType type;
  const void* sorted;
  const void* values;
  std::int64_t* out;
  std::int64_t n, count;
  bool right;
};

/// Defined in search_loops.cc for each instruction set.
template <Arch kArch>
struct SearchLoops {
  static void search_sorted(const SearchLoop& loop);
};

}  // namespace cupyxx::internal::cpu
