// SPDX-License-Identifier: MIT
#include "chainerxx/functions/loss/mean_squared_error.h"

#include <algorithm>

#include "chainerxx/functions/array/copying.h"
#include "chainerxx/internal/graph.h"
#include "chainerxx/internal/narrow_types.h"
#include "cupyxx/creation.h"
#include "cupyxx/math.h"
#include "cupyxx/reduction.h"
#include "typecheck/expect.h"

namespace chainerxx::functions {

void MeanSquaredError::check_type_forward(const typecheck::TypeInfos& in) const {
  typecheck::expect(in.size() == 2, in[0].dtype().kind() == 'f', in[0].dtype() == in[1].dtype(),
                    in[0].shape() == in[1].shape());
}

std::vector<ndarray> MeanSquaredError::forward(ArraySpan x) {
  if (x[0].size() == 0) return {cupyxx::zeros({}, x[0].dtype())};  // a mean of nothing is no number
  const ndarray difference = x[0] - x[1];
  if (records()) difference_ = difference;
  const ndarray y = cupyxx::square(internal::in_float32(difference)).mean();
  return {y.astype(x[0].dtype(), false)};
}

std::vector<ndarray> MeanSquaredError::backward(ArraySpan x, ArraySpan gy) {
  if (x[0].size() == 0) return {cupyxx::zeros_like(x[0]), cupyxx::zeros_like(x[1])};
  const double factor = 2.0 / static_cast<double>(x[0].size());
  ndarray gx0 =
      internal::is_unit_gradient(gy[0]) ? difference_ * factor : difference_ * (gy[0] * factor);
  ndarray gx1;
  if (needs_gradient(1)) gx1 = -gx0;
  return {gx0, gx1};
}

std::vector<Variable> MeanSquaredError::backward_variables(VariableSpan x, VariableSpan gy) {
  const double factor = 2.0 / static_cast<double>(std::max<std::int64_t>(x[0].size(), 1));
  const Variable gx0 = (x[0] - x[1]) * broadcast_to(gy[0] * factor, x[0].shape());
  return {gx0, -gx0};
}

Variable mean_squared_error(const Variable& x0, const Variable& x1) {
  return MeanSquaredError()(x0, x1);
}

}  // namespace chainerxx::functions
