// SPDX-License-Identifier: MIT
#include "cupyxx/error.h"
#include "cupyxx/internal/gpu/blas/gemm.h"

namespace cupyxx::internal::gpu {

void gemm(int, void*, const GemmCall&) { throw DeviceError("gemm: this build has no CUDA"); }

}  // namespace cupyxx::internal::gpu
