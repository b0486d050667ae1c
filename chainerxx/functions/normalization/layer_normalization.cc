// SPDX-License-Identifier: MIT
#include "chainerxx/functions/normalization/layer_normalization.h"

#include "chainerxx/functions/array/cast.h"
#include "chainerxx/functions/array/copying.h"
#include "chainerxx/functions/math/extremes.h"
#include "chainerxx/functions/math/reductions.h"
#include "chainerxx/internal/graph.h"
#include "chainerxx/internal/narrow_types.h"
#include "chainerxx/internal/spatial/normalization.h"
#include "cupyxx/error.h"
#include "cupyxx/scalar.h"
#include "typecheck/expect.h"

namespace chainerxx::functions {

namespace {

/// Of rows of a type and shape, and what scales and shifts them.
void check_parameters(const typecheck::TypeInfos& in, std::size_t first) {
  const auto x = in[0], gamma = in[first], beta = in[first + 1];
  typecheck::expect(x.dtype().kind() == 'f', x.ndim() >= 2);
  if (internal::is_wide_parameter(in.types()[0].dtype(), in.types()[first].dtype())) {
    typecheck::expect(gamma.dtype() == beta.dtype());
  } else {
    typecheck::expect(gamma.dtype() == x.dtype(), beta.dtype() == x.dtype());
  }
  typecheck::expect(gamma.shape() == beta.shape(),
                    x.shape()[typecheck::slice(1, typecheck::none)] == gamma.shape());
}

void check_eps(const char* name, double eps) {
  if (!(eps >= 0)) {
    throw cupyxx::ValueError(cupyxx::message(name, ": eps is negative; ", cupyxx::Scalar(eps)));
  }
}

/// Made of functions, for gradients of gradients.
Variable composed(const Variable& rows, const Variable& gamma, const Variable& beta, double eps) {
  const Variable x = cast(rows, gamma.dtype());
  std::vector<std::int64_t> axes;
  for (int i = 1; i < x.ndim(); ++i) axes.push_back(i);
  const auto mean_of = [&](const Variable& a) {
    return broadcast_to(mean(a, axes, true), x.shape());
  };
  const Variable distance = x - mean_of(x);
  const Variable deviation = sqrt(mean_of(square(distance)) + eps);
  const Variable y = distance / deviation * broadcast_to(gamma, x.shape());
  return cast(y + broadcast_to(beta, x.shape()), rows.dtype());
}

}  // namespace

void LayerNormalization::check_type_forward(const typecheck::TypeInfos& in) const {
  typecheck::expect(in.size() == 3);
  check_parameters(in, 1);
}

std::vector<ndarray> LayerNormalization::forward(ArraySpan in) {
  check_eps("layer_normalization", eps_);
  internal::LayerNormalised result = internal::layer_norm(eps_, in[0], in[1], in[2]);
  if (records()) moments_ = result.moments;
  return {result.y};
}

std::vector<ndarray> LayerNormalization::backward(ArraySpan in, ArraySpan gy) {
  internal::LayerNormGradients grads = internal::layer_norm_grad(in[0], in[1], moments_, gy[0]);
  return {grads.gx, grads.ggamma, grads.gbeta};
}

std::vector<Variable> LayerNormalization::backward_variables(VariableSpan in, VariableSpan gy) {
  return internal::differentiate_composed(in, gy, [&](const std::vector<Variable>& v) {
    return std::vector<Variable>{composed(v[0], v[1], v[2], eps_)};
  });
}

Variable layer_normalization(const Variable& x, const Variable& gamma, const Variable& beta,
                             double eps) {
  return LayerNormalization(eps)(x, gamma, beta);
}

void AddLayerNormalization::check_type_forward(const typecheck::TypeInfos& in) const {
  typecheck::expect(in.size() == 4);
  const auto x = in[0], y = in[1];
  typecheck::expect(x.dtype() == y.dtype(), x.shape() == y.shape());
  check_parameters(in, 2);
}

std::vector<ndarray> AddLayerNormalization::forward(ArraySpan in) {
  check_eps("add_layer_normalization", eps_);
  internal::AddLayerNormalised result = internal::add_layer_norm(eps_, in[0], in[1], in[2], in[3]);
  retain_inputs({2, 3});
  if (records()) {
    moments_ = result.normalised.moments;
    sum_ = internal::SavedArray(result.sum);
  }
  return {result.sum, result.normalised.y};
}

std::vector<ndarray> AddLayerNormalization::backward(ArraySpan in, ArraySpan gy) {
  if (gy[1].is_none()) return {gy[0], gy[0], ndarray(), ndarray()};
  const internal::LayerNormGradients grads =
      internal::layer_norm_grad(sum_.get(*this), in[2], moments_, gy[1], gy[0]);
  return {grads.gx, grads.gx, grads.ggamma, grads.gbeta};
}

std::vector<Variable> AddLayerNormalization::backward_variables(VariableSpan in, VariableSpan gy) {
  if (gy[1].is_none()) return {gy[0], gy[0], Variable(), Variable()};
  const std::vector<Variable> rows = {output_variable(0, sum_.get(*this)), in[2], in[3]};
  const std::vector<Variable> normalised = {gy[1]};
  std::vector<Variable> grads =
      internal::differentiate_composed(rows, normalised, [&](const std::vector<Variable>& v) {
        return std::vector<Variable>{composed(v[0], v[1], v[2], eps_)};
      });
  const Variable gx = gy[0].is_none() ? grads[0] : grads[0] + gy[0];
  return {gx, gx, grads[1], grads[2]};
}

VariableArray<2> add_layer_normalization(const Variable& x, const Variable& y,
                                         const Variable& gamma, const Variable& beta, double eps) {
  return AddLayerNormalization(eps)(x, y, gamma, beta);
}

}  // namespace chainerxx::functions
