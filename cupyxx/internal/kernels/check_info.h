// SPDX-License-Identifier: MIT
// Device-safe. Looks at what a library says of each matrix. The host's side is
// internal/gpu/solver/cusolver.cc.
#pragma once

#include "cupyxx/internal/kernels/error_word.h"

namespace cupyxx::internal::kernels {

struct CheckInfoArgs {
  const int* info;
  long count;
  ErrorWord* error;
  unsigned operation;
  unsigned code;
};

#if defined(__CUDACC__)

/// One block.
__device__ inline void check_info(const CheckInfoArgs& args) {
  for (long i = threadIdx.x; i < args.count; i += blockDim.x) {
    if (args.info[i] == 0) continue;
    report(args.error, static_cast<ErrorCode>(args.code), args.operation, i, args.info[i]);
  }
}

#endif

}  // namespace cupyxx::internal::kernels
