// SPDX-License-Identifier: MIT
#include "chainerxx/functions/array/broadcasting.h"

#include <string>

#include "chainerxx/internal/sum_to.h"
#include "cupyxx/manipulation.h"
#include "typecheck/expect.h"

namespace chainerxx::functions {

void BroadcastTo::check_type_forward(const typecheck::TypeInfos& in) const {
  typecheck::expect(in.size() == 1);
  typecheck::expect(in[0].ndim() <= typecheck::Variable(shape_.ndim(), "len(shape)"));
  const cupyxx::Shape own = in.types()[0].shape();
  for (int back = 1; back <= own.ndim(); ++back) {
    if (own[own.ndim() - back] == 1) continue;
    typecheck::expect(
        in[0].shape()[-back] ==
        typecheck::Variable(shape_[shape_.ndim() - back], "shape[" + std::to_string(-back) + "]"));
  }
}

std::vector<ndarray> BroadcastTo::forward(ArraySpan x) {
  retain_inputs({});
  return {cupyxx::broadcast_to(x[0], shape_)};
}

std::vector<ndarray> BroadcastTo::backward(ArraySpan, ArraySpan gy) {
  return {internal::sum_to(gy[0], input_shape(0))};
}

std::vector<Variable> BroadcastTo::backward_variables(VariableSpan x, VariableSpan gy) {
  return {sum_to(gy[0], x[0].shape())};
}

void SumTo::check_type_forward(const typecheck::TypeInfos& in) const {
  typecheck::expect(in.size() == 1, in[0].dtype().kind() == 'f');
  typecheck::expect(in[0].ndim() >= typecheck::Variable(shape_.ndim(), "len(shape)"));
  for (int back = 1; back <= shape_.ndim(); ++back) {
    const std::int64_t extent = shape_[shape_.ndim() - back];
    if (extent == 1) continue;
    typecheck::expect(in[0].shape()[-back] ==
                      typecheck::Variable(extent, "shape[" + std::to_string(-back) + "]"));
  }
}

std::vector<ndarray> SumTo::forward(ArraySpan x) {
  retain_inputs({});
  return {internal::sum_to(x[0], shape_)};
}

std::vector<ndarray> SumTo::backward(ArraySpan, ArraySpan gy) {
  return {cupyxx::broadcast_to(gy[0], input_shape(0))};
}

std::vector<Variable> SumTo::backward_variables(VariableSpan x, VariableSpan gy) {
  return {broadcast_to(gy[0], x[0].shape())};
}

Variable broadcast_to(const Variable& x, const cupyxx::Shape& shape) {
  return BroadcastTo(shape)(x);
}
Variable sum_to(const Variable& x, const cupyxx::Shape& shape) { return SumTo(shape)(x); }

}  // namespace chainerxx::functions
