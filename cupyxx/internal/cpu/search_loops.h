// SPDX-License-Identifier: MIT
// Binary searches side by side, compiled once per instruction set.
#pragma once

#include <cstdint>

#include "cupyxx/internal/cpu/sort_loops.h"

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

#define CUPYXX_DECLARE_SEARCH_LOOPS(arch)     \
  namespace arch {                            \
  void search_sorted(const SearchLoop& loop); \
  }
CUPYXX_DECLARE_SEARCH_LOOPS(baseline)
CUPYXX_DECLARE_SEARCH_LOOPS(avx2)
CUPYXX_DECLARE_SEARCH_LOOPS(avx512)
#undef CUPYXX_DECLARE_SEARCH_LOOPS

}  // namespace cupyxx::internal::cpu
