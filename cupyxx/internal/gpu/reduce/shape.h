// SPDX-License-Identifier: MIT
// How a reduction is laid over the device: which kernel, how many lanes, how many parts. Plain
// arithmetic, so that it is tested without a device.
#pragma once

#include "cupyxx/internal/gpu/reduce/program.h"
#include "cupyxx/internal/jit/kernel.h"
#include "cupyxx/internal/kernels/reduce_args.h"

namespace cupyxx::internal::gpu {

/// Results that may be split over several blocks in one launch: the tickets of a stream.
inline constexpr int kReduceTickets = 4096;

struct ReduceShape {
  ReduceVariant variant;
  jit::LaunchShape launch;       // grid_y: the parts of each result
  unsigned lanes_log2 = 0;       // rows_short
  std::int64_t tiles = 1;        // columns
  std::int64_t parts_bytes = 0;  // memory for the parts, when there is more than one
};

/// `packets`: whether accesses of several elements are wanted where they are possible.
ReduceShape reduce_shape(const Reduction& r, int multiprocessors, bool packets = true);
/// The same for built-in operations, some of which have ReduceKernel::run.
ReduceShape built_in_shape(const Reduction& r, int multiprocessors);

/// Whether packets of so many elements along the reduced axes (the kept ones for columns) are all
/// whole and aligned.
bool whole_packets(const Reduction& r, ReduceKernel kernel, std::int64_t packet);

/// The kernel's arguments, but for the memory of the parts and the tickets; kDims is that of the
/// variant.
template <int kDims>
void fill_args(const Reduction& r, const ReduceShape& shape,
               cupyxx::kernels::ReduceArgs<kDims>& args);

}  // namespace cupyxx::internal::gpu
