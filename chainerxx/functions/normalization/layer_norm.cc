// SPDX-License-Identifier: MIT
#include "chainerxx/functions/normalization/layer_norm.h"

#include "chainerxx/functions/array/array.h"
#include "chainerxx/functions/normalization/layer_normalization.h"
#include "chainerxx/internal/graph.h"
#include "chainerxx/internal/initial_value.h"
#include "chainerxx/internal/parameter_shapes.h"
#include "chainerxx/internal/parameter_variable.h"
#include "chainerxx/internal/spatial/normalization.h"
#include "chainerxx/internal/unsized.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/scalar.h"
#include "typecheck/expect.h"

namespace chainerxx::functions {
namespace {

/// (..., size) as a matrix.
cupyxx::Shape rows(const cupyxx::Shape& shape) {
  std::int64_t count = 1;
  for (int axis = 0; axis + 1 < shape.ndim(); ++axis) count *= shape[axis];
  return {count, shape.back()};
}

}  // namespace

LayerNorm::LayerNorm(const InputSize& size, const LayerNormOptions& options) : eps_(options.eps) {
  if (!(eps_ >= 0)) {
    throw cupyxx::ValueError(cupyxx::message("LayerNorm: eps is negative; ", cupyxx::Scalar(eps_)));
  }
  internal::check_sizes("LayerNorm", {size.value()});
  internal::check_floating("LayerNorm", options.dtype);
  if (internal::skips_initialization()) return;
  if (!size.is_none()) {
    initialize(size.value(), options);
    return;
  }
  internal::size_later(
      *this, 1,
      [](VariableSpan x) {
        internal::channels_of("LayerNorm", x, 2);
        return cupyxx::Shape{x[0].shape().back()};
      },
      [](const cupyxx::Shape& given) { return given; },
      [options](LayerNorm& layer, const cupyxx::Shape& sizes) {
        layer.initialize(sizes[0], options);
      });
}

void LayerNorm::initialize(std::int64_t size, const LayerNormOptions& options) {
  gamma =
      internal::initial_weights("LayerNorm", "initial_gamma", options.initial_gamma, {size},
                                options.dtype, [&] { return cupyxx::ones({size}, options.dtype); });
  ggamma = cupyxx::zeros_like(gamma);
  beta = internal::initial_bias("LayerNorm", "initial_beta", options.initial_beta, {size},
                                gamma.dtype(), 0);
  gbeta = cupyxx::zeros_like(beta);
}

std::vector<Field> LayerNorm::fields() {
  return {{"gamma", &gamma, &ggamma, true}, {"beta", &beta, &gbeta, true}};
}

VariableArray<2> LayerNorm::of_sum(const Variable& x, const Variable& y) const {
  const cupyxx::Shape shape = x.shape();
  if (y.shape() != shape || shape.ndim() < 2) {
    throw cupyxx::ShapeError(cupyxx::message(
        "LayerNorm::of_sum: two shapes that agree, of two axes or more; ", shape, ", ", y.shape()));
  }
  if (!is_initialized()) internal::Unsized::size(*this, {&x, 1});
  const auto [sum, normalised] = add_layer_normalization(
      reshape(x, rows(shape)), reshape(y, rows(shape)), internal::parameter(gamma, ggamma),
      internal::parameter(beta, gbeta), eps_);
  return {reshape(sum, shape), reshape(normalised, shape)};
}

void LayerNorm::check_type_forward(const typecheck::TypeInfos& in) const {
  typecheck::expect(in.size() == 1);
  const auto x = in[0];
  internal::expect_rank("LayerNorm", "gamma", gamma, 1);
  internal::expect_beside("LayerNorm", "gamma", gamma, "beta", beta, gamma.shape());
  const cupyxx::dtype dtype = in.types()[0].dtype();
  const bool is_narrow = dtype == cupyxx::float16 || dtype == cupyxx::bfloat16_;
  if (!is_narrow || gamma.dtype() != cupyxx::float32) {
    typecheck::expect(x.dtype() == gamma.dtype());
  }
  typecheck::expect(x.ndim() >= 2,
                    x.shape()[-1] == typecheck::Variable(gamma.shape()[0], "gamma.shape[0]"));
}

std::vector<ndarray> LayerNorm::forward(ArraySpan x) {
  const cupyxx::Shape shape = x[0].shape();
  const internal::LayerNormalised out =
      internal::layer_norm(eps_, x[0].reshape(rows(shape)), gamma, beta);
  if (records()) {
    saved_gamma_ = internal::SavedArray(gamma);
    moments_ = out.moments;
  }
  return {out.y.reshape(shape)};
}

std::vector<ndarray> LayerNorm::backward(ArraySpan x, ArraySpan gy) {
  const cupyxx::Shape shape = x[0].shape();
  const internal::LayerNormGradients grads = internal::layer_norm_grad(
      x[0].reshape(rows(shape)), saved_gamma_.get(*this), moments_, gy[0].reshape(rows(shape)));
  ggamma += grads.ggamma;
  gbeta += grads.gbeta;
  return {grads.gx.reshape(shape)};
}

std::vector<Variable> LayerNorm::backward_variables(VariableSpan x, VariableSpan gy) {
  const std::vector<Variable> all = {x[0], internal::parameter(saved_gamma_.get(*this), ggamma),
                                     internal::parameter(beta, gbeta)};
  const std::vector<Variable> grads =
      internal::differentiate_composed(all, gy, [this](const std::vector<Variable>& v) {
        const cupyxx::Shape shape = v[0].shape();
        const Variable y = layer_normalization(reshape(v[0], rows(shape)), v[1], v[2], eps_);
        return std::vector<Variable>{reshape(y, shape)};
      });
  internal::add_gradient(ggamma, grads[1]);
  internal::add_gradient(gbeta, grads[2]);
  return {grads[0]};
}

}  // namespace chainerxx::functions
