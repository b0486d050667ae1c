// SPDX-License-Identifier: MIT
// Small float32 products in one launch of a kernel of ours.
#pragma once

#include "cupyxx/internal/gemm_call.h"

namespace cupyxx::internal::gpu {

/// Enqueues the product; false, and nothing enqueued, when it is not one for these kernels. The
/// result depends on the sizes alone, never on the order in which blocks run.
/// Row sums are added.
bool gemm_tile(int device, void* stream, const GemmCall& call);
/// Whether gemm_tile() would enqueue it.
bool takes_gemm_tile(int device, const GemmCall& call);

}  // namespace cupyxx::internal::gpu
