// SPDX-License-Identifier: MIT
// Loops of routines that are compiled once per instruction set. Types are named by the size and the
// kind of their elements.
#pragma once

#include <cstdint>

#include "cupyxx/internal/op_info.h"

namespace cupyxx::internal::cpu {

/// float64, float32, integers whose sums wrap around, and bool, whose sum is `or`.
enum class LoopType : std::uint8_t { f64, f32, i64, i32, i16, i8, b8 };

/// See ConvolveCall; of n elements and m taps the outputs [begin, end).
struct ConvolveLoop {
  LoopType type;
  const void* a;
  const void* taps;
  void* out;
  std::int64_t n, m, before;
};

/// out[i] = whether x[i] equals one of `count` values, for n elements.
struct EqualLoop {
  LoopType type;
  const void* x;
  const void* values;
  std::uint8_t* out;
  std::int64_t n, count;
};

/// Defined in routine_loops.cc for each instruction set.
template <Arch kArch>
struct RoutineLoops {
  static void convolve_range(const ConvolveLoop& loop, std::int64_t begin, std::int64_t end);
  static void equal_any(const EqualLoop& loop);
  /// Whether all n indices are in [0, extent).
  static bool all_from_front(const std::int64_t* index, std::int64_t n, std::int64_t extent);
  /// Extends [low, high] to all n indices.
  static void extend_range(const std::int64_t* index, std::int64_t n, std::int64_t& low,
                           std::int64_t& high);
  /// out[i] = index[i], counted from the front; `out` may be `index`.
  static void count_from_front(const std::int64_t* index, std::int64_t n, std::int64_t extent,
                               std::int64_t* out);
  /// A bit for each truth value, 1 where it is not 0, in the order of memory or, `swapped`, the
  /// other way round in every byte; for as many whole groups of 64 as there are vectors for.
  /// Returns how many values those were.
  static std::int64_t pack_bits(const std::uint8_t* from, std::int64_t n, bool swapped,
                                std::uint8_t* to);
  /// out[i] = in[0] + ... + in[i], which wraps around; `out` may be `in`.
  static void running_sums(const std::int64_t* in, std::int64_t* out, std::int64_t n);
};

}  // namespace cupyxx::internal::cpu
