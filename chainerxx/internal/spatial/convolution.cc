// SPDX-License-Identifier: MIT
#include "chainerxx/internal/spatial/convolution.h"

#include <algorithm>

#include "chainerxx/internal/array_ops.h"
#include "chainerxx/internal/cpu/convolution.h"
#include "chainerxx/internal/cpu/spatial.h"
#include "chainerxx/internal/gpu/convolution.h"
#include "chainerxx/internal/kernel_library.h"
#include "cupyxx/creation.h"
#include "cupyxx/extension/storage.h"
#include "cupyxx/linalg.h"

namespace chainerxx::internal {
namespace {

using cupyxx::float16;
using cupyxx::float32;
using cupyxx::slice;

const Kernel<kernels::PlanesArgs> kAddToPlanes{kLibrary, "add_to_planes", "planes.h",
                                               "add_to_planes<T>"};
const Kernel<kernels::PlanesArgs> kPlaneSums{kLibrary, "plane_sums", "planes.h", "plane_sums<T>",
                                             1024};

/// x, W and y are the image, the weights and the result, whichever of them is wanted.
ConvolutionShape shape_of(const Convolution& how, const cupyxx::Shape& x, const cupyxx::Shape& y) {
  return {x[0], x[1], x[2], x[3], y[1], y[2], y[3], how.windows, how.groups, how.allow_tf32};
}

kernels::PlanesArgs planes_of(const ndarray& planes, const ndarray& channel) {
  const cupyxx::Shape s = planes.shape();
  return {planes.elements(), channel.elements(), s[0], s[1],
          planes.size() / std::max<long>(1, s[0] * s[1])};
}

bool in_cudnn(const Convolution& how, const ndarray& a) {
  return how.use_cudnn && a.device().is_cuda() && gpu::cudnn_available();
}

bool in_onednn(const ndarray& a) { return a.device().is_cpu() && a.dtype() == float32; }

/// float16 without a library is computed as float32 and rounded once.
bool is_widened(const Convolution& how, const ndarray& a) {
  return a.dtype() == float16 && !in_cudnn(how, a);
}

bool is_pointwise(const Windows& windows) {
  return windows.ksize == Size2D(1) && windows.stride == Size2D(1) && windows.pad == Size2D(0);
}

/// (c, kh, kw, oh, ow) of image i as one matrix per group; a 1x1 window needs no copy.
ndarray columns_of(const Convolution& how, const ndarray& x, std::int64_t i, const Size2D& out) {
  const Windows& g = how.windows;
  const ndarray image = x(slice(i, i + 1));
  const ndarray col = is_pointwise(g) ? image : im2col(image, g, out, 0);
  const std::int64_t rows = x.shape()[1] / how.groups * g.ksize.h * g.ksize.w;
  return col.reshape({how.groups, rows, out.h * out.w});
}

/// (groups, o / groups, c / groups * kh * kw).
ndarray grouped(const Convolution& how, const ndarray& W) {
  const cupyxx::Shape s = W.shape();
  return W.reshape({how.groups, s[0] / how.groups, s[1] * s[2] * s[3]});
}

ndarray planes_as_groups(const Convolution& how, const ndarray& image) {
  const cupyxx::Shape s = image.shape();
  return image.reshape({how.groups, s[0] / how.groups, s[1] * s[2]});
}

void convolve_by_columns(const Convolution& how, const ndarray& x, const ndarray& W,
                         const ndarray& y) {
  const cupyxx::Shape s = y.shape();
  const ndarray weights = grouped(how, W);
  for (std::int64_t i = 0; i < s[0]; ++i) {
    const ndarray col = columns_of(how, x, i, {s[2], s[3]});
    const ndarray out = planes_as_groups(how, y(i));
    for (std::int64_t g = 0; g < how.groups; ++g) {
      cupyxx::gemm(weights(g), col(g), {.out = out(g)});
    }
  }
}

void data_by_columns(const Convolution& how, const ndarray& W, const ndarray& gy,
                     const ndarray& gx) {
  const cupyxx::Shape s = gx.shape(), t = gy.shape();
  const Windows& windows = how.windows;
  const ndarray weights = grouped(how, W);
  ndarray col = empty_beside(
      gy, {how.groups, s[1] / how.groups * windows.ksize.h * windows.ksize.w, t[2] * t[3]},
      gy.dtype());
  for (std::int64_t i = 0; i < s[0]; ++i) {
    const ndarray from = planes_as_groups(how, gy(i));
    if (is_pointwise(windows)) col = gx(i).reshape(col.shape());
    for (std::int64_t g = 0; g < how.groups; ++g) {
      cupyxx::gemm(weights(g).T(), from(g), {.out = col(g)});
    }
    if (is_pointwise(windows)) continue;
    const ndarray columns = col.reshape({1, s[1], windows.ksize.h, windows.ksize.w, t[2], t[3]});
    gx(slice(i, i + 1)) = col2im(columns, windows, {s[2], s[3]});
  }
}

void weights_by_columns(const Convolution& how, const ndarray& x, const ndarray& gy,
                        const ndarray& gW) {
  const cupyxx::Shape s = gy.shape();
  const ndarray sums = grouped(how, gW);
  for (std::int64_t i = 0; i < s[0]; ++i) {
    const ndarray col = columns_of(how, x, i, {s[2], s[3]});
    const ndarray from = planes_as_groups(how, gy(i));
    for (std::int64_t g = 0; g < how.groups; ++g) {
      cupyxx::gemm(from(g), col(g).T(), {.out = sums(g), .accumulate = true});
    }
  }
}

/// Whether a gradient is taken as products of matrices instead of by cuDNN. Its deterministic
/// algorithms for windows of one element are several times slower: 345 us against 46, of which the
/// sums take 5, for 512 channels of 14 x 14 into 192, 32 images, on an H200.
bool by_products(const Convolution& how, const ndarray& a) {
  return a.device().is_cuda() && a.dtype() == float32 && is_pointwise(how.windows) &&
         how.groups == 1 && !how.allow_tf32;
}

/// (n, c, h, w) as n matrices of c rows.
ndarray as_matrices(const ndarray& images) {
  const cupyxx::Shape s = images.shape();
  return images.reshape({s[0], s[1], s[2] * s[3]});
}

ndarray as_matrix(const ndarray& W) { return W.reshape({W.shape()[0], W.shape()[1]}); }

void data_by_products(const ndarray& W, const ndarray& gy, const ndarray& gx) {
  cupyxx::matmul(as_matrix(W).T(), as_matrices(gy), as_matrices(gx));
}

/// Images that are small are put side by side, (c, n * h * w), so that the sums are long.
ndarray side_by_side(const ndarray& images) {
  const cupyxx::Shape s = images.shape();
  return as_matrices(images).transpose({1, 0, 2}).reshape({s[1], s[0] * s[2] * s[3]});
}

/// Larger ones have a product each, in groups whose products take little memory; they are added up
/// in a fixed order.
void weights_by_products(const ndarray& x, const ndarray& gy, const ndarray& gW) {
  constexpr std::int64_t kLongSum = 128, kMostElements = std::int64_t{1} << 24;
  const ndarray sums = as_matrix(gW);
  const cupyxx::Shape s = gy.shape();
  if (s[2] * s[3] < kLongSum) {
    cupyxx::gemm(side_by_side(gy), side_by_side(x).T(), {.out = sums, .accumulate = true});
    return;
  }
  const std::int64_t together = std::clamp<std::int64_t>(kMostElements / gW.size(), 1, s[0]);
  const ndarray from = as_matrices(gy), to = as_matrices(x);
  for (std::int64_t begin = 0; begin < s[0]; begin += together) {
    const slice images(begin, std::min(begin + together, s[0]));
    const ndarray products = cupyxx::matmul(from(images), to(images).transpose({0, 2, 1}));
    ndarray total = sums;
    total += products.sum(0);
  }
}

}  // namespace

void add_channel_bias(const ndarray& y, const ndarray& b) {
  if (y.size() == 0) return;
  const ndarray bias = contiguous(b);
  const kernels::PlanesArgs args = planes_of(y, bias);
  if (y.device().is_cpu()) {
    cpu::add_to_planes(y.dtype(), args);
  } else {
    const auto blocks = std::min<long>(args.outer * args.channels, 1 << 16);
    kAddToPlanes.launch(y.dtype(), {.grid_x = static_cast<unsigned>(blocks), .block_x = 256}, args,
                        {&y, &bias});
  }
}

void add_channel_sums(const ndarray& grad, const ndarray& gb) {
  cupyxx::extension::note_write(gb);
  if (grad.size() == 0) return;
  const ndarray gy = contiguous(grad), sums = contiguous(gb);
  const kernels::PlanesArgs args = planes_of(gy, sums);
  if (gy.device().is_cpu()) {
    cpu::plane_sums(gy.dtype(), args);
  } else {
    const auto blocks = std::min<long>(args.channels, 1 << 16);
    kPlaneSums.launch(gy.dtype(), {.grid_x = static_cast<unsigned>(blocks), .block_x = 1024}, args,
                      {&gy, &sums});
  }
  if (sums.body() != gb.body()) gb.set(sums);
}

ndarray convolve(const Convolution& how, const ndarray& input, const ndarray& weights,
                 const ndarray& b, const Size2D& out) {
  if (is_widened(how, input)) {
    const ndarray bias = b.is_none() ? b : b.astype(float32);
    return convolve(how, input.astype(float32), weights.astype(float32), bias, out).astype(float16);
  }
  const ndarray x = contiguous(input), W = contiguous(weights);
  ndarray y = empty_beside(x, {x.shape()[0], W.shape()[0], out.h, out.w}, x.dtype());
  if (y.size() == 0) return y;
  const ConvolutionShape shape = shape_of(how, x.shape(), y.shape());
  const ndarray bias = b.is_none() ? b : contiguous(b);
  if (x.size() == 0 || W.size() == 0) {  // nothing but padding, or no channels
    y.fill(0);
  } else if (in_onednn(x)) {
    cpu::convolution_forward(shape, x, W, bias, y);
    return y;
  } else {
    using gpu::Forward;
    const Forward done =
        in_cudnn(how, x) ? gpu::convolution_forward(shape, x, W, bias, y) : Forward::nothing;
    if (done == Forward::convolved_with_bias) return y;
    if (done == Forward::nothing) convolve_by_columns(how, x, W, y);
  }
  if (!bias.is_none()) add_channel_bias(y, bias);
  return y;
}

ndarray convolve_data(const Convolution& how, const ndarray& weights, const ndarray& grad,
                      const Size2D& image) {
  if (is_widened(how, grad)) {
    return convolve_data(how, weights.astype(float32), grad.astype(float32), image).astype(float16);
  }
  const ndarray gy = contiguous(grad), W = contiguous(weights);
  ndarray gx =
      empty_beside(gy, {gy.shape()[0], W.shape()[1] * how.groups, image.h, image.w}, gy.dtype());
  if (gx.size() == 0) return gx;
  const ConvolutionShape shape = shape_of(how, gx.shape(), gy.shape());
  if (gy.size() == 0 || W.size() == 0) {
    gx.fill(0);
  } else if (in_onednn(gy)) {
    cpu::convolution_data(shape, W, gy, gx);
  } else if (by_products(how, gy)) {
    data_by_products(W, gy, gx);
  } else if (!in_cudnn(how, gy) || !gpu::convolution_data(shape, W, gy, gx)) {
    data_by_columns(how, W, gy, gx);
  }
  return gx;
}

void convolve_weights(const Convolution& how, const ndarray& input, const ndarray& grad,
                      const ndarray& gW) {
  cupyxx::extension::note_write(gW);
  if (gW.size() == 0 || input.size() == 0 || grad.size() == 0) return;
  if (is_widened(how, input) || !gW.flags().c_contiguous) {
    const bool wide = is_widened(how, input);
    const ndarray sums = wide ? gW.astype(float32) : gW.copy();
    convolve_weights(how, wide ? input.astype(float32) : input, wide ? grad.astype(float32) : grad,
                     sums);
    gW.set(wide ? sums.astype(float16) : sums);
    return;
  }
  const ndarray x = contiguous(input), gy = contiguous(grad);
  const ConvolutionShape shape = shape_of(how, x.shape(), gy.shape());
  if (in_onednn(x)) {
    const ndarray part = cupyxx::empty_like(gW);
    cpu::convolution_weights(shape, x, gy, part);
    gW += part;
  } else if (by_products(how, x)) {
    weights_by_products(x, gy, gW);
  } else if (!in_cudnn(how, x) || !gpu::convolution_weights(shape, x, gy, gW)) {
    weights_by_columns(how, x, gy, gW);
  }
}

}  // namespace chainerxx::internal
