// SPDX-License-Identifier: MIT
// The sources of the product kernels; no device is needed to make them.
#pragma once

#include <vector>

#include "cupyxx/dtype.h"
#include "cupyxx/internal/jit/kernel.h"

namespace cupyxx::internal::gpu {

enum class GemmKernel { gemm, dot, dot_join };

/// The source of a kernel for a dtype.
jit::Program gemm_program(GemmKernel kernel, cupyxx::dtype dtype);

/// Those that everybody uses, for the kernel bundle.
std::vector<jit::Program> common_gemm_programs();

}  // namespace cupyxx::internal::gpu
