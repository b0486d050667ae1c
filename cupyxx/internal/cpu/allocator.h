// SPDX-License-Identifier: MIT
// Host memory for arrays: blocks by size class, cached per thread and then for the process, never
// returned at exit.
#pragma once

#include <cstddef>

#include "cupyxx/core/body.h"
#include "cupyxx/cuda/memory_pool.h"

namespace cupyxx::internal::cpu {

/// Memory aligned to 64 bytes. Throws OutOfMemoryError with the sizes.
Storage* allocate(std::size_t nbytes);
/// Makes memory of the pool zero by giving its pages back to the system, which hands out zeros when
/// they are touched: for large memory that is written at once, as cheap as writing the zeros; for
/// what is never touched, free. False, and nothing is done, for memory that is better written.
bool clear_pages(char* data, std::size_t nbytes);
PoolStats pool_stats();
void free_all_blocks();
void set_pool_limit(std::uint64_t bytes);

}  // namespace cupyxx::internal::cpu
