// SPDX-License-Identifier: MIT
// Matrix products on a CUDA device: floating and complex types in cuBLASLt, integers, bool and dot
// products in kernels of ours. A build without CUDA has gemm_absent.cc.
#pragma once

#include "cupyxx/internal/gemm_call.h"

namespace cupyxx::internal::gpu {

/// Enqueues the product on a stream of the current device. float32 is reduced as far as the call
/// allows, float16 and bfloat16 accumulate in float32, integers wrap, bool is "or" of "and"s.
/// Throws CudaError, CompileError.
void gemm(int device, void* stream, const GemmCall& call);
/// Enqueues a product whose A and B are float16 or bfloat16 and whose C is float32, without bias
/// and relu. False, and nothing enqueued, when the library has no algorithm for it.
bool gemm_into_float32(int device, void* stream, const GemmCall& call);
/// Enqueues a product with call.has_epilogue(); C may be wide. False, and nothing enqueued, when
/// the library cannot.
bool gemm_with_epilogue(int device, void* stream, const GemmCall& call);
/// Whether the product's kernel can do what `row_sums` asks for.
bool gemm_sums_rows(int device, const GemmCall& call);

}  // namespace cupyxx::internal::gpu
