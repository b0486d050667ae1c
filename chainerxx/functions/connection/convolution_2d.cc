// SPDX-License-Identifier: MIT
#include "chainerxx/functions/connection/convolution_2d.h"

#include <algorithm>

#include "chainerxx/functions/connection/convolution_gradients.h"
#include "chainerxx/functions/connection/filters.h"
#include "chainerxx/internal/parameter_variable.h"
#include "typecheck/expect.h"

namespace chainerxx::functions {
namespace {

constexpr const char* kName = "convolution_2d";

Size2D size_of(const internal::Convolution& conv, const cupyxx::Shape& x) {
  return output_size(kName, conv.windows, {x[2], x[3]}, false, x.str());
}

ndarray convolved(const ConvolutionOptions& options, const ndarray& x, const ndarray& W,
                  const ndarray& b) {
  const internal::Convolution conv = how(options, W.shape());
  check(kName, conv.windows);
  check_groups(kName, conv.groups, W.shape()[0]);
  return internal::convolve(conv, x, W, b, size_of(conv, x.shape()));
}

ndarray image_gradient(const ConvolutionOptions& options, const ndarray& x, const ndarray& W,
                       const ndarray& gy) {
  const cupyxx::Shape s = x.shape();
  return internal::convolve_data(how(options, W.shape()), W, gy, {s[2], s[3]});
}

}  // namespace

Convolution2D::Convolution2D(std::int64_t in_channels, std::int64_t out_channels,
                             const Size2D& ksize, const Convolution2DOptions& options)
    : how_(how(options)) {
  check("Convolution2D", internal::Windows{ksize, options.stride, options.pad, options.dilate});
  check_groups("Convolution2D", options.groups, in_channels);
  check_groups("Convolution2D", options.groups, out_channels);
  start_filters(*this, "Convolution2D", in_channels, out_channels,
                {out_channels, in_channels / options.groups, ksize.h, ksize.w}, options);
}

std::vector<Field> Convolution2D::fields() { return {{"W", &W, &gW}, {"b", &b, &gb}}; }

void Convolution2D::check_type_forward(const typecheck::TypeInfos& in) const {
  typecheck::expect(in.size() == 1);
  const auto x = in[0];
  typecheck::expect(x.dtype() == W.dtype(), x.ndim() == 4,
                    x.shape()[1] == W.shape()[1] * how_.groups);
}

std::vector<ndarray> Convolution2D::forward(std::span<const ndarray> x) {
  if (records()) saved_W_ = internal::SavedArray(W);
  return {convolved(how_, x[0], W, b)};
}

std::vector<ndarray> Convolution2D::backward(std::span<const ndarray> x,
                                             std::span<const ndarray> gy) {
  ndarray gx;
  const ndarray& weights = saved_W_.get(*this);
  if (needs_gradient(0)) gx = image_gradient(how_, x[0], weights, gy[0]);
  internal::convolve_weights(how(how_, weights.shape()), x[0], gy[0], gW);
  if (!b.is_none()) internal::add_channel_sums(gy[0], gb);
  return {gx};
}

std::vector<Variable> Convolution2D::backward_variables(std::span<const Variable> x,
                                                        std::span<const Variable> gy) {
  const Variable w = internal::parameter(saved_W_.get(*this), gW);
  const std::vector<Variable> grads = convolution_gradients(how_, x[0], w, gy[0]);
  internal::add_gradient(gW, grads[1]);
  if (!b.is_none()) internal::add_gradient(gb, grads[2]);
  return {grads[0]};
}

void Convolution2DFunction::check_type_forward(const typecheck::TypeInfos& in) const {
  typecheck::expect(in.size() >= 2, in.size() <= 3);
  const auto x = in[0], w = in[1];
  typecheck::expect(x.dtype().kind() == 'f', w.dtype() == x.dtype(), x.ndim() == 4, w.ndim() == 4);
  if (how_.groups == 1) {
    typecheck::expect(x.shape()[1] == w.shape()[1]);
  } else {
    typecheck::expect(x.shape()[1] == w.shape()[1] * how_.groups);
  }
  if (in.types().size() == 3) {
    typecheck::expect(in[2].dtype() == x.dtype(), in[2].ndim() == 1,
                      in[2].shape()[0] == w.shape()[0]);
  }
}

std::vector<ndarray> Convolution2DFunction::forward(std::span<const ndarray> in) {
  return {convolved(how_, in[0], in[1], in.size() == 3 ? in[2] : ndarray())};
}

std::vector<ndarray> Convolution2DFunction::backward(std::span<const ndarray> in,
                                                     std::span<const ndarray> gy) {
  std::vector<ndarray> grads(in.size());
  if (needs_gradient(0)) grads[0] = image_gradient(how_, in[0], in[1], gy[0]);
  if (needs_gradient(1)) {
    grads[1] = cupyxx::zeros_like(in[1]);
    internal::convolve_weights(how(how_, in[1].shape()), in[0], gy[0], grads[1]);
  }
  if (in.size() == 3 && needs_gradient(2)) {
    grads[2] = cupyxx::zeros_like(in[2]);
    internal::add_channel_sums(gy[0], grads[2]);
  }
  return grads;
}

std::vector<Variable> Convolution2DFunction::backward_variables(std::span<const Variable> in,
                                                                std::span<const Variable> gy) {
  std::vector<Variable> grads = convolution_gradients(how_, in[0], in[1], gy[0]);
  grads.resize(in.size());
  return grads;
}

Variable convolution_2d(const Variable& x, const Variable& W, const ConvolutionOptions& options) {
  return Convolution2DFunction(options)(x, W);
}

Variable convolution_2d(const Variable& x, const Variable& W, const Variable& b,
                        const ConvolutionOptions& options) {
  if (b.is_none()) return convolution_2d(x, W, options);
  return Convolution2DFunction(options)(x, W, b);
}

}  // namespace chainerxx::functions
