// SPDX-License-Identifier: MIT
#include "chainerxx/functions/activation/activation.h"

#include <utility>

#include "chainerxx/functions/array/array.h"
#include "chainerxx/functions/math/elementary.h"
#include "chainerxx/functions/math/reductions.h"
#include "chainerxx/functions/math/sum.h"
#include "chainerxx/internal/array_ops.h"
#include "chainerxx/internal/keepdims.h"
#include "chainerxx/internal/same_shape.h"
#include "cupyxx/error.h"
#include "cupyxx/math.h"
#include "cupyxx/reduction.h"
#include "typecheck/expect.h"

namespace chainerxx::functions {
namespace {

using internal::SavedArray;

void expect_axis(const typecheck::TypeInfos& in, int axis) {
  typecheck::expect(in.size() == 1, in[0].dtype().kind() == 'f');
  if (axis >= 0) {
    typecheck::expect(in[0].ndim() > axis);
  } else {
    typecheck::expect(in[0].ndim() >= -std::int64_t{axis});
  }
}

}  // namespace

void Softmax::check_type_forward(const typecheck::TypeInfos& in) const { expect_axis(in, axis_); }

std::vector<ndarray> Softmax::forward(ArraySpan x) {
  const int axis = cupyxx::normalize_axis("softmax", axis_, x[0].ndim());
  retain_inputs({});
  ndarray y = axis == 1 ? internal::softmax(x[0])
                        : internal::softmax(internal::as_planes(x[0], axis)).reshape(x[0].shape());
  if (records()) y_ = SavedArray(y);
  return {std::move(y)};
}

std::vector<ndarray> Softmax::backward(ArraySpan, ArraySpan gy) {
  const int axis = cupyxx::normalize_axis("softmax", axis_, gy[0].ndim());
  const ndarray& y = y_.get(*this);
  if (axis == 1) return {internal::softmax_grad(y, gy[0])};
  return {internal::softmax_grad(internal::as_planes(y, axis), internal::as_planes(gy[0], axis))
              .reshape(gy[0].shape())};
}

std::vector<Variable> Softmax::backward_variables(VariableSpan x, VariableSpan gy) {
  const Variable y = output_variable(0, y_.get(*this));
  return {y * (gy[0] - internal::spread(sum(gy[0] * y, axis_), x[0].shape(), axis_))};
}

void LogSoftmax::check_type_forward(const typecheck::TypeInfos& in) const {
  expect_axis(in, axis_);
}

std::vector<ndarray> LogSoftmax::forward(ArraySpan x) {
  const int axis = cupyxx::normalize_axis("log_softmax", axis_, x[0].ndim());
  retain_inputs({});
  ndarray y = internal::log_softmax(x[0], axis);
  if (records()) y_ = SavedArray(y);
  return {std::move(y)};
}

std::vector<ndarray> LogSoftmax::backward(ArraySpan, ArraySpan gy) {
  return {gy[0] - cupyxx::exp(y_.get(*this)) * gy[0].sum(axis_, {.keepdims = true})};
}

std::vector<Variable> LogSoftmax::backward_variables(VariableSpan x, VariableSpan gy) {
  const Variable y = output_variable(0, y_.get(*this));
  return {gy[0] - exp(y) * internal::spread(sum(gy[0], axis_), x[0].shape(), axis_)};
}

Variable softmax(const Variable& x, bool) { return Softmax()(x); }
Variable log_softmax(const Variable& x, bool) { return LogSoftmax()(x); }

Variable maxout(const Variable& x, int pool_size, int axis) {
  internal::refuse_none("maxout", {&x});
  const cupyxx::Shape shape = x.shape();
  const int at = cupyxx::normalize_axis("maxout", axis, shape.ndim());
  if (pool_size < 1 || shape[at] % pool_size != 0) {
    throw cupyxx::ValueError(
        cupyxx::message("maxout: pool_size does not divide the extent of axis ", at, "; ",
                        pool_size, " and ", shape[at]));
  }
  cupyxx::Shape pools = shape;
  pools[at] /= pool_size;
  pools.insert(at + 1, pool_size);
  return max(reshape(x, pools), at + 1);
}

}  // namespace chainerxx::functions

namespace chainerxx::internal {

Variable softmax_over(const Variable& x, int axis) { return functions::Softmax(axis)(x); }
Variable log_softmax_over(const Variable& x, int axis) { return functions::LogSoftmax(axis)(x); }

}  // namespace chainerxx::internal
