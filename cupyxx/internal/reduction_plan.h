// SPDX-License-Identifier: MIT
// A reduction over raw memory: what, over which axes, after collapsing. Both backends run it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "cupyxx/dtype.h"
#include "cupyxx/shape.h"

namespace cupyxx::internal {

/// In the order of ops::ReductionOps.
enum class ReduceOp : std::uint8_t {
  sum,
  prod,
  mean,
  var,
  std,
  amax,
  amin,
  all,
  any,
  argmax,
  argmin,
  count_nonzero,
  norm,
};
inline constexpr int kReduceOpCount = 13;

/// All of them.
inline constexpr auto kReduceOps = [] {
  std::array<ReduceOp, kReduceOpCount> all{};
  for (int i = 0; i < kReduceOpCount; ++i) {
    all[static_cast<std::size_t>(i)] = static_cast<ReduceOp>(i);
  }
  return all;
}();

/// The public name: "amax".
const char* name(ReduceOp op);

/// The dtype that the loops of an operation give for elements of `in`, one of those with
/// loops.
dtype reduction_result(ReduceOp op, dtype in);

constexpr bool is_arg(ReduceOp op) { return op == ReduceOp::argmax || op == ReduceOp::argmin; }

struct ReduceAxis {
  std::int64_t extent;
  std::int64_t stride;      // of the input, in bytes
  std::int64_t out_stride;  // of the result, in bytes; kept axes only
};

struct Reduction {
  ReduceOp op;
  dtype in;
  dtype out;
  const char* data;
  char* result;
  double ddof = 0;
  std::int64_t kept = 1;     // number of results
  std::int64_t reduced = 1;  // number of elements per result
  // At least one of each, the last one nearest in memory. Reduced axes of argmax and argmin stay in
  // their order; the others are sorted by stride, which is then not negative.
  int kept_ndim = 0;
  int reduced_ndim = 0;
  ReduceAxis kept_axes[kMaxNdim];
  ReduceAxis reduced_axes[kMaxNdim];
};

/// Plans the reduction of an array over the axes in `mask`. `result_strides` are those of the
/// result along the array's axes, of which only the kept ones count; null means C-contiguous. A sum
/// of float16 or bfloat16 with `unrounded` gives the float32 in which it is made; only on a device.
Reduction plan_reduction(ReduceOp op, dtype in, const void* data, int ndim,
                         const std::int64_t* shape, const std::int64_t* strides, std::uint32_t mask,
                         void* result, const std::int64_t* result_strides = nullptr,
                         double ddof = 0, bool unrounded = false);

}  // namespace cupyxx::internal
