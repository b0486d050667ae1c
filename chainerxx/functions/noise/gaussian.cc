// SPDX-License-Identifier: MIT
#include "chainerxx/functions/noise/gaussian.h"

#include "chainerxx/functions/math/elementary.h"
#include "chainerxx/internal/initialize.h"
#include "cupyxx/math.h"
#include "typecheck/expect.h"

namespace chainerxx::functions {

void Gaussian::check_type_forward(const typecheck::TypeInfos& in) const {
  typecheck::expect(in.size() == 2, in[0].dtype().kind() == 'f', in[0].dtype() == in[1].dtype(),
                    in[0].shape() == in[1].shape());
}

std::vector<ndarray> Gaussian::forward(ArraySpan in) {
  retain_inputs({1});
  if (!eps_.is_none()) internal::check_noise("gaussian", "eps", eps_, in[0]);
  const ndarray eps = eps_.is_none() ? internal::normal(in[0].shape(), 1, in[0].dtype()) : eps_;
  noise_ = cupyxx::exp(in[1] * 0.5) * eps;
  if (records()) eps_ = eps;
  return {in[0] + noise_};
}

std::vector<ndarray> Gaussian::backward(ArraySpan, ArraySpan gy) {
  return {gy[0], gy[0] * noise_ * 0.5};
}

std::vector<Variable> Gaussian::backward_variables(VariableSpan in, VariableSpan gy) {
  const Variable eps = eps_;
  return {gy[0], gy[0] * exp(in[1] * 0.5) * eps * 0.5};
}

Variable gaussian(const Variable& mean, const Variable& ln_var) { return Gaussian()(mean, ln_var); }

}  // namespace chainerxx::functions
