// SPDX-License-Identifier: MIT
// Filling arrays with random numbers of one distribution with the same parameters everywhere: the
// same numbers on the host and on CUDA devices.
#pragma once

#include <cstdint>

#include "cupyxx/dtype.h"
#include "cupyxx/internal/jit/kernel.h"
#include "cupyxx/internal/kernels/random_fill.h"
#include "cupyxx/internal/op_info.h"
#include "cupyxx/ndarray.h"

namespace cupyxx::internal {

/// Integers come from one word each where their range is at most 2^32, else from two.
enum class Fill : std::uint8_t { uniform, normal, exponential, short_integers, long_integers };
inline constexpr int kFillCount = 5;

/// Elements that one block of four words makes.
int elements_per_block(Fill fill, dtype type);
/// Blocks that a fill uses.
std::uint64_t blocks_for(Fill fill, dtype type, std::int64_t size);

/// Fills a C-contiguous array of float16, bfloat16, float32 or float64, or of bool or an integer
/// type. `args` has the parameters and the place in the stream.
void fill_random(Fill fill, const ndarray& out, kernels::RandomArgs args);

namespace cpu {
/// Makes the blocks [begin, end) of a fill.
using FillFn = void (*)(const kernels::RandomArgs& args, std::int64_t begin, std::int64_t end);

/// The loops for one instruction set, by fill and size of the type.
template <Arch kArch>
struct FillLoops {
  static FillFn find(Fill fill, dtype type);
};

void fill_random(Fill fill, dtype type, const kernels::RandomArgs& args);
}  // namespace cpu

namespace gpu {
void fill_random(Fill fill, const ndarray& out, const kernels::RandomArgs& args);
}  // namespace gpu

}  // namespace cupyxx::internal
