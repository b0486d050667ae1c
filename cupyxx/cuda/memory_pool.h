// SPDX-License-Identifier: MIT
// The memory pools under all arrays.
#pragma once

#include <cstdint>

#include "cupyxx/device.h"
#include "cupyxx/export.h"

namespace cupyxx {

/// What a pool holds, in bytes.
struct PoolStats {
  std::uint64_t used = 0;          ///< handed out
  std::uint64_t cached = 0;        ///< held for reuse
  std::uint64_t peak = 0;          ///< the most ever handed out
  std::uint64_t allocations = 0;   ///< requests served
  std::uint64_t system_calls = 0;  ///< requests that went to the system
  std::uint64_t largest_free = 0;  ///< the largest block held for reuse
  std::uint64_t blocks = 0;        ///< number of blocks handed out
  std::uint64_t free_blocks = 0;  ///< number of blocks held for reuse; those of threads not counted
  std::uint64_t total = 0;        ///< taken from the system
  std::uint64_t limit = 0;        ///< the most it may take; 0 for none
};

/// The state of a device's pool.
CUPYXX_API PoolStats pool_stats(Device device);
/// Returns held memory to the system; waits for the device.
CUPYXX_API void free_all_blocks(Device device);
/// The most a device's pool may hold, in bytes; 0 removes the limit.
CUPYXX_API void set_pool_limit(Device device, std::uint64_t bytes);

}  // namespace cupyxx
