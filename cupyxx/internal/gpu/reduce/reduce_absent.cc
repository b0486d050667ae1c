// SPDX-License-Identifier: MIT
#include "cupyxx/internal/gpu/reduce/reduce.h"
#include "cupyxx/internal/gpu/runtime.h"

namespace cupyxx::internal::gpu {

void reduce(const Reduction& r, int device) { check_device(name(r.op), device); }

}  // namespace cupyxx::internal::gpu
