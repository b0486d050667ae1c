// SPDX-License-Identifier: MIT
// The members of FilterLayer and FilterFunction, to be instantiated for a form. It has
//
//   kFunction, kLayer                                  names for messages
//   filters(in, out, groups, ksize)                    the shape of W
//   channels(W, groups), results(W, groups)            those of x and of the result
//   expect_channels(x, w, groups), expect_bias(b, w, groups)
//   apply(options, modes, x, W, b)                     the result
//   image_gradient(options, modes, x, W, gy)
//   add_weight_gradient(options, modes, x, gy, gW)
//   gradients(options, x, W, gy)                       by x, W and b, as variables
#pragma once

#include <algorithm>
#include <cmath>

#include "chainerxx/functions/array/cast.h"
#include "chainerxx/functions/connection/filters.h"
#include "chainerxx/internal/graph.h"
#include "chainerxx/internal/initial_value.h"
#include "chainerxx/internal/masked.h"
#include "chainerxx/internal/parameter_shapes.h"
#include "chainerxx/internal/parameter_variable.h"
#include "chainerxx/internal/spatial/relu.h"
#include "chainerxx/internal/takes_beside.h"
#include "chainerxx/internal/unsized.h"
#include "cupyxx/creation.h"
#include "typecheck/expect.h"

