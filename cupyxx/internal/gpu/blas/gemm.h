// SPDX-License-Identifier: MIT
// Matrix products on a CUDA device: floating and complex types in cuBLASLt, integers, bool and dot
// products in kernels of ours. A build without CUDA has gemm_absent.cc.
#pragma once

#include "cupyxx/internal/gemm_call.h"

namespace cupyxx::internal::gpu {

/// Enqueues the product on a stream of the current device. float32 is not reduced to TF32, float16
/// and bfloat16 accumulate in float32, integers wrap, bool is "or" of "and"s. Throws CudaError,
/// CompileError.
void gemm(int device, void* stream, const GemmCall& call);
/// Whether the product's kernel can do what `row_sums` asks for.
bool gemm_sums_rows(int device, const GemmCall& call);

}  // namespace cupyxx::internal::gpu
