// SPDX-License-Identifier: MIT
#include "chainerxx/functions/connection/scale.h"

#include <string>

#include "chainerxx/functions/array/array.h"
#include "chainerxx/functions/array/cast.h"
#include "chainerxx/functions/array/copying.h"
#include "chainerxx/internal/initial_value.h"
#include "chainerxx/internal/narrow_types.h"
#include "chainerxx/internal/parameter_variable.h"
#include "chainerxx/internal/precision.h"
#include "chainerxx/internal/same_shape.h"
#include "chainerxx/internal/sum_to.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/math.h"
#include "typecheck/expect.h"

namespace chainerxx::functions {
namespace {

/// The shape of an array whose axes begin at `axis` of an array of rank `ndim`.
cupyxx::Shape placed(const cupyxx::Shape& shape, int axis, int ndim) {
  cupyxx::Shape out;
  for (int i = 0; i < axis; ++i) out.push_back(1);
  for (const std::int64_t extent : shape) out.push_back(extent);
  while (out.ndim() < ndim) out.push_back(1);
  return out;
}

}  // namespace

void Scale::initialize(const cupyxx::Shape& shape, const ScaleOptions& options) {
  if (axis_ < 0) {
    throw cupyxx::ValueError(cupyxx::message("Scale: the axis is negative; ", axis_));
  }
  internal::check_sizes("Scale", shape);
  if (internal::skips_initialization()) return;
  internal::check_floating("Scale", options.dtype);
  W = internal::initial_weights("Scale", "initialW", options.initialW, shape, options.dtype,
                                [&] { return cupyxx::ones(shape, options.dtype); });
  gW = cupyxx::zeros_like(W);
  if (options.nobias) return;
  b = internal::initial_bias("Scale", "initial_bias", options.initial_bias, shape, W.dtype(), 0);
  gb = cupyxx::zeros_like(b);
}

std::vector<Field> Scale::fields() { return {{"W", &W, &gW, true}, {"b", &b, &gb}}; }

void Scale::check_type_forward(const typecheck::TypeInfos& in) const {
  typecheck::expect(in.size() == 1);
  const auto x = in[0];
  const cupyxx::Shape shape = W.shape();
  if (!internal::is_wide_parameter(in.types()[0].dtype(), W.dtype())) {
    typecheck::expect(x.dtype() == W.dtype());
  }
  typecheck::expect(x.ndim() >=
                    typecheck::Variable(std::int64_t{axis_} + shape.ndim(), "axis + W.ndim"));
  for (int i = 0; i < shape.ndim(); ++i) {
    typecheck::expect(x.shape()[axis_ + i] ==
                      typecheck::Variable(shape[i], "W.shape[" + std::to_string(i) + "]"));
  }
}

std::vector<ndarray> Scale::forward(ArraySpan x) {
  if (records()) saved_W_ = internal::SavedArray(W);
  const cupyxx::Shape shape = placed(W.shape(), axis_, x[0].ndim());
  const cupyxx::dtype dtype = x[0].dtype();
  const ndarray y = x[0] * internal::narrow_parameter(W, dtype).reshape(shape);
  if (!b.is_none()) y += internal::narrow_parameter(b, dtype).reshape(shape);
  return {y};
}

std::vector<ndarray> Scale::backward(ArraySpan x, ArraySpan gy) {
  const cupyxx::Shape shape = placed(W.shape(), axis_, x[0].ndim());
  gW += internal::sum_to(x[0] * gy[0], shape, W.dtype()).reshape(W.shape());
  if (!b.is_none()) gb += internal::sum_to(gy[0], shape, b.dtype()).reshape(b.shape());
  if (!needs_gradient(0)) return {ndarray()};
  const ndarray w = internal::narrow_parameter(saved_W_.get(*this), gy[0].dtype());
  return {gy[0] * w.reshape(shape)};
}

std::vector<Variable> Scale::backward_variables(VariableSpan x, VariableSpan gy) {
  const cupyxx::Shape shape = placed(W.shape(), axis_, x[0].ndim());
  const Variable w = reshape(internal::parameter(saved_W_.get(*this), gW), shape);
  const Variable products = cast(x[0] * gy[0], W.dtype());
  internal::add_gradient(gW, reshape(sum_to(products, shape), W.shape()));
  if (!b.is_none()) {
    internal::add_gradient(gb, reshape(sum_to(cast(gy[0], b.dtype()), shape), b.shape()));
  }
  return {gy[0] * broadcast_to(cast(w, gy[0].dtype()), x[0].shape())};
}

Variable scale(const Variable& x, const Variable& y, int axis) {
  internal::refuse_none("scale", {&x, &y});
  if (axis < 0 || axis > x.ndim() - y.ndim()) {
    throw cupyxx::ShapeError(cupyxx::message("scale: y does not fit into x from axis ", axis, "; ",
                                             y.shape(), " and ", x.shape()));
  }
  return x * broadcast_to(reshape(y, placed(y.shape(), axis, x.ndim())), x.shape());
}

}  // namespace chainerxx::functions