namespace chainerxx::functions {

template <class Layer, class Form>
FilterLayer<Layer, Form>::FilterLayer(const InputSize& in, std::int64_t out, const Size2D& ksize,
                                      const Convolution2DOptions& options)
    : how_(how(options)) {
  const char* const name = Layer::kName;
  check(name, internal::Windows{ksize, options.stride, options.pad, options.dilate});
  check_groups(name, options.groups, in.value());
  check_groups(name, options.groups, out);
  if (in.value() < 0 || out < 0) {
    throw cupyxx::ValueError(
        cupyxx::message(name, ": a number of channels is negative; ", in.value(), " and ", out));
  }
  internal::check_floating(name, options.dtype);
  if (internal::skips_initialization()) return;
  if (!in.is_none()) {
    initialize(in.value(), out, ksize, options);
    return;
  }
  internal::size_later(
      static_cast<Layer&>(*this), 4,
      [](VariableSpan x) { return internal::channels_of(Layer::kName, x, 4); },
      [groups = options.groups](const cupyxx::Shape& w) {
        return cupyxx::Shape{Form::channels(w, groups)};
      },
      [out, ksize, options](Layer& layer, const cupyxx::Shape& sizes) {
        static_cast<FilterLayer&>(layer).initialize(sizes[0], out, ksize, options);
      });
}

template <class Layer, class Form>
void FilterLayer<Layer, Form>::initialize(std::int64_t in, std::int64_t out, const Size2D& ksize,
                                          const Convolution2DOptions& options) {
  const char* const name = Layer::kName;
  check_groups(name, options.groups, in);
  const cupyxx::Shape layout = Form::filters(in, out, options.groups, ksize);
  W = internal::initial_weights(name, "initialW", options.initialW, layout, options.dtype, [&] {
    const double inputs =
        static_cast<double>(in) * static_cast<double>(ksize.h) * static_cast<double>(ksize.w);
    const double deviation = options.wscale * std::sqrt(1 / std::max(inputs, 1.0));
    return internal::normal(layout, deviation, options.dtype);
  });
  gW = cupyxx::zeros_like(W);
  if (options.nobias) return;
  b = internal::initial_bias(name, "initial_bias", options.initial_bias, {out}, W.dtype(),
                             options.bias);
  gb = cupyxx::zeros_like(b);
}

template <class Layer, class Form>
std::vector<Field> FilterLayer<Layer, Form>::fields() {
  return {{"W", &W, &gW, true}, {"b", &b, &gb}};
}

template <class Layer, class Form>
void FilterLayer<Layer, Form>::check_type_forward(const typecheck::TypeInfos& in) const {
  typecheck::expect(in.size() == 1);
  const auto x = in[0];
  internal::expect_rank(Layer::kName, "W", W, 4);
  internal::expect_beside(Layer::kName, "W", W, "b", b, {Form::results(W.shape(), how_.groups)});
  if (!internal::takes_beside(W.dtype(), in.types()[0].dtype())) {
    typecheck::expect(x.dtype() == W.dtype());
  }
  typecheck::expect(x.ndim() == 4, x.shape()[1] == Form::channels(W.shape(), how_.groups));
}

template <class Layer, class Form>
std::vector<ndarray> FilterLayer<Layer, Form>::forward(ArraySpan x) {
  if (this->records()) saved_W_ = internal::SavedArray(W);
  modes_ = modes_of(how_, W.shape(), x[0]);
  modes_.relu = relu_;
  ndarray y = Form::apply(how_, modes_, x[0], W, b);
  if (relu_ && this->records()) saved_result_ = internal::SavedArray(y);
  return {std::move(y)};
}

template <class Layer, class Form>
Variable FilterLayer<Layer, Form>::call_with_relu(const Variable& x) const {
  if (!this->is_initialized()) internal::Unsized::size(*this, {&x, 1});
  Layer application(static_cast<const Layer&>(*this));
  static_cast<FilterLayer&>(application).relu_ = true;
  Variable y = static_cast<const FunctionOf<Layer>&>(application)(x);
  internal::note_relu(y);
  return y;
}

template <class Layer, class Form>
std::vector<ndarray> FilterLayer<Layer, Form>::backward(ArraySpan x, ArraySpan gy) {
  ndarray gx;
  const ndarray& weights = saved_W_.get(*this);
  ndarray g = gy[0];
  if (relu_) {
    const ndarray& y = saved_result_.get(*this);
    if (const auto* const masked = internal::MaskedGradient::of(g, y)) {
      if (!b.is_none()) masked->add_channel_sums(gb);
    } else {
      g = b.is_none() ? internal::relu_gradient(y, g) : internal::relu_gradient_and_sums(y, g, gb);
    }
  }
  if (this->needs_gradient(0)) gx = Form::image_gradient(how_, modes_, x[0], weights, g);
  Form::add_weight_gradient(how_, modes_, x[0], g, gW);
  if (!b.is_none() && !relu_) internal::add_channel_sums(g, gb);
  return {gx};
}

template <class Layer, class Form>
std::vector<Variable> FilterLayer<Layer, Form>::backward_variables(VariableSpan x,
                                                                   VariableSpan gy) {
  const Variable w = internal::parameter(saved_W_.get(*this), gW);
  const Variable g = relu_ ? internal::masked(saved_result_.get(*this) > 0, gy[0]) : gy[0];
  const std::vector<Variable> grads =
      Form::gradients(with_modes(how_, modes_), x[0], cast(w, x[0].dtype()), g);
  internal::add_gradient(gW, cast(grads[1], gW.dtype()));
  if (!b.is_none()) internal::add_gradient(gb, cast(grads[2], gb.dtype()));
  return {grads[0]};
}

template <class Function, class Form>
void FilterFunction<Function, Form>::check_type_forward(const typecheck::TypeInfos& in) const {
  typecheck::expect(in.size() >= 2, in.size() <= 3);
  const auto x = in[0], w = in[1];
  typecheck::expect(x.dtype().kind() == 'f', w.dtype() == x.dtype(), x.ndim() == 4, w.ndim() == 4);
  Form::expect_channels(x, w, how_.groups);
  if (in.types().size() == 3) {
    typecheck::expect(in[2].dtype() == x.dtype(), in[2].ndim() == 1);
    Form::expect_bias(in[2], w, how_.groups);
  }
}

template <class Function, class Form>
std::vector<ndarray> FilterFunction<Function, Form>::forward(ArraySpan in) {
  modes_ = modes_of(how_, in[1].shape(), in[0]);
  return {Form::apply(how_, modes_, in[0], in[1], in.size() == 3 ? in[2] : ndarray())};
}

template <class Function, class Form>
std::vector<ndarray> FilterFunction<Function, Form>::backward(ArraySpan in, ArraySpan gy) {
  std::vector<ndarray> grads(in.size());
  if (this->needs_gradient(0)) grads[0] = Form::image_gradient(how_, modes_, in[0], in[1], gy[0]);
  if (this->needs_gradient(1)) {
    grads[1] = cupyxx::zeros_like(in[1]);
    Form::add_weight_gradient(how_, modes_, in[0], gy[0], grads[1]);
  }
  if (in.size() == 3 && this->needs_gradient(2)) {
    grads[2] = cupyxx::zeros_like(in[2]);
    internal::add_channel_sums(gy[0], grads[2]);
  }
  return grads;
}

template <class Function, class Form>
std::vector<Variable> FilterFunction<Function, Form>::backward_variables(VariableSpan in,
                                                                         VariableSpan gy) {
  std::vector<Variable> grads = Form::gradients(with_modes(how_, modes_), in[0], in[1], gy[0]);
  grads.resize(in.size());
  return grads;
}

/// Applies a function with or without a bias.
template <class Function>
Variable apply_filters(const Variable& x, const Variable& W, const Variable& b,
                       const ConvolutionOptions& options) {
  return b.is_none() ? Function(options)(x, W) : Function(options)(x, W, b);
}

}  // namespace chainerxx::functions
