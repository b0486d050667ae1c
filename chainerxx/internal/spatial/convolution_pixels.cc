// SPDX-License-Identifier: MIT
#include "chainerxx/internal/spatial/convolution_pixels.h"

#include "chainerxx/internal/array_ops.h"
#include "chainerxx/internal/gpu/convolution.h"
#include "chainerxx/internal/image_layout.h"
#include "chainerxx/internal/precision.h"
#include "chainerxx/internal/spatial/convolution_patches.h"
#include "chainerxx/internal/spatial/convolution_products.h"
#include "chainerxx/internal/spatial/filters.h"
#include "chainerxx/internal/spatial/relu.h"
#include "cupyxx/linalg.h"
#include "cupyxx/precision.h"

namespace chainerxx::internal {
namespace {

ConvolutionShape shape_of(const Convolution& how, const cupyxx::Shape& x, const cupyxx::Shape& y) {
  return {x[0], x[1], x[2], x[3], y[1], y[2], y[3], how.windows, how.groups, how.allow_tf32, true};
}

/// The channels of x as the library is given them.
std::int64_t channels_of(const Convolution& how, std::int64_t channels, cupyxx::dtype dtype) {
  return how.groups == 1 ? padded_channels(channels, dtype) : channels;
}

/// Whether it is a product: rows of pixels times the filters. The rows begin with whole packs, so
/// that the library has its fast kernels.
bool is_product(const Convolution& how, std::int64_t in, std::int64_t out, cupyxx::dtype dtype) {
  const std::int64_t pack = 16 / dtype.itemsize();
  return is_pointwise(how.windows) && how.groups == 1 && in % pack == 0 && out % pack == 0;
}

ndarray matrix_of(const ndarray& W) { return W.reshape({W.shape()[0], W.shape()[1]}); }

/// Products of float32 as the convolution may compute them.
class ProductScope {
 public:
  explicit ProductScope(const Convolution& how)
      : scope_(how.allow_tf32 ? cupyxx::Precision::tf32 : cupyxx::Precision::float32) {}

 private:
  cupyxx::ComputeScope scope_;
};

}  // namespace

ndarray convolve_pixels(const Convolution& how, const ndarray& input, const ndarray& weights,
                        const ndarray& b, const Size2D& out) {
  const cupyxx::dtype dtype = input.dtype();
  const std::int64_t n = input.shape()[0], o = weights.shape()[0];
  const ndarray y = empty_images(input, {n, o, out.h, out.w}, dtype, true);
  if (y.size() == 0) return y;
  if (input.size() == 0 || weights.size() == 0) return {};
  if (is_by_patches(how, input, out)) {
    convolve_patches(how, input, weights, narrow_parameter(b, dtype), y);
    return y;
  }
  const std::int64_t channels = channels_of(how, input.shape()[1], dtype);
  const ndarray x = padded_pixels(input, channels);
  const ndarray W = filters_in_form(weights, dtype, true, channels / how.groups);
  const ndarray bias = b.is_none() ? b : contiguous(b);
  ndarray own_bias = narrow_parameter(bias, dtype);
  if (!own_bias.is_none() && !begins_on_pack(own_bias)) own_bias = own_bias.copy();
  if (is_product(how, channels, o, dtype)) {
    const ProductScope precision(how);
    cupyxx::gemm(as_pixel_rows(x), matrix_of(W).T(),
                 {.out = as_pixel_rows(y), .bias = own_bias, .relu = how.relu});
    return y;
  }
  using gpu::Forward;
  const Forward done =
      gpu::convolution_forward(shape_of(how, x.shape(), y.shape()), x, W, own_bias, y, how.relu);
  if (done == Forward::nothing) return {};
  if (done == Forward::convolved_with_bias_and_relu) return y;
  if (done == Forward::convolved && !bias.is_none()) add_channel_bias(y, bias);
  if (how.relu) apply_relu(y);
  return y;
}

ndarray convolve_pixels_data(const Convolution& how, const ndarray& weights, const ndarray& grad,
                             const Size2D& image) {
  const cupyxx::dtype dtype = grad.dtype();
  const std::int64_t n = grad.shape()[0], o = grad.shape()[1];
  const std::int64_t in = weights.shape()[1] * how.groups;
  const std::int64_t channels = channels_of(how, in, dtype);
  if (n * in * image.h * image.w == 0 || grad.size() == 0 || weights.size() == 0) return {};
  const ndarray gy = packed_in_layout(grad, true);
  const ndarray W = filters_in_form(weights, dtype, true, channels / how.groups);
  ndarray gx = empty_images(gy, {n, channels, image.h, image.w}, dtype, true);
  if (is_product(how, channels, o, dtype)) {
    const ProductScope precision(how);
    cupyxx::gemm(as_pixel_rows(gy), matrix_of(W), {.out = as_pixel_rows(gx)});
  } else if (!gpu::convolution_data(shape_of(how, gx.shape(), gy.shape()), W, gy, gx)) {
    return {};
  }
  if (channels == in) return gx;
  return in_layout(gx(cupyxx::slice(), cupyxx::slice(0, in)), true);
}

bool convolve_pixels_weights(const Convolution& how, const ndarray& input, const ndarray& grad,
                             const ndarray& gW) {
  const cupyxx::dtype dtype = input.dtype();
  const std::int64_t channels = channels_of(how, input.shape()[1], dtype);
  const cupyxx::Shape s = gW.shape();
  const cupyxx::Shape places = grad.shape();
  if (is_by_patches(how, input, {places[2], places[3]})) {
    convolve_patches_weights(how, input, packed_in_layout(grad, true), gW);
    return true;
  }
  const ndarray x = padded_pixels(input, channels), gy = packed_in_layout(grad, true);
  const ndarray dW = empty_images(gW, {s[0], channels / how.groups, s[2], s[3]}, dtype, true);
  if (is_product(how, channels, s[0], dtype)) {
    const ProductScope precision(how);
    if (channels == s[1]) {
      cupyxx::gemm(as_pixel_rows(gy).T(), as_pixel_rows(x),
                   {.out = matrix_of(gW), .accumulate = true});
      return true;
    }
    cupyxx::gemm(as_pixel_rows(gy).T(), as_pixel_rows(x), {.out = matrix_of(dW)});
  } else if (!gpu::convolution_weights(shape_of(how, x.shape(), gy.shape()), x, gy, dW, false)) {
    return false;
  }
  add_filters(dW, gW);
  return true;
}

}  // namespace chainerxx::internal
