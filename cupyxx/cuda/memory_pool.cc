// SPDX-License-Identifier: MIT
#include "cupyxx/cuda/memory_pool.h"

#include "cupyxx/internal/cpu/allocator.h"
#include "cupyxx/internal/gpu/runtime.h"

namespace cupyxx {

PoolStats pool_stats(Device device) {
  return device.is_cpu() ? internal::cpu::pool_stats() : internal::gpu::pool_stats(device.index);
}

void free_all_blocks(Device device) {
  if (device.is_cpu()) {
    internal::cpu::free_all_blocks();
  } else {
    internal::gpu::free_all_blocks(device.index);
  }
}

void set_pool_limit(Device device, std::uint64_t bytes) {
  if (device.is_cpu()) {
    internal::cpu::set_pool_limit(bytes);
  } else {
    internal::gpu::set_pool_limit(device.index, bytes);
  }
}

}  // namespace cupyxx
