// SPDX-License-Identifier: MIT
#include "cupyxx/internal/gpu/reduce/shape.h"

#include <algorithm>
#include <bit>
#include <cstdint>

namespace cupyxx::internal::gpu {

namespace {

constexpr std::int64_t kThreads = 256;
constexpr std::int64_t kInFlight = 4;            // packets a thread reads at once
constexpr std::int64_t kBlocksPerProcessor = 4;  // measured: 2 and 8 are slower
constexpr std::int64_t kMaxPartBytes = 32;       // the largest accumulator
constexpr std::int64_t kShortRow = 1024;         // elements that a warp may take

std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }
std::int64_t ceil_pow2(std::int64_t n) {
  return n <= 1 ? 1 : static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(n)));
}
std::int64_t near(std::int64_t stride) { return stride < 0 ? -stride : stride; }

bool aligned(const ReduceAxis* axes, int ndim, std::int64_t bytes) {
  return std::all_of(axes, axes + ndim,
                     [bytes](const ReduceAxis& axis) { return axis.stride % bytes == 0; });
}

bool data_aligned(const Reduction& r, std::int64_t bytes) {
  return reinterpret_cast<std::uintptr_t>(r.data) % static_cast<std::uintptr_t>(bytes) == 0;
}

/// Whether packets along the reduced axes are all whole and aligned.
bool whole_packets_in_rows(const Reduction& r, std::int64_t packet) {
  const ReduceAxis& inner = r.reduced_axes[r.reduced_ndim - 1];
  const std::int64_t bytes = packet * r.in.itemsize();
  return inner.stride == r.in.itemsize() && inner.extent % packet == 0 && data_aligned(r, bytes) &&
         aligned(r.kept_axes, r.kept_ndim, bytes) &&
         aligned(r.reduced_axes, r.reduced_ndim - 1, bytes);
}

bool whole_packets_in_columns(const Reduction& r, std::int64_t packet) {
  const ReduceAxis& inner = r.kept_axes[r.kept_ndim - 1];
  const std::int64_t bytes = packet * r.in.itemsize();
  return inner.stride == r.in.itemsize() && inner.extent % packet == 0 && data_aligned(r, bytes) &&
         aligned(r.kept_axes, r.kept_ndim - 1, bytes) &&
         aligned(r.reduced_axes, r.reduced_ndim, bytes);
}

/// Parts so that the device is full and each part still has `least` elements.
std::int64_t choose_parts(std::int64_t blocks, std::int64_t elements, std::int64_t least,
                          int multiprocessors) {
  const std::int64_t wanted = multiprocessors * kBlocksPerProcessor / blocks;
  if (blocks > kReduceTickets) return 1;
  return std::clamp<std::int64_t>(std::min(wanted, elements / least), 1, 65535);
}

void shape_columns(const Reduction& r, int multiprocessors, bool packets, ReduceShape& shape) {
  shape.variant.kernel = ReduceKernel::columns;
  shape.variant.packets = true;
  const ReduceAxis& inner = r.kept_axes[r.kept_ndim - 1];
  shape.variant.packets = packets && whole_packets_in_columns(r, packet_size(shape.variant, r.in));
  const std::int64_t packet = packet_size(shape.variant, r.in);

  const std::int64_t across = ceil_pow2(ceil_div(inner.extent, packet));
  const std::int64_t down = std::min(kThreads / std::min<std::int64_t>(32, across),
                                     ceil_pow2(ceil_div(r.reduced, kInFlight)));
  const std::int64_t block_x = std::min(kThreads / down, across);
  shape.tiles = ceil_div(inner.extent, block_x * packet);
  const std::int64_t blocks = r.kept / inner.extent * shape.tiles;
  const std::int64_t parts = choose_parts(blocks, r.reduced, 2 * kInFlight * down, multiprocessors);
  shape.launch = {.grid_x = static_cast<unsigned>(blocks),
                  .grid_y = static_cast<unsigned>(parts),
                  .block_x = static_cast<unsigned>(block_x),
                  .block_y = static_cast<unsigned>(down)};
  if (parts > 1) shape.parts_bytes = blocks * parts * block_x * packet * kMaxPartBytes;
}

void shape_rows_short(const Reduction& r, bool packets, ReduceShape& shape) {
  shape.variant.kernel = ReduceKernel::rows_short;
  shape.variant.packets = true;
  shape.variant.packets = packets && whole_packets_in_rows(r, packet_size(shape.variant, r.in));
  const std::int64_t accesses = ceil_div(r.reduced, packet_size(shape.variant, r.in));
  const auto lanes = std::min<std::int64_t>(32, ceil_pow2(accesses));
  shape.lanes_log2 = static_cast<unsigned>(std::countr_zero(static_cast<std::uint64_t>(lanes)));
  shape.launch.grid_x = static_cast<unsigned>(ceil_div(r.kept, kThreads / lanes * 4));
  shape.launch.block_x = kThreads;
}

