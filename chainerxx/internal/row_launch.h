// SPDX-License-Identifier: MIT
// How the kernels of kernels/row.h are launched.
#pragma once

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <optional>

#include "chainerxx/internal/kernel_library.h"

namespace chainerxx::internal {

/// A warp for each of several rows in a block, or a block for a row.
struct RowLaunch {
  bool warps;
  Grid grid;
};

/// The kernels of both forms.
template <class Args>
struct RowKernels {
  Kernel<Args> warps, blocks;

  const Kernel<Args>& choose(const RowLaunch& how) const { return how.warps ? warps : blocks; }
  /// The most of a block.
  unsigned threads() const { return blocks.threads(); }
};

/// Packs of 16 bytes that a thread keeps (kernels/row.h).
inline long held_packs(cupyxx::dtype type) { return type.itemsize() == 2 ? 4 : 8; }

/// Whether a block keeps a whole row of n elements.
inline bool fits_registers(long n, cupyxx::dtype type, const Grid& grid) {
  return n * type.itemsize() / 16 <= static_cast<long>(grid.block_x) * held_packs(type);
}

/// For rows of n elements; nothing for rows that are too short to pay, and for arrays that do not
/// all lie alike on 16-byte packs. A block has at most `most_threads` threads.
inline std::optional<RowLaunch> row_launch(long rows, long n, cupyxx::dtype type,
                                           unsigned most_threads,
                                           std::initializer_list<const void*> arrays) {
  constexpr long kShortest = 256, kLongest = 1L << 30;  // bytes, elements
  const long size = type.itemsize(), packs = n * size / 16, held = held_packs(type);
  if (n * size < kShortest || n > kLongest) return std::nullopt;
  const auto place = [](const void* array) { return reinterpret_cast<std::uintptr_t>(array) % 16; };
  for (const void* array : arrays) {
    if (place(array) != place(*arrays.begin())) return std::nullopt;
  }
  if (packs <= 32 * held) {
    constexpr unsigned kRowsPerBlock = 8;
    const long blocks = (rows + kRowsPerBlock - 1) / kRowsPerBlock;
    return RowLaunch{true, grid_for(blocks * 256, 1u << 30)};
  }
  const long threads = (packs + held - 1) / held;
  return RowLaunch{
      false,
      {.grid_x = static_cast<unsigned>(std::min<long>(rows, 1L << 30)),
       .block_x = std::min(static_cast<unsigned>((threads + 31) / 32 * 32), most_threads)}};
}

}  // namespace chainerxx::internal
