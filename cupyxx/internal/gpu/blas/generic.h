// SPDX-License-Identifier: MIT
// Products in kernels of our own: any dtype, any size.
#pragma once

#include "cupyxx/internal/gemm_call.h"

namespace cupyxx::internal::gpu {

/// Enqueues the product; k = 0 leaves only C, bias and relu.
void gemm_generic(int device, void* stream, const GemmCall& call);
/// Enqueues a product of one row and one column.
void dot_generic(int device, void* stream, const GemmCall& call);

}  // namespace cupyxx::internal::gpu
