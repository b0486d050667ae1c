// SPDX-License-Identifier: MIT
#include "cupyxx/internal/gpu/blas/gemm.h"

#include "cupyxx/internal/gpu/blas/cublaslt.h"
#include "cupyxx/internal/gpu/blas/generic.h"
#include "cupyxx/internal/gpu/blas/tile.h"

namespace cupyxx::internal::gpu {

void gemm(int device, void* stream, const GemmCall& call) {
  if (call.m == 0 || call.n == 0 || call.batch == 0) return;
  if (call.m == 1 && call.n == 1 && call.batch == 1) {
    dot_generic(device, stream, call);
  } else if (gemm_tile(device, stream, call)) {
    return;
  } else if (!call.dtype.is_floating() || call.k == 0 || !gemm_cublaslt(device, stream, call)) {
    gemm_generic(device, stream, call);
  }
}

}  // namespace cupyxx::internal::gpu
