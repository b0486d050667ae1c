// SPDX-License-Identifier: MIT
#include "chainerxx/functions/activation/prelu.h"

#include "chainerxx/functions/array/array.h"
#include "chainerxx/functions/array/cast.h"
#include "chainerxx/functions/array/copying.h"
#include "chainerxx/functions/array/parts.h"
#include "chainerxx/internal/initialize.h"
#include "chainerxx/internal/masked.h"
#include "chainerxx/internal/narrow_types.h"
#include "chainerxx/internal/parameter_variable.h"
#include "chainerxx/internal/precision.h"
#include "chainerxx/internal/sum_to.h"
#include "cupyxx/creation.h"
#include "cupyxx/indexing.h"
#include "cupyxx/math.h"
#include "typecheck/expect.h"

namespace chainerxx::functions {
namespace {

/// The shape of W beside x: an axis for the batch before it, as many as x has behind it.
cupyxx::Shape shape_beside(const cupyxx::Shape& W, int ndim) {
  cupyxx::Shape shape{1};
  for (const std::int64_t extent : W) shape.push_back(extent);
  while (shape.ndim() < ndim) shape.push_back(1);
  return shape;
}

ndarray beside(const ndarray& W, int ndim) { return W.reshape(shape_beside(W.shape(), ndim)); }

ndarray rectified(const ndarray& x, const ndarray& W) {
  return cupyxx::where(x < 0, x * beside(W, x.ndim()), x);
}

ndarray grad_x(const ndarray& x, const ndarray& W, const ndarray& gy) {
  return cupyxx::where(x < 0, gy * beside(W, x.ndim()), gy);
}

/// In W's dtype, in which the sums are.
ndarray grad_W(const ndarray& x, const ndarray& W, const ndarray& gy) {
  const ndarray all = cupyxx::where(x < 0, x * gy, cupyxx::zeros_like(x));
  return internal::sum_to(all, beside(W, x.ndim()).shape(), W.dtype()).reshape(W.shape());
}

Variable grad_x(const Variable& x, const Variable& W, const Variable& gy) {
  const Variable w = cast(reshape(W, shape_beside(W.shape(), x.ndim())), x.dtype());
  return where(x.data() < 0, gy * broadcast_to(w, x.shape()), gy);
}

Variable grad_W(const Variable& x, const Variable& W, const Variable& gy) {
  const Variable all = cast(internal::masked(x.data() < 0, x * gy), W.dtype());
  return reshape(sum_to(all, shape_beside(W.shape(), x.ndim())), W.shape());
}

}  // namespace

void PReLU::initialize(const cupyxx::Shape& shape, double init, cupyxx::dtype dtype) {
  internal::check_sizes("PReLU", shape);
  if (internal::skips_initialization()) return;
  internal::check_floating("PReLU", dtype);
  W = cupyxx::full(shape, init, dtype);
  gW = cupyxx::zeros_like(W);
}

std::vector<Field> PReLU::fields() { return {{"W", &W, &gW, true}}; }

void PReLU::check_type_forward(const typecheck::TypeInfos& in) const {
  typecheck::expect(in.size() == 1);
  const auto x = in[0];
  const cupyxx::Shape shape = W.shape();
  if (!internal::is_wide_parameter(in.types()[0].dtype(), W.dtype())) {
    typecheck::expect(x.dtype() == W.dtype());
  }
  typecheck::expect(x.ndim() >= typecheck::Variable(shape.ndim() + 1, "1 + W.ndim"));
  for (int i = 0; i < shape.ndim(); ++i) {
    typecheck::expect(x.shape()[i + 1] ==
                      typecheck::Variable(shape[i], "W.shape[" + std::to_string(i) + "]"));
  }
}

std::vector<ndarray> PReLU::forward(ArraySpan x) {
  if (records()) saved_W_ = internal::SavedArray(W);
  return {rectified(x[0], internal::narrow_parameter(W, x[0].dtype()))};
}

std::vector<ndarray> PReLU::backward(ArraySpan x, ArraySpan gy) {
  const ndarray& w = saved_W_.get(*this);
  gW += grad_W(x[0], w, gy[0]);
  if (!needs_gradient(0)) return {ndarray()};
  return {grad_x(x[0], internal::narrow_parameter(w, x[0].dtype()), gy[0])};
}

std::vector<Variable> PReLU::backward_variables(VariableSpan x, VariableSpan gy) {
  const Variable w = internal::parameter(saved_W_.get(*this), gW);
  internal::add_gradient(gW, grad_W(x[0], w, gy[0]));
  return {grad_x(x[0], w, gy[0])};
}

void PReLUFunction::check_type_forward(const typecheck::TypeInfos& in) const {
  typecheck::expect(in.size() == 2);
  const auto x = in[0], W = in[1];
  typecheck::expect(x.dtype().kind() == 'f');
  if (!internal::is_wide_parameter(in.types()[0].dtype(), in.types()[1].dtype())) {
    typecheck::expect(W.dtype() == x.dtype());
  }
  typecheck::expect(x.ndim() >= W.ndim() + 1);
  for (int i = 0; i < in.types()[1].shape().ndim(); ++i) {
    typecheck::expect(x.shape()[i + 1] == W.shape()[i]);
  }
}

std::vector<ndarray> PReLUFunction::forward(ArraySpan in) {
  return {rectified(in[0], in[1].astype(in[0].dtype(), false))};
}

std::vector<ndarray> PReLUFunction::backward(ArraySpan in, ArraySpan gy) {
  const ndarray W = in[1].astype(in[0].dtype(), false);
  return {needs_gradient(0) ? grad_x(in[0], W, gy[0]) : ndarray(),
          needs_gradient(1) ? grad_W(in[0], in[1], gy[0]) : ndarray()};
}

std::vector<Variable> PReLUFunction::backward_variables(VariableSpan in, VariableSpan gy) {
  return {grad_x(in[0], in[1], gy[0]), grad_W(in[0], in[1], gy[0])};
}

Variable prelu(const Variable& x, const Variable& W) { return PReLUFunction()(x, W); }

}  // namespace chainerxx::functions
