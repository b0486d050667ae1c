// SPDX-License-Identifier: MIT
// A bias on the channels of images, and its gradient.
#include <algorithm>

#include "chainerxx/internal/array_ops.h"
#include "chainerxx/internal/cpu/spatial.h"
#include "chainerxx/internal/image_layout.h"
#include "chainerxx/internal/kernel_library.h"
#include "chainerxx/internal/spatial/channel_rows.h"
#include "chainerxx/internal/spatial/convolution.h"
#include "chainerxx/internal/spatial/relu.h"
#include "cupyxx/extension/cuda_call.h"
#include "cupyxx/extension/storage.h"

namespace chainerxx::internal {
namespace {

using kernels::PlanesArgs;

const Kernel<PlanesArgs> kAddToPlanes{kLibrary, "add_to_planes", "planes.h", "add_to_planes<T>"};
const Kernel<PlanesArgs> kPlaneSums{kLibrary, "plane_sums", "planes.h", "plane_sums<T>", 1024};
const Kernel<PlanesArgs> kAddToRows{kLibrary, "add_to_rows", "planes.h", "add_to_rows<T, 1>", 256};
const Kernel<PlanesArgs> kAddToPackedRows{kLibrary, "add_to_packed_rows", "planes.h",
                                          "add_to_rows<T, kPackWidth<T>>", 256};
const Kernel<PlanesArgs> kRowSums{kLibrary, "row_sums", "planes.h", "row_sums<T, 1>", 256};
const Kernel<PlanesArgs> kPackedRowSums{kLibrary, "packed_row_sums", "planes.h",
                                        "row_sums<T, kPackWidth<T>>", 256};
const Kernel<PlanesArgs> kMaskedRowSums{kLibrary, "masked_row_sums", "planes.h",
                                        "row_sums<T, 1, Summed::where_positive>", 256};
const Kernel<PlanesArgs> kPackedMaskedRowSums{kLibrary, "packed_masked_row_sums", "planes.h",
                                              "row_sums<T, kPackWidth<T>, Summed::where_positive>",
                                              256};
const Kernel<PlanesArgs> kUnmarkedRowSums{kLibrary, "unmarked_row_sums", "planes.h",
                                          "row_sums<T, 1, Summed::where_unmarked>", 256};
const Kernel<PlanesArgs> kPackedUnmarkedRowSums{
    kLibrary, "packed_unmarked_row_sums", "planes.h",
    "row_sums<T, kPackWidth<T>, Summed::where_unmarked>", 256};
const Kernel<PlanesArgs> kAddRowSums{kLibrary, "add_row_sums", "planes.h", "add_row_sums<T>"};

PlanesArgs arguments(const ndarray& images, const ndarray& channel, bool channels_last) {
  const cupyxx::Shape s = images.shape();
  PlanesArgs args{};
  args.planes = images.elements();
  args.channel = channel.elements();
  args.channels = s[1];
  args.outer = channels_last ? images.size() / std::max<long>(1, s[1]) : s[0];
  args.inner = channels_last ? 1 : images.size() / std::max<long>(1, s[0] * s[1]);
  args.wide = channel.dtype() != images.dtype();
  return args;
}

ChannelRows rows_of(const PlanesArgs& args, const ndarray& images) {
  return {args.outer, args.channels, images.itemsize(),
          cupyxx::extension::multiprocessors(images.device().index)};
}

bool in_rows(const ndarray& images) {
  return !images.device().is_cpu() && is_channels_last(images) &&
         images.shape()[1] <= ChannelRows::kMostChannels;
}

/// Kernels for a channel and for a pack of them a thread.
struct SumKernels {
  const Kernel<PlanesArgs>&single, &packed;
};

/// On a device, channels last: sums += those of gy, as the kernels choose them by `result`.
void add_row_sums(const SumKernels& kernels, const ndarray& gy, const ndarray& sums,
                  const ndarray& result = {}, const ndarray& masked = {}) {
  PlanesArgs args = arguments(gy, sums, true);
  const ChannelRows rows = rows_of(args, gy);
  args.splits = rows.splits();
  const ndarray work = empty_beside(gy, {args.splits, args.channels}, cupyxx::float64);
  args.partials = static_cast<double*>(work.elements());
  if (!result.is_none()) args.result = result.elements();
  if (!masked.is_none()) args.masked = masked.elements();
  const auto& kernel = rows.packed() ? kernels.packed : kernels.single;
  kernel.launch(gy.dtype(), rows.grid_of_sums(), args, {&gy, &work, &result, &masked});
  kAddRowSums.launch(gy.dtype(), grid_for(args.channels * 32), args, {&sums, &work});
}

}  // namespace

void add_channel_bias(const ndarray& y, const ndarray& b) {
  if (y.size() == 0) return;
  const bool channels_last = is_channels_last(y);
  const ndarray bias = contiguous(b);
  const PlanesArgs args = arguments(y, bias, channels_last);
  if (y.device().is_cpu()) return cpu::add_to_planes(y.dtype(), args);
  if (channels_last && args.channels <= ChannelRows::kMostChannels) {
    const ChannelRows rows = rows_of(args, y);
    const auto& kernel = rows.packed() ? kAddToPackedRows : kAddToRows;
    return kernel.launch(y.dtype(), rows.grid_of_pass(), args, {&y, &bias});
  }
  const auto blocks = std::min<long>(args.outer * args.channels, 1 << 16);
  kAddToPlanes.launch(y.dtype(), {.grid_x = static_cast<unsigned>(blocks), .block_x = 256}, args,
                      {&y, &bias});
}

void add_channel_sums(const ndarray& grad, const ndarray& gb) {
  cupyxx::extension::note_write(gb);
  if (grad.size() == 0) return;
  const bool channels_last = is_channels_last(grad);
  const ndarray gy = channels_last ? packed_in_layout(grad, true) : in_layout(grad, false);
  const ndarray sums = contiguous(gb);
  const PlanesArgs args = arguments(gy, sums, channels_last);
  if (gy.device().is_cpu()) {
    cpu::plane_sums(gy.dtype(), args);
  } else if (in_rows(gy)) {
    add_row_sums({kRowSums, kPackedRowSums}, gy, sums);
  } else {
    const auto blocks = std::min<long>(args.channels, 1 << 16);
    kPlaneSums.launch(gy.dtype(), {.grid_x = static_cast<unsigned>(blocks), .block_x = 1024}, args,
                      {&gy, &sums});
  }
  if (sums.body() != gb.body()) gb.set(sums);
}

ndarray relu_gradient_and_sums(const ndarray& y, const ndarray& grad, const ndarray& gb) {
  if (grad.size() == 0 || !in_rows(grad) || !in_rows(y) || y.dtype() != grad.dtype()) {
    const ndarray masked = relu_gradient(y, grad);
    add_channel_sums(masked, gb);
    return masked;
  }
  cupyxx::extension::note_write(gb);
  const ndarray gy = packed_in_layout(grad, true), result = packed_in_layout(y, true);
  const ndarray masked = empty_images(gy, gy.shape(), gy.dtype(), true), sums = contiguous(gb);
  add_row_sums({kMaskedRowSums, kPackedMaskedRowSums}, gy, sums, result, masked);
  if (sums.body() != gb.body()) gb.set(sums);
  return masked;
}

void add_unmarked_channel_sums(const ndarray& pooled_gradient, const ndarray& places,
                               const ndarray& gb) {
  cupyxx::extension::note_write(gb);
  const ndarray sums = contiguous(gb);
  add_row_sums({kUnmarkedRowSums, kPackedUnmarkedRowSums}, pooled_gradient, sums, places);
  if (sums.body() != gb.body()) gb.set(sums);
}

}  // namespace chainerxx::internal
