// SPDX-License-Identifier: MIT
// Matrix products on the host: float32 in oneDNN, float64 and complex types in OpenBLAS, 16-bit
// floats through float32, integers and bool in loops of ours, which also take the products too
// small for a library.
#pragma once

#include "cupyxx/internal/gemm_call.h"

namespace cupyxx::internal::cpu {

/// Computes the product. Integers wrap, bool is "or" of "and"s, 16-bit floats accumulate in
/// float32. The result does not depend on the number of threads as far as the libraries' do not.
/// Throws Error when OpenBLAS is needed and absent.
void gemm(const GemmCall& call);

}  // namespace cupyxx::internal::cpu
