// SPDX-License-Identifier: MIT
// The pool of each CUDA device.
#pragma once

#include "cupyxx/internal/gpu/memory/pool.h"

namespace cupyxx::internal::gpu {

/// The pool of an existing device; never destroyed, so that global arrays may free late. Its limit
/// is CUPYXX_GPU_MEMORY_LIMIT at first: bytes, or with a point or "%" a part of the device's
/// memory.
Pool* device_pool(int device);

/// Reads that limit; 0 for null, an empty text or 0. Throws ValueError.
std::size_t parse_memory_limit(const char* text, std::size_t total);

}  // namespace cupyxx::internal::gpu
