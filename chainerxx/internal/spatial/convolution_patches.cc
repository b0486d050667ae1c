// SPDX-License-Identifier: MIT
#include "chainerxx/internal/spatial/convolution_patches.h"

#include <algorithm>

#include "chainerxx/internal/array_ops.h"
#include "chainerxx/internal/image_layout.h"
#include "chainerxx/internal/kernel_library.h"
#include "chainerxx/internal/kernels/patches.h"
#include "chainerxx/internal/precision.h"
#include "cupyxx/extension/cuda_call.h"
#include "cupyxx/linalg.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/math.h"
#include "cupyxx/precision.h"

namespace chainerxx::internal {
namespace {

const Kernel<kernels::PatchesArgs> kPatches{kLibrary, "patches", "patches.h", "patches<T>"};
const Kernel<kernels::PatchesArgs> kPatchesByLines{kLibrary, "patches_by_lines", "patches.h",
                                                   "patches_by_lines<T>", 256};

/// The elements under a window, on whole packs.
std::int64_t width_of(const cupyxx::Shape& x, const Windows& windows, cupyxx::dtype dtype) {
  const std::int64_t pack = 16 / dtype.itemsize();
  const std::int64_t elements = x[1] * windows.ksize.h * windows.ksize.w;
  return (elements + pack - 1) / pack * pack;
}

ndarray patches_of(const Convolution& how, const ndarray& x, const Size2D& out) {
  const cupyxx::Shape s = x.shape();
  const std::int64_t width = width_of(s, how.windows, x.dtype()), rows = s[0] * out.h * out.w;
  const ndarray to = empty_beside(x, {rows, width}, x.dtype());
  const cupyxx::Strides strides = x.strides();
  const std::int64_t itemsize = x.dtype().itemsize();
  const kernels::PatchesArgs args{x.elements(),
                                  to.elements(),
                                  strides[0] / itemsize,
                                  strides[1] / itemsize,
                                  strides[2] / itemsize,
                                  strides[3] / itemsize,
                                  rows,
                                  static_cast<int>(s[1]),
                                  static_cast<int>(width),
                                  kernel_window(how.windows, {s[2], s[3]}, out)};
  constexpr long kMostShared = 64 << 10, kMostElements = 1L << 30;  // of a block
  const auto room = static_cast<long>(cupyxx::extension::shared_memory(x.device().index));
  const long shared = kernels::patch_bytes(args, itemsize), blocks = s[0] * out.h;
  if (shared <= std::min(kMostShared, room) && out.w * width <= kMostElements &&
      blocks <= 0x7fffffff) {
    const Grid grid{.grid_x = static_cast<unsigned>(blocks),
                    .block_x = 256,
                    .shared_bytes = static_cast<unsigned>(shared)};
    if (rows != 0) kPatchesByLines.launch(x.dtype(), grid, args, {&x, &to});
  } else {
    kPatches.launch(x.dtype(), grid_for(to.size() * itemsize / 16, 1 << 16), args, {&x, &to});
  }
  return to;
}

/// (o, c, kh, kw) as (o, width), zeros behind the elements.
ndarray wide_filters(const ndarray& W, std::int64_t width) {
  const cupyxx::Shape s = W.shape();
  const std::int64_t elements = s[1] * s[2] * s[3];
  return cupyxx::pad(contiguous(W).reshape({s[0], elements}), {{0, 0}, {0, width - elements}});
}

cupyxx::Precision compute_of(const Convolution& how) {
  return how.allow_tf32 ? cupyxx::Precision::tf32 : cupyxx::Precision::float32;
}

}  // namespace

bool is_by_patches(const Convolution& how, const ndarray& x, const Size2D& out) {
  constexpr std::int64_t kFewChannels = 4, kLargeWindow = 9, kMostBytes = std::int64_t{4} << 30;
  const cupyxx::Shape s = x.shape();
  const Size2D& ksize = how.windows.ksize;
  if (x.device().is_cpu() || how.groups != 1 || s[1] > kFewChannels) return false;
  if (ksize.h * ksize.w < kLargeWindow) return false;
  const std::int64_t bytes = width_of(s, how.windows, x.dtype()) * x.dtype().itemsize();
  return s[0] * out.h * out.w <= kMostBytes / bytes;
}

void convolve_patches(const Convolution& how, const ndarray& x, const ndarray& W, const ndarray& b,
                      const ndarray& y) {
  const cupyxx::Shape s = y.shape();
  const ndarray patches = patches_of(how, x, {s[2], s[3]});
  const ndarray filters = wide_filters(narrow_parameter(W, x.dtype()), patches.shape()[1]);
  const cupyxx::ComputeScope compute(compute_of(how));
  cupyxx::gemm(patches, filters.T(), {.out = as_pixel_rows(y), .bias = b, .relu = how.relu});
}

void convolve_patches_weights(const Convolution& how, const ndarray& x, const ndarray& gy,
                              const ndarray& gW) {
  const cupyxx::Shape s = gy.shape(), w = gW.shape();
  const ndarray patches = patches_of(how, x, {s[2], s[3]});
  const ndarray wide = empty_beside(gW, {w[0], patches.shape()[1]}, gW.dtype());
  const cupyxx::ComputeScope compute(compute_of(how));
  cupyxx::gemm(as_pixel_rows(gy).T(), patches, {.out = wide});
  const std::int64_t elements = w[1] * w[2] * w[3];
  const ndarray sums = gW.reshape({w[0], elements});
  cupyxx::add(sums, wide(cupyxx::slice(), cupyxx::slice(0, elements)), {.out = sums});
}

}  // namespace chainerxx::internal
