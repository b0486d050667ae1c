// SPDX-License-Identifier: MIT
// cuBLASLt, opened on first use, with a cache of ready plans: a repeated product only exchanges
// pointers.
#pragma once

#include "cupyxx/internal/gemm_call.h"

namespace cupyxx::internal::gpu {

/// Enqueues a product of a floating type, or of a complex one without bias and relu, with k > 0.
/// False, and nothing enqueued, when cuBLASLt has no algorithm for it. Throws Error when the
/// library is absent, CudaError when it fails.
bool gemm_cublaslt(int device, void* stream, const GemmCall& call);

}  // namespace cupyxx::internal::gpu
