// SPDX-License-Identifier: MIT
// Device-safe. Gathers slices of bytes by position; the host's side is internal/gpu/take.cc.
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
  u32 mode;  // IndexMode
};

#if defined(__CUDACC__)

/// Moves one unit of 1 to 16 bytes per thread and step.
template <class Unit, class Index, class Wide>
CUPYXX_FN void take(const TakeArgs& args) {
  const Wide step = static_cast<Wide>(gridDim.x) * blockDim.x;
  const Wide inner = static_cast<Wide>(args.inner);
  const Wide count = static_cast<Wide>(args.count);
  for (Wide i = static_cast<Wide>(blockIdx.x) * blockDim.x + threadIdx.x; i < args.units;
       i += step) {
    const Wide row = i / inner;
    const Wide outer = row / count;
    const i64 index = static_cast<const Index*>(args.indices)[row - outer * count];
    i64 at = index;
    if (args.mode == 0) {
      if (at < -args.extent || at >= args.extent) {
        if (i % inner == 0) {
          report(args.error, kIndexOutOfRange, args.operation, index, args.extent);
        }
        continue;
      }
      if (at < 0) at += args.extent;
    } else if (args.mode == 1) {
      at %= args.extent;
      if (at < 0) at += args.extent;
    } else {
      at = at < 0 ? 0 : at >= args.extent ? args.extent - 1 : at;
    }
    reinterpret_cast<Unit*>(args.out)[i] = reinterpret_cast<const Unit*>(
        args.source)[(static_cast<u64>(outer) * args.extent + at) * args.inner + (i - row * inner)];
  }
}

#endif

}  // namespace cupyxx::internal::kernels
