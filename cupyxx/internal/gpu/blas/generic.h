// SPDX-License-Identifier: MIT
// Products in kernels of our own: any dtype, any size.
#pragma once

#include <string>

#include "cupyxx/internal/gemm_call.h"
#include "cupyxx/internal/jit/kernel.h"

namespace cupyxx::internal::gpu {

/// Enqueues the product; k = 0 leaves only C, bias and relu.
void gemm_generic(int device, void* stream, const GemmCall& call);
/// Enqueues a product of one row and one column.
void dot_generic(int device, void* stream, const GemmCall& call);

enum class GemmKernel { gemm, dot, dot_join };
/// The source of a kernel, for tests and for the bundle tool.
jit::Program gemm_program(GemmKernel kernel, cupyxx::dtype dtype);

}  // namespace cupyxx::internal::gpu
