// SPDX-License-Identifier: MIT
// Products of a few rows whose factors may be rounded, in one launch of a kernel of ours.
#pragma once

#include "cupyxx/internal/gemm_call.h"

namespace cupyxx::internal::gpu {

/// Enqueues the product; false, and nothing enqueued, when it is not one for these kernels: of 5 to
/// 32 rows by a matrix whose rows do not begin at multiples of 16 bytes, where the library reads
/// one element at a time (20x650 by 650x2600 on an H100: 13.7 us, and 6.4 here). The result depends
/// on the sizes alone.
bool gemm_thin(int device, void* stream, const GemmCall& call);

}  // namespace cupyxx::internal::gpu
