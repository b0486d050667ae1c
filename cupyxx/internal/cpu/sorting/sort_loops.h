// SPDX-License-Identifier: MIT
// Sorting of values without their places, compiled once per instruction set.
#pragma once

#include <cstdint>
#include <optional>

#include "cupyxx/dtype.h"
#include "cupyxx/internal/op_info.h"

namespace cupyxx::internal::cpu {

enum class SortType : std::uint8_t { u32, i32, f32, u64, i64, f64 };

/// The n elements at `from`, sorted, to `to`, which is apart from them: NaN last, equal numbers
/// with different bits in their order.
struct SortLoop {
  SortType type;
  const void* from;
  void* to;
  std::int64_t n;
};

/// Defined in sort_loops.cc for each instruction set.
template <Arch kArch>
struct SortLoops {
  /// False, and nothing of use in `to`, where sorting digit by digit is the better way: long rows
  /// without AVX-512, and rows that are built against the choice of pivots.
  static bool sort_values(const SortLoop& loop);
};

/// By the loops of this machine's instruction set.
bool sort_values(const SortLoop& loop);
/// Whether they sort n elements, other than rows that are built against the choice of pivots.
bool sorts_values(std::int64_t n);
/// The type under which they know a dtype, if they do.
std::optional<SortType> sort_type(dtype type);

}  // namespace cupyxx::internal::cpu
