// SPDX-License-Identifier: MIT
// The programs of sorting, running sums and searching, as the launches and the tests see them.
#pragma once

#include <vector>

#include "cupyxx/dtype.h"
#include "cupyxx/internal/jit/kernel.h"

namespace cupyxx::internal::gpu {

enum class SortKernel : std::uint8_t {
  short_rows,
  count_values,  // long rows without places
  scatter_values,
  keys,  // with places; the steps after the keys depend on the element's size only
  count,
  scatter,
  finish,
  search,
};
inline constexpr int kSortKernels = 8;

/// One step of sorting, or the search, for elements of a dtype; `wide` when a row may be longer
/// than 2^32.
jit::Program sort_program(SortKernel kernel, dtype type, bool wide);
/// Running sums or products of int64, uint64, float32, float64 or complex numbers along rows, or
/// those of rows of up to kernels::kScanPerWarp elements.
jit::Program scan_program(bool product, bool short_rows, dtype type);
/// The number of set flags of each tile, then what stands where they are set: elements of `unit`
/// bytes, or for 0 the positions.
jit::Program count_flags_program();
jit::Program compact_program(int unit);

/// All of them.
std::vector<jit::Program> all_sorting_programs();

}  // namespace cupyxx::internal::gpu
