// SPDX-License-Identifier: MIT
// Device-safe. What a reduction kernel is given; filled by internal/gpu/reduce.
#pragma once

namespace cupyxx::kernels {

/// Nearly all reductions have so few axes left after collapsing; a launch copies its arguments.
inline constexpr int kFewReduceDims = 3;
inline constexpr int kMaxReduceDims = 32;

/// One axis after collapsing, with a multiplier for the division by its extent: the quotient of
/// n < 2^31 is (mulhi(n, multiplier) + n) >> shift.
struct ReduceDim {
  long extent;
  long stride;      // of the input, in bytes
  long out_stride;  // of the result, in bytes; kept axes only
  unsigned multiplier;
  unsigned shift;
};

/// With room for kDims kept and as many reduced axes.
template <int kDims>
struct ReduceArgs {
  const char* in;
  char* out;
  unsigned* partials;  // accumulators of the parts of split reductions
  unsigned* tickets;   // zero before and after each launch
  long kept;           // number of results
  long reduced;        // number of elements per result
  double ddof;
  long tiles;           // columns: tiles along the inner kept axis
  unsigned lanes_log2;  // rows_short: lanes per row
  int kept_ndim;        // at least 1; axis 0 varies slowest
  int reduced_ndim;     // at least 1
  ReduceDim kept_dims[kDims];
  ReduceDim reduced_dims[kDims];
};

}  // namespace cupyxx::kernels
