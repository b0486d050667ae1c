// SPDX-License-Identifier: MIT
// Device-safe. Evenly spaced numbers by NumPy's formulas. The host's side is
// internal/gpu/scatter/range.cc.
#pragma once

#include "cupyxx/internal/kernels/elementwise.h"

namespace cupyxx::internal::kernels {

/// out[i] = first + i * (second - first); the first two are taken as they are.
struct RangeArgs {
  void* out;
  i64 n;
  double first, second;         // for floating dtypes
  u64 first_bits, second_bits;  // for integers, which wrap
};

/// out[i] = start + i * step, or start + i / parts * span where the step has become 0.
struct LinspaceArgs {
  double* out;
  i64 n;
  double start, step, span, parts;
  double last;
  bool ends;  // the last one is `last`
};

#if defined(__CUDACC__) || defined(CUPYXX_EMULATED_DEVICE)

/// Computed as C, which for integers is u64.
template <class T, class C>
CUPYXX_FN void fill_range(const RangeArgs& args) {
  C first, second;
  if constexpr (ops::is_float<C>) {
    first = static_cast<C>(args.first);
    second = static_cast<C>(args.second);
  } else {
    first = args.first_bits;
    second = args.second_bits;
  }
  const C delta = second - first;
  const i64 step = static_cast<i64>(gridDim.x) * blockDim.x;
  for (i64 i = static_cast<i64>(blockIdx.x) * blockDim.x + threadIdx.x; i < args.n; i += step) {
    const C value = i == 0 ? first : i == 1 ? second : first + static_cast<C>(i) * delta;
    if constexpr (ops::is_float<C>) {
      static_cast<T*>(args.out)[i] = ops::cast<T>(value);
    } else {
      static_cast<T*>(args.out)[i] = ops::cast<T>(static_cast<i64>(value));
    }
  }
}

CUPYXX_FN void fill_linspace(const LinspaceArgs& args) {
  const i64 step = static_cast<i64>(gridDim.x) * blockDim.x;
  for (i64 i = static_cast<i64>(blockIdx.x) * blockDim.x + threadIdx.x; i < args.n; i += step) {
    const double at = static_cast<double>(i);
    const double from_start = args.step != 0 ? at * args.step : at / args.parts * args.span;
    args.out[i] = args.ends && i + 1 == args.n ? args.last : from_start + args.start;
  }
}

#endif

}  // namespace cupyxx::internal::kernels
