// SPDX-License-Identifier: MIT
// Filling arrays with random numbers: the same numbers on the host and on CUDA devices.
#pragma once

#include <cstdint>

#include "cupyxx/dtype.h"
#include "cupyxx/internal/jit/kernel.h"
#include "cupyxx/internal/kernels/random_fill.h"
#include "cupyxx/ndarray.h"

namespace cupyxx::internal {

enum class Distribution : std::uint8_t { uniform, normal, integers };

/// Blocks of four words that a fill uses.
std::uint64_t blocks_for(Distribution distribution, dtype type, std::int64_t size);

/// Fills a C-contiguous array: float32 or float64, or int64 for integers.
void fill_random(Distribution distribution, const ndarray& out, const kernels::RandomArgs& args);

namespace cpu {
void fill_random(Distribution distribution, dtype type, const kernels::RandomArgs& args);
}
namespace gpu {
void fill_random(Distribution distribution, const ndarray& out, const kernels::RandomArgs& args);
/// The program of a fill; the test compiles each.
jit::Program random_program(Distribution distribution, dtype type);
}  // namespace gpu

}  // namespace cupyxx::internal
