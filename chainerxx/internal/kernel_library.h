// SPDX-License-Identifier: MIT
// The device kernels of chainerxx: templates in files under internal/kernels, each declared beside
// its launch.
#pragma once

#include <algorithm>
#include <cstdint>

#include "chainerxx/internal/kernels/sum_of_parts.h"
#include "cupyxx/extension/kernel.h"

namespace chainerxx::internal {

using cupyxx::extension::Grid;
using cupyxx::extension::Kernel;

/// For float16, bfloat16, float32 and float64.
extern const cupyxx::extension::KernelLibrary kLibrary;

/// A grid of `threads` threads in blocks of 256, at most `most_blocks` of them.
inline Grid grid_for(std::int64_t threads, unsigned most_blocks = 4096) {
  const std::int64_t blocks = (threads + 255) / 256;
  return {.grid_x = static_cast<unsigned>(std::clamp<std::int64_t>(blocks, 1, most_blocks)),
          .block_x = 256};
}

/// A grid for sum_of_parts() over so many columns.
inline Grid grid_of_parts(std::int64_t columns) {
  return {.grid_x =
              static_cast<unsigned>((columns + kernels::kPartColumns - 1) / kernels::kPartColumns),
          .block_x = kernels::kPartColumns,
          .block_y = kernels::kPartRows};
}

}  // namespace chainerxx::internal
