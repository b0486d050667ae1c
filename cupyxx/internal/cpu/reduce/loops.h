// SPDX-License-Identifier: MIT
// The inner loops of reductions, compiled once per instruction set.
#pragma once

#include <cstdint>

#include "cupyxx/dtype.h"
#include "cupyxx/internal/element_types.h"
#include "cupyxx/internal/op_info.h"
#include "cupyxx/internal/reduction_plan.h"
#include "cupyxx/ops/reductions.h"

namespace cupyxx::internal::cpu {

/// Rows that `columns` takes at once.
inline constexpr int kRowsAtOnce = 8;
/// The most bytes of one accumulator.
inline constexpr int kMaxAccBytes = 32;

/// The loops of one operation and element type. Accumulators stand side by side, `n` at a time, in
/// a layout that only the loops know; each takes at most kMaxAccBytes, counted over all.
struct ReduceLoops {
  /// Makes n empty accumulators.
  void (*start)(void* acc, std::int64_t n);
  /// Combines a run of contiguous elements into one accumulator (n = 1).
  void (*row)(void* acc, const void* x, std::int64_t count, std::int64_t index);
  /// Combines `count` rows of n elements each, kRowsAtOnce or one, into n accumulators.
  void (*columns)(void* acc, const void* const* rows, int count, std::int64_t n,
                  std::int64_t index);
  /// acc[i] = combine(acc[i], other[i]).
  void (*merge)(void* acc, const void* other, std::int64_t n);
  /// Writes n results.
  void (*finish)(const void* acc, std::int64_t n, char* out, std::int64_t out_stride,
                 const ops::Finish& finish);
};

/// Elements of a narrow type as float.
using WidenFn = void (*)(float* out, const void* in, std::int64_t n);

/// One instruction set's loops for real types. Narrow elements come as float and bool as uint8, but
/// the result's dtype follows `in`.
struct ReduceIsa {
  const ReduceLoops* (*loops)(ReduceOp op, dtype in);
  WidenFn to_float[RealTypes::kCount];  // by dtype::Code; null for types that are not narrow
};

/// The loops of complex types, one form for all instruction sets.
const ReduceLoops* complex_loops(ReduceOp op, dtype in);

/// Defined in isa.cc for each instruction set.
template <Arch kArch>
struct ReduceIsaOf {
  static const ReduceIsa table;
};

}  // namespace cupyxx::internal::cpu
