// SPDX-License-Identifier: MIT
// Device-safe. Gathers slices of bytes by position. The host's side is
// internal/gpu/elementwise/take.cc.
#pragma once

#include "cupyxx/internal/kernels/elementwise.h"

namespace cupyxx::internal::kernels {

struct TakeArgs {
  const char* source;
  const void* indices;
  char* out;
  u64 units;   // of the result
  u64 count;   // indices
  u64 inner;   // units of one slice
  i64 extent;  // of the axis
  ErrorWord* error;
  u32 operation;
  u32 mode;               // IndexMode, or kTakeInside
  Divider inner_divider;  // of `inner` and `count`, when there are fewer than 2^31 units
  Divider count_divider;
};

inline constexpr int kTakePerThread = 2;
/// IndexMode::raise with negative indices out of bounds, too.
inline constexpr u32 kTakeInside = 3;

#if defined(__CUDACC__)

/// Quotient of a unit's or a row's number.
template <class Wide>
CUPYXX_FN Wide take_quotient(Wide n, u64 divisor, const Divider& divider) {
  if constexpr (sizeof(Wide) == 4) {
    return divide(n, divider);
  } else {
    return n / divisor;
  }
}

/// Moves units of 1 to 16 bytes, kTakePerThread per thread; their loads are in flight together.
template <class Unit, class Index, class Wide>
CUPYXX_FN void take(const TakeArgs& args) {
  const u64 first = static_cast<u64>(blockIdx.x) * (kBlock * kTakePerThread) + threadIdx.x;
  u64 from[kTakePerThread];
  bool found[kTakePerThread];
#pragma unroll
  for (int k = 0; k < kTakePerThread; ++k) {
    const u64 unit = first + k * kBlock;
    found[k] = unit < args.units;
    if (!found[k]) continue;
    const Wide i = static_cast<Wide>(unit);
    const Wide row = take_quotient(i, args.inner, args.inner_divider);
    const Wide outer = take_quotient(row, args.count, args.count_divider);
    const Wide column = i - row * static_cast<Wide>(args.inner);
    const i64 index =
        static_cast<const Index*>(args.indices)[row - outer * static_cast<Wide>(args.count)];
    i64 at = index;
    if (args.mode == 0 || args.mode == kTakeInside) {
      if (at < (args.mode == 0 ? -args.extent : 0) || at >= args.extent) {
        if (column == 0) report(args.error, kIndexOutOfRange, args.operation, index, args.extent);
        found[k] = false;
      }
      if (at < 0) at += args.extent;
    } else if (args.mode == 1) {
      at %= args.extent;
      if (at < 0) at += args.extent;
    } else {
      at = at < 0 ? 0 : at >= args.extent ? args.extent - 1 : at;
    }
    from[k] = (static_cast<u64>(outer) * args.extent + at) * args.inner + column;
  }
  Unit value[kTakePerThread];
#pragma unroll
  for (int k = 0; k < kTakePerThread; ++k) {
    if (found[k]) value[k] = reinterpret_cast<const Unit*>(args.source)[from[k]];
  }
#pragma unroll
  for (int k = 0; k < kTakePerThread; ++k) {
    if (found[k]) reinterpret_cast<Unit*>(args.out)[first + k * kBlock] = value[k];
  }
}

#endif

}  // namespace cupyxx::internal::kernels
