// SPDX-License-Identifier: MIT
#include "chainerxx/functions/connection/deconvolution_2d.h"

#include <string>

#include "chainerxx/functions/connection/convolution_gradients.h"
#include "chainerxx/functions/connection/filters.h"
#include "chainerxx/internal/parameter_variable.h"
#include "chainerxx/utils/conv.h"
#include "typecheck/expect.h"

namespace chainerxx::functions {
namespace {

constexpr const char* kName = "deconvolution_2d";

/// The size of the result, on which the windows must have as many places as x has elements.
Size2D size_of(const ConvolutionOptions& options, const internal::Windows& g,
               const cupyxx::Shape& x) {
  if (options.outsize.is_none()) {
    const Size2D size = {
        utils::get_deconv_outsize(x[2], g.ksize.h, g.stride.h, g.pad.h, false, g.dilate.h),
        utils::get_deconv_outsize(x[3], g.ksize.w, g.stride.w, g.pad.w, false, g.dilate.w)};
    if (size.h > 0 && size.w > 0) return size;
    throw cupyxx::ShapeError(std::string(kName) + ": nothing is left of the output; input " +
                             x.str() + ", window " + g.ksize.str() + ", pad " + g.pad.str());
  }
  if (options.outsize.h < 1 || options.outsize.w < 1) {
    throw cupyxx::ValueError(std::string(kName) + ": outsize must be positive; " +
                             options.outsize.str());
  }
  const Size2D places = output_size(kName, g, options.outsize, false, options.outsize.str());
  if (places == Size2D(x[2], x[3])) return options.outsize;
  throw cupyxx::ShapeError(std::string(kName) + ": the input does not fit outsize; input " +
                           x.str() + ", outsize " + options.outsize.str() + " has " + places.str() +
                           " windows");
}

ndarray deconvolved(const ConvolutionOptions& options, const ndarray& x, const ndarray& W,
                    const ndarray& b) {
  const internal::Convolution conv = how(options, W.shape());
  check(kName, conv.windows);
  check_groups(kName, conv.groups, W.shape()[0]);
  const ndarray y = internal::convolve_data(conv, W, x, size_of(options, conv.windows, x.shape()));
  if (!b.is_none()) internal::add_channel_bias(y, b);
  return y;
}

ndarray image_gradient(const ConvolutionOptions& options, const ndarray& x, const ndarray& W,
                       const ndarray& gy) {
  const cupyxx::Shape s = x.shape();
  return internal::convolve(how(options, W.shape()), gy, W, {}, {s[2], s[3]});
}

}  // namespace

Deconvolution2D::Deconvolution2D(std::int64_t in_channels, std::int64_t out_channels,
                                 const Size2D& ksize, const Convolution2DOptions& options)
    : how_(how(options)) {
  check("Deconvolution2D", internal::Windows{ksize, options.stride, options.pad, options.dilate});
  check_groups("Deconvolution2D", options.groups, in_channels);
  check_groups("Deconvolution2D", options.groups, out_channels);
  start_filters(*this, "Deconvolution2D", in_channels, out_channels,
                {in_channels, out_channels / options.groups, ksize.h, ksize.w}, options);
}

std::vector<Field> Deconvolution2D::fields() { return {{"W", &W, &gW}, {"b", &b, &gb}}; }

void Deconvolution2D::check_type_forward(const typecheck::TypeInfos& in) const {
  typecheck::expect(in.size() == 1);
  const auto x = in[0];
  typecheck::expect(x.dtype() == W.dtype(), x.ndim() == 4, x.shape()[1] == W.shape()[0]);
}

std::vector<ndarray> Deconvolution2D::forward(std::span<const ndarray> x) {
  if (records()) saved_W_ = internal::SavedArray(W);
  return {deconvolved(how_, x[0], W, b)};
}

std::vector<ndarray> Deconvolution2D::backward(std::span<const ndarray> x,
                                               std::span<const ndarray> gy) {
  ndarray gx;
  const ndarray& weights = saved_W_.get(*this);
  if (needs_gradient(0)) gx = image_gradient(how_, x[0], weights, gy[0]);
  internal::convolve_weights(how(how_, weights.shape()), gy[0], x[0], gW);
  if (!b.is_none()) internal::add_channel_sums(gy[0], gb);
  return {gx};
}

std::vector<Variable> Deconvolution2D::backward_variables(std::span<const Variable> x,
                                                          std::span<const Variable> gy) {
  const Variable w = internal::parameter(saved_W_.get(*this), gW);
  const std::vector<Variable> grads = deconvolution_gradients(how_, x[0], w, gy[0]);
  internal::add_gradient(gW, grads[1]);
  if (!b.is_none()) internal::add_gradient(gb, grads[2]);
  return {grads[0]};
}

void Deconvolution2DFunction::check_type_forward(const typecheck::TypeInfos& in) const {
  typecheck::expect(in.size() >= 2, in.size() <= 3);
  const auto x = in[0], w = in[1];
  typecheck::expect(x.dtype().kind() == 'f', w.dtype() == x.dtype(), x.ndim() == 4, w.ndim() == 4,
                    x.shape()[1] == w.shape()[0]);
  if (in.types().size() == 3) {
    typecheck::expect(in[2].dtype() == x.dtype(), in[2].ndim() == 1);
    if (how_.groups == 1) {
      typecheck::expect(in[2].shape()[0] == w.shape()[1]);
    } else {
      typecheck::expect(in[2].shape()[0] == w.shape()[1] * how_.groups);
    }
  }
}

std::vector<ndarray> Deconvolution2DFunction::forward(std::span<const ndarray> in) {
  return {deconvolved(how_, in[0], in[1], in.size() == 3 ? in[2] : ndarray())};
}

std::vector<ndarray> Deconvolution2DFunction::backward(std::span<const ndarray> in,
                                                       std::span<const ndarray> gy) {
  std::vector<ndarray> grads(in.size());
  if (needs_gradient(0)) grads[0] = image_gradient(how_, in[0], in[1], gy[0]);
  if (needs_gradient(1)) {
    grads[1] = cupyxx::zeros_like(in[1]);
    internal::convolve_weights(how(how_, in[1].shape()), gy[0], in[0], grads[1]);
  }
  if (in.size() == 3 && needs_gradient(2)) {
    grads[2] = cupyxx::zeros_like(in[2]);
    internal::add_channel_sums(gy[0], grads[2]);
  }
  return grads;
}

std::vector<Variable> Deconvolution2DFunction::backward_variables(std::span<const Variable> in,
                                                                  std::span<const Variable> gy) {
  std::vector<Variable> grads = deconvolution_gradients(how_, in[0], in[1], gy[0]);
  grads.resize(in.size());
  return grads;
}

Variable deconvolution_2d(const Variable& x, const Variable& W, const ConvolutionOptions& options) {
  return Deconvolution2DFunction(options)(x, W);
}

Variable deconvolution_2d(const Variable& x, const Variable& W, const Variable& b,
                          const ConvolutionOptions& options) {
  if (b.is_none()) return deconvolution_2d(x, W, options);
  return Deconvolution2DFunction(options)(x, W, b);
}

}  // namespace chainerxx::functions
