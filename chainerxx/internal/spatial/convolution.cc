// SPDX-License-Identifier: MIT
#include "chainerxx/internal/spatial/convolution.h"

#include "chainerxx/internal/array_ops.h"
#include "chainerxx/internal/cpu/convolution.h"
#include "chainerxx/internal/gpu/convolution.h"
#include "chainerxx/internal/image_layout.h"
#include "chainerxx/internal/precision.h"
#include "chainerxx/internal/spatial/convolution_pixels.h"
#include "chainerxx/internal/spatial/convolution_products.h"
#include "chainerxx/internal/spatial/filters.h"
#include "chainerxx/internal/spatial/relu.h"
#include "cupyxx/creation.h"
#include "cupyxx/extension/storage.h"

namespace chainerxx::internal {
namespace {

using cupyxx::float32;

/// x, W and y are the image, the weights and the result, whichever of them is wanted.
ConvolutionShape shape_of(const Convolution& how, const cupyxx::Shape& x, const cupyxx::Shape& y) {
  return {x[0], x[1], x[2], x[3], y[1], y[2], y[3], how.windows, how.groups, how.allow_tf32, false};
}

bool in_cudnn(const Convolution& how, const ndarray& a) {
  return how.use_cudnn && a.device().is_cuda() && gpu::cudnn_available();
}

bool in_onednn(const ndarray& a) { return a.device().is_cpu() && a.dtype() == float32; }

/// float16 and bfloat16 without a library are computed as float32 and rounded once.
bool is_widened(const Convolution& how, const ndarray& a) {
  return a.dtype().itemsize() == 2 && !in_cudnn(how, a);
}

ndarray widened(const ndarray& images) { return cast_images(images, float32, false); }

/// Whether a gradient is taken as products of matrices instead of by cuDNN. Its deterministic
/// algorithms for windows of one element are several times slower: 345 us against 46, of which the
/// sums take 5, for 512 channels of 14 x 14 into 192, 32 images, on an H200.
bool by_products(const Convolution& how, const ndarray& a) {
  return a.device().is_cuda() && a.dtype() == float32 && is_pointwise(how.windows) &&
         how.groups == 1 && !how.allow_tf32;
}

/// In the plain layout, without what follows.
Convolution plain(Convolution how) {
  how.channels_last = how.relu = false;
  return how;
}

ndarray plain_filters(const ndarray& W, cupyxx::dtype dtype) {
  return filters_in_form(W, dtype, false, W.shape()[1]);
}

ndarray plain_convolve(const Convolution& how, const ndarray& input, const ndarray& weights,
                       const ndarray& b, const Size2D& out) {
  if (is_widened(how, input)) {
    const ndarray bias = b.is_none() ? b : b.astype(float32);
    const ndarray y =
        plain_convolve(how, widened(input), plain_filters(weights, float32), bias, out);
    return cast_images(y, input.dtype(), false);
  }
  const ndarray x = in_layout(input, false), W = plain_filters(weights, x.dtype());
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
    const Forward done = in_cudnn(how, x) ? gpu::convolution_forward(
                                                shape, x, W, narrow_parameter(bias, x.dtype()), y)
                                          : Forward::nothing;
    if (done == Forward::convolved_with_bias) return y;
    if (done == Forward::nothing) convolve_by_columns(how, x, W, y);
  }
  if (!bias.is_none()) add_channel_bias(y, bias);
  return y;
}

ndarray plain_data(const Convolution& how, const ndarray& weights, const ndarray& grad,
                   const Size2D& image) {
  if (is_widened(how, grad)) {
    const ndarray gx = plain_data(how, plain_filters(weights, float32), widened(grad), image);
    return cast_images(gx, grad.dtype(), false);
  }
  const ndarray gy = in_layout(grad, false), W = plain_filters(weights, gy.dtype());
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

/// gW is C-contiguous.
void plain_weights(const Convolution& how, const ndarray& input, const ndarray& grad,
                   const ndarray& gW) {
  if (is_widened(how, input) || input.dtype() != gW.dtype()) {
    // In the library if it takes narrow types, else in float32.
    if (in_cudnn(how, input)) {
      const ndarray x = in_layout(input, false), gy = in_layout(grad, false);
      const ndarray dW = empty_beside(gW, gW.shape(), x.dtype());
      const ConvolutionShape shape = shape_of(how, x.shape(), gy.shape());
      if (gpu::convolution_weights(shape, x, gy, dW, false)) return add_filters(dW, gW);
    }
    const ndarray sums = gW.dtype() == float32 ? gW : gW.astype(float32);
    plain_weights(how, widened(input), widened(grad), sums);
    if (gW.dtype() != float32) gW.set(sums);
    return;
  }
  const ndarray x = in_layout(input, false), gy = in_layout(grad, false);
  const ConvolutionShape shape = shape_of(how, x.shape(), gy.shape());
  if (in_onednn(x)) {
    const ndarray part = empty_beside(gW, gW.shape(), gW.dtype());
    cpu::convolution_weights(shape, x, gy, part);
    ndarray sums = gW;
    sums += part;
  } else if (by_products(how, x)) {
    weights_by_products(x, gy, gW);
  } else if (!in_cudnn(how, x) || !gpu::convolution_weights(shape, x, gy, gW, true)) {
    weights_by_columns(how, x, gy, gW);
  }
}

}  // namespace

bool prefers_channels_last(const Convolution& how, const ndarray& x) {
  if (!in_cudnn(how, x)) return false;
  return x.dtype().itemsize() == 2 || (x.dtype() == float32 && how.allow_tf32);
}

ndarray convolve(const Convolution& how, const ndarray& x, const ndarray& W, const ndarray& b,
                 const Size2D& out) {
  if (how.channels_last && in_cudnn(how, x)) {
    const ndarray y = convolve_pixels(how, x, W, b, out);
    if (!y.is_none()) return y;
  }
  const ndarray y = in_layout(plain_convolve(plain(how), x, W, b, out), how.channels_last);
  if (how.relu) apply_relu(y);
  return y;
}

ndarray convolve_data(const Convolution& how, const ndarray& W, const ndarray& gy,
                      const Size2D& image) {
  if (!how.channels_last) return plain_data(how, W, gy, image);
  if (in_cudnn(how, gy)) {
    const ndarray gx = convolve_pixels_data(how, W, gy, image);
    if (!gx.is_none()) return gx;
  }
  return in_layout(plain_data(plain(how), W, gy, image), true);
}

void convolve_weights(const Convolution& how, const ndarray& x, const ndarray& gy,
                      const ndarray& gW) {
  cupyxx::extension::note_write(gW);
  if (gW.size() == 0 || x.size() == 0 || gy.size() == 0) return;
  if (!gW.flags().c_contiguous) {
    const ndarray sums = empty_beside(gW, gW.shape(), gW.dtype());
    sums.set(gW);
    convolve_weights(how, x, gy, sums);
    gW.set(sums);
    return;
  }
  if (how.channels_last && in_cudnn(how, x) && convolve_pixels_weights(how, x, gy, gW)) return;
  plain_weights(plain(how), x, gy, gW);
}

}  // namespace chainerxx::internal
