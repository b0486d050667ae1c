// SPDX-License-Identifier: MIT
// Without CUDA no memory is on a device.
#include "cupyxx/internal/gpu/uses.h"

namespace cupyxx::internal::gpu {

void order_after_uses(const Storage*, void*) noexcept {}
void wait_for_uses(const Storage*) noexcept {}
void order_streams(int, void*, void*) {}

}  // namespace cupyxx::internal::gpu