void shape_rows(const Reduction& r, int multiprocessors, bool packets, ReduceShape& shape) {
  shape.variant.kernel = ReduceKernel::rows;
  shape.variant.packets = true;
  const std::int64_t packet = packet_size(shape.variant, r.in);
  // One reduced axis may begin and end anywhere: the kernel takes what is beside whole packets.
  const bool one_run = r.reduced_ndim == 1 && r.reduced_axes[0].stride == r.in.itemsize() &&
                       r.reduced >= 4 * packet && data_aligned(r, r.in.itemsize());
  shape.variant.packets = packets && (one_run || whole_packets_in_rows(r, packet));
  const std::int64_t accesses = r.reduced / packet_size(shape.variant, r.in);
  const std::int64_t threads =
      std::clamp<std::int64_t>(ceil_pow2(ceil_div(accesses, kInFlight)), 32, kThreads);
  const std::int64_t parts =
      choose_parts(r.kept, accesses, 2 * kInFlight * threads, multiprocessors);
  shape.launch = {.grid_x = static_cast<unsigned>(r.kept),
                  .grid_y = static_cast<unsigned>(parts),
                  .block_x = static_cast<unsigned>(threads)};
  if (parts > 1) shape.parts_bytes = r.kept * parts * kMaxPartBytes;
}

void fill_dim(const ReduceAxis& axis, cupyxx::kernels::ReduceDim& dim) {
  dim.extent = axis.extent;
  dim.stride = axis.stride;
  dim.out_stride = axis.out_stride;
  if (axis.extent >= std::int64_t{1} << 31) return;  // divided in 64 bits
  const auto divisor = static_cast<std::uint64_t>(axis.extent);
  dim.shift = divisor <= 1 ? 0 : static_cast<unsigned>(std::bit_width(divisor - 1));
  const std::uint64_t power = std::uint64_t{1} << dim.shift;
  dim.multiplier =
      static_cast<unsigned>((std::uint64_t{1} << 32) * (power - divisor) / divisor + 1);
}

}  // namespace

bool whole_packets(const Reduction& r, ReduceKernel kernel, std::int64_t packet) {
  return kernel == ReduceKernel::columns ? whole_packets_in_columns(r, packet)
                                         : whole_packets_in_rows(r, packet);
}

ReduceShape reduce_shape(const Reduction& r, int multiprocessors, bool packets) {
  ReduceShape shape;
  const ReduceAxis& kept = r.kept_axes[r.kept_ndim - 1];
  const ReduceAxis& reduced = r.reduced_axes[r.reduced_ndim - 1];
  const bool columns = r.kept > 1 && (r.reduced == 1 || near(kept.stride) < near(reduced.stride));
  if (columns) {
    shape_columns(r, multiprocessors, packets, shape);
  } else if (r.reduced <= kShortRow && r.kept >= multiprocessors * 32) {
    shape_rows_short(r, packets, shape);
  } else {
    shape_rows(r, multiprocessors, packets, shape);
  }
  constexpr std::int64_t kLimit = (std::int64_t{1} << 31) - (1 << 16);
  shape.variant.wide = r.reduced >= kLimit || r.kept >= kLimit;
  shape.variant.many = std::max(r.kept_ndim, r.reduced_ndim) > cupyxx::kernels::kFewReduceDims;
  return shape;
}

ReduceShape built_in_shape(const Reduction& r, int multiprocessors) {
  constexpr std::int64_t kRunBlocks = 3;                 // of a processor; measured
  constexpr std::int64_t kRunPackets = 8 * kRunThreads;  // that a block reads at once
  ReduceShape shape = reduce_shape(r, multiprocessors);
  shape.variant.unrounded = r.out != reduction_result(r.op, r.in);
  const std::int64_t parts = multiprocessors * kRunBlocks;
  const bool is_known =
      (r.op == ReduceOp::sum || r.op == ReduceOp::mean) && (r.in == float16 || r.in == bfloat16_);
  const bool is_run = shape.variant.kernel == ReduceKernel::rows && shape.variant.packets &&
                      r.kept == 1 && r.reduced_ndim == 1 &&
                      r.reduced_axes[0].stride == r.in.itemsize();
  if (!is_known || !is_run || r.reduced / packet_size(shape.variant, r.in) < parts * kRunPackets) {
    return shape;
  }
  shape.variant.kernel = ReduceKernel::run;
  shape.launch = {.grid_x = 1,
                  .grid_y = static_cast<unsigned>(parts),
                  .block_x = static_cast<unsigned>(kRunThreads)};
  shape.parts_bytes = parts * kMaxPartBytes;
  return shape;
}

template <int kDims>
void fill_args(const Reduction& r, const ReduceShape& shape,
               cupyxx::kernels::ReduceArgs<kDims>& args) {
  args.in = r.data;
  args.out = r.result;
  args.partials = nullptr;
  args.tickets = nullptr;
  args.kept = r.kept;
  args.reduced = r.reduced;
  args.ddof = r.ddof;
  args.tiles = shape.tiles;
  args.lanes_log2 = shape.lanes_log2;
  args.kept_ndim = r.kept_ndim;
  args.reduced_ndim = r.reduced_ndim;
  for (int d = 0; d < r.kept_ndim; ++d) fill_dim(r.kept_axes[d], args.kept_dims[d]);
  for (int d = 0; d < r.reduced_ndim; ++d) fill_dim(r.reduced_axes[d], args.reduced_dims[d]);
}

template void fill_args(const Reduction&, const ReduceShape&,
                        cupyxx::kernels::ReduceArgs<cupyxx::kernels::kFewReduceDims>&);
template void fill_args(const Reduction&, const ReduceShape&,
                        cupyxx::kernels::ReduceArgs<cupyxx::kernels::kMaxReduceDims>&);

}  // namespace cupyxx::internal::gpu
