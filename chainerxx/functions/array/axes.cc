// SPDX-License-Identifier: MIT
#include "chainerxx/functions/array/axes.h"

#include "chainerxx/functions/array/array.h"
#include "cupyxx/manipulation.h"
#include "typecheck/expect.h"

namespace chainerxx::functions {
namespace {

void expect_axis(const typecheck::TypeInfos& in, int axis) {
  const typecheck::Variable at(axis, "axis");
  if (axis >= 0) {
    typecheck::expect(at < in[0].ndim());
  } else {
    typecheck::expect(-in[0].ndim() <= at);
  }
}

}  // namespace

void Transpose::check_type_forward(const typecheck::TypeInfos& in) const {
  typecheck::expect(in.size() == 1);
  if (is_given_) typecheck::expect(in[0].ndim() == typecheck::Variable(axes_.ndim(), "axes.ndim"));
}

std::vector<ndarray> Transpose::forward(ArraySpan x) {
  retain_inputs({});
  return {is_given_ ? x[0].transpose(axes_) : x[0].transpose()};
}

cupyxx::Shape Transpose::inverse() const {
  cupyxx::Shape inverse = axes_;
  for (int i = 0; i < axes_.ndim(); ++i) {
    inverse[static_cast<int>(axes_[i] < 0 ? axes_[i] + axes_.ndim() : axes_[i])] = i;
  }
  return inverse;
}

std::vector<ndarray> Transpose::backward(ArraySpan, ArraySpan gy) {
  return {is_given_ ? gy[0].transpose(inverse()) : gy[0].transpose()};
}

std::vector<Variable> Transpose::backward_variables(VariableSpan, VariableSpan gy) {
  return {is_given_ ? transpose(gy[0], inverse()) : transpose(gy[0])};
}

void Swapaxes::check_type_forward(const typecheck::TypeInfos& in) const {
  typecheck::expect(in.size() == 1);
  expect_axis(in, axis1_);
  expect_axis(in, axis2_);
}

std::vector<ndarray> Swapaxes::forward(ArraySpan x) {
  retain_inputs({});
  return {x[0].swapaxes(axis1_, axis2_)};
}

std::vector<ndarray> Swapaxes::backward(ArraySpan, ArraySpan gy) {
  return {gy[0].swapaxes(axis1_, axis2_)};
}

std::vector<Variable> Swapaxes::backward_variables(VariableSpan, VariableSpan gy) {
  return {swapaxes(gy[0], axis1_, axis2_)};
}

void ExpandDims::check_type_forward(const typecheck::TypeInfos& in) const {
  typecheck::expect(in.size() == 1);
  const typecheck::Variable axis(axis_, "axis");
  if (axis_ >= 0) {
    typecheck::expect(axis <= in[0].ndim());
  } else {
    typecheck::expect(-in[0].ndim() - 1 <= axis);
  }
}

std::vector<ndarray> ExpandDims::forward(ArraySpan x) {
  retain_inputs({});
  return {cupyxx::expand_dims(x[0], axis_)};
}

std::vector<ndarray> ExpandDims::backward(ArraySpan, ArraySpan gy) {
  return {gy[0].reshape(input_shape(0))};
}

std::vector<Variable> ExpandDims::backward_variables(VariableSpan x, VariableSpan gy) {
  return {reshape(gy[0], x[0].shape())};
}

void Squeeze::check_type_forward(const typecheck::TypeInfos& in) const {
  typecheck::expect(in.size() == 1);
}

std::vector<ndarray> Squeeze::forward(ArraySpan x) {
  retain_inputs({});
  return {cupyxx::squeeze(x[0], axes_)};
}

std::vector<ndarray> Squeeze::backward(ArraySpan, ArraySpan gy) {
  return {gy[0].reshape(input_shape(0))};
}

std::vector<Variable> Squeeze::backward_variables(VariableSpan x, VariableSpan gy) {
  return {reshape(gy[0], x[0].shape())};
}

Variable transpose(const Variable& x) { return Transpose()(x); }
Variable transpose(const Variable& x, const cupyxx::Shape& axes) { return Transpose(axes)(x); }
Variable swapaxes(const Variable& x, int axis1, int axis2) { return Swapaxes(axis1, axis2)(x); }
Variable expand_dims(const Variable& x, int axis) { return ExpandDims(axis)(x); }
Variable squeeze(const Variable& x, const AxesArg& axes) { return Squeeze(axes)(x); }
Variable flatten(const Variable& x) { return reshape(x, {-1}); }

}  // namespace chainerxx::functions
