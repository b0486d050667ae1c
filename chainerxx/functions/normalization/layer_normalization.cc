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

void LayerNormalization::check_type_forward(const typecheck::TypeInfos& in) const {
  typecheck::expect(in.size() == 3);
  const auto x = in[0], gamma = in[1], beta = in[2];
  typecheck::expect(x.dtype().kind() == 'f', x.ndim() >= 2);
  if (internal::is_wide_parameter(in.types()[0].dtype(), in.types()[1].dtype())) {
    typecheck::expect(gamma.dtype() == beta.dtype());
  } else {
    typecheck::expect(gamma.dtype() == x.dtype(), beta.dtype() == x.dtype());
  }
  typecheck::expect(gamma.shape() == beta.shape(),
                    x.shape()[typecheck::slice(1, typecheck::none)] == gamma.shape());
}

std::vector<ndarray> LayerNormalization::forward(ArraySpan in) {
  if (!(eps_ >= 0)) {
    throw cupyxx::ValueError(
        cupyxx::message("layer_normalization: eps is negative; ", cupyxx::Scalar(eps_)));
  }
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
    const Variable x = cast(v[0], v[1].dtype());
    std::vector<std::int64_t> axes;
    for (int i = 1; i < x.ndim(); ++i) axes.push_back(i);
    const auto mean_of = [&](const Variable& a) {
      return broadcast_to(mean(a, axes, true), x.shape());
    };
    const Variable distance = x - mean_of(x);
    const Variable deviation = sqrt(mean_of(square(distance)) + eps_);
    const Variable y = distance / deviation * broadcast_to(v[1], x.shape());
    return std::vector<Variable>{cast(y + broadcast_to(v[2], x.shape()), v[0].dtype())};
  });
}

Variable layer_normalization(const Variable& x, const Variable& gamma, const Variable& beta,
                             double eps) {
  return LayerNormalization(eps)(x, gamma, beta);
}

}  // namespace chainerxx::functions
