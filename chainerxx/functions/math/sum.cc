// SPDX-License-Identifier: MIT
#include "chainerxx/functions/math/sum.h"

#include "chainerxx/internal/keepdims.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/reduction.h"
#include "typecheck/expect.h"

namespace chainerxx::functions {

void Sum::check_type_forward(const typecheck::TypeInfos& in) const {
  typecheck::expect(in.size() == 1, in[0].dtype().kind() == 'f');
}

std::vector<ndarray> Sum::forward(ArraySpan x) {
  retain_inputs({});
  axes_.mask("sum", x[0].ndim());  // arrays of no axes have axis 0 for NumPy, with no gradient
  return {x[0].sum(axes_, {.keepdims = keepdims_})};
}

std::vector<ndarray> Sum::backward(ArraySpan, ArraySpan gy) {
  const cupyxx::Shape shape = input_shape(0);
  return {cupyxx::broadcast_to(gy[0].reshape(internal::kept_shape(shape, axes_)), shape)
              .copy(cupyxx::Order::C)};
}

std::vector<Variable> Sum::backward_variables(VariableSpan x, VariableSpan gy) {
  return {internal::spread(gy[0], x[0].shape(), axes_)};
}

Variable sum(const Variable& x, const AxesArg& axis, bool keepdims) {
  return Sum(axis, keepdims)(x);
}

}  // namespace chainerxx::functions
