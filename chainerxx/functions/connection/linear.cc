// SPDX-License-Identifier: MIT
#include "chainerxx/functions/connection/linear.h"

#include <cmath>

#include "chainerxx/functions/array/array.h"
#include "chainerxx/functions/math/matmul.h"
#include "chainerxx/functions/math/sum.h"
#include "chainerxx/internal/array_ops.h"
#include "chainerxx/internal/initial_value.h"
#include "chainerxx/internal/parameter_shapes.h"
#include "chainerxx/internal/parameter_variable.h"
#include "chainerxx/internal/precision.h"
#include "chainerxx/internal/takes_beside.h"
#include "chainerxx/internal/unsized.h"
#include "chainerxx/internal/weight_gradient.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/linalg.h"
#include "cupyxx/reduction.h"
#include "typecheck/expect.h"

namespace chainerxx::functions {
namespace {

Variable weight_gradient(const Variable& x, const Variable& gy) {
  cupyxx::Shape row = x.shape();
  row.erase(0);
  const Variable rows = x.ndim() == 2 ? x : reshape(x, {x.shape()[0], row.element_count()});
  return matmul(gy, rows, true);
}

}  // namespace

Linear::Linear(const InputSize& in_size, std::int64_t out_size, const LinearOptions& options) {
  internal::check_sizes("Linear", {in_size.value(), out_size});
  internal::check_floating("Linear", options.dtype);
  if (internal::skips_initialization()) return;
  if (!in_size.is_none()) {
    initialize(in_size.value(), out_size, options);
    return;
  }
  internal::size_later(
      *this, 2, [](VariableSpan x) { return cupyxx::Shape{internal::row_size("Linear", x[0])}; },
      [](const cupyxx::Shape& w) { return cupyxx::Shape{w[1]}; },
      [out_size, options](Linear& layer, const cupyxx::Shape& sizes) {
        layer.initialize(sizes[0], out_size, options);
      });
}

void Linear::initialize(std::int64_t in_size, std::int64_t out_size, const LinearOptions& options) {
  const cupyxx::Shape shape = {out_size, in_size};
  W = internal::initial_weights("Linear", "initialW", options.initialW, shape, options.dtype, [&] {
    const double deviation = options.wscale * std::sqrt(1.0 / static_cast<double>(in_size));
    return internal::normal(shape, deviation, options.dtype);
  });
  gW = cupyxx::zeros_like(W, {.order = cupyxx::Order::C});  // as gemm writes it
  if (options.nobias) return;
  b = internal::initial_bias("Linear", "initial_bias", options.initial_bias, {out_size}, W.dtype(),
                             options.bias);
  gb = cupyxx::zeros_like(b);
}

std::vector<Field> Linear::fields() { return {{"W", &W, &gW, true}, {"b", &b, &gb}}; }

namespace {

/// A linear function of each place of the first axes of x.
template <class Function>
Variable of_places(const Variable& x, int n_batch_axes, const Function& function) {
  const cupyxx::Shape shape = x.shape();
  if (n_batch_axes < 1 || n_batch_axes >= shape.ndim()) {
    throw cupyxx::ValueError(cupyxx::message("Linear: n_batch_axes is not in [1, ", shape.ndim(),
                                             "), the axes of x; ", n_batch_axes));
  }
  std::vector<std::int64_t> batch(shape.begin(), shape.begin() + n_batch_axes);
  std::int64_t rows = 1, columns = 1;
  for (int i = 0; i < shape.ndim(); ++i) (i < n_batch_axes ? rows : columns) *= shape[i];
  const Variable y = function(reshape(x, {rows, columns}));
  batch.push_back(y.shape()[1]);
  return reshape(y, cupyxx::Shape(batch));
}

}  // namespace

Variable Linear::operator()(const Variable& x, int n_batch_axes) const {
  return of_places(x, n_batch_axes, [this](const Variable& rows) { return (*this)(rows); });
}

void Linear::check_type_forward(const typecheck::TypeInfos& in) const {
  typecheck::expect(in.size() == 1);
  const auto x = in[0];
  const cupyxx::Shape shape = W.shape();
  internal::expect_rank("Linear", "W", W, 2);
  internal::expect_beside("Linear", "W", W, "b", b, {shape[0]});
  if (!internal::takes_beside(W.dtype(), in.types()[0].dtype())) {
    typecheck::expect(x.dtype() == W.dtype());
  }
  typecheck::expect(x.ndim() >= 2, prod(x.shape()[typecheck::slice(1, typecheck::none)]) ==
                                       typecheck::Variable(shape[1], "W.shape[1]"));
}

std::vector<ndarray> Linear::forward(ArraySpan x) {
  if (records()) saved_W_ = internal::SavedArray(W);
  const cupyxx::dtype dtype = x[0].dtype();
  return {cupyxx::gemm(internal::as_matrix(x[0]), internal::narrow_parameter(W, dtype).T(),
                       {.bias = internal::narrow_parameter(b, dtype)})};
}

std::vector<ndarray> Linear::backward(ArraySpan x, ArraySpan gy) {
  const ndarray rows = internal::as_matrix(x[0]);
  ndarray gx;
  if (needs_gradient(0)) {
    gx = cupyxx::gemm(gy[0], internal::narrow_parameter(saved_W_.get(*this), gy[0].dtype()));
    if (x[0].ndim() != 2) gx = gx.reshape(x[0].shape());
  }
  internal::add_weight_gradient(*this, gy[0], rows, gW, b.is_none() ? ndarray() : gb);
  return {gx};
}

std::vector<Variable> Linear::backward_variables(VariableSpan x, VariableSpan gy) {
  const Variable w = internal::parameter(saved_W_.get(*this), gW);
  internal::add_gradient(gW, weight_gradient(x[0], gy[0]));
  if (!b.is_none()) internal::add_gradient(gb, sum(gy[0], 0));
  return {needs_gradient(0) ? reshape(matmul(gy[0], w), x[0].shape()) : Variable()};
}

void LinearFunction::check_type_forward(const typecheck::TypeInfos& in) const {
  typecheck::expect(in.size() >= 2, in.size() <= 3);
  const auto x = in[0], w = in[1];
  typecheck::expect(x.dtype().kind() == 'f', w.dtype() == x.dtype(), x.ndim() >= 2, w.ndim() == 2,
                    prod(x.shape()[typecheck::slice(1, typecheck::none)]) == w.shape()[1]);
  if (in.types().size() == 3) {
    typecheck::expect(in[2].dtype() == x.dtype(), in[2].ndim() == 1,
                      in[2].shape()[0] == w.shape()[0]);
  }
}

std::vector<ndarray> LinearFunction::forward(ArraySpan in) {
  return {cupyxx::gemm(internal::as_matrix(in[0]), in[1].T(),
                       {.bias = in.size() == 3 ? in[2] : ndarray()})};
}

std::vector<ndarray> LinearFunction::backward(ArraySpan in, ArraySpan gy) {
  std::vector<ndarray> grads(in.size());
  if (needs_gradient(0)) grads[0] = cupyxx::gemm(gy[0], in[1]).reshape(in[0].shape());
  if (needs_gradient(1)) grads[1] = cupyxx::gemm(gy[0].T(), internal::as_matrix(in[0]));
  if (in.size() == 3 && needs_gradient(2)) grads[2] = gy[0].sum(0);
  return grads;
}

std::vector<Variable> LinearFunction::backward_variables(VariableSpan in, VariableSpan gy) {
  std::vector<Variable> grads(in.size());
  if (needs_gradient(0)) grads[0] = reshape(matmul(gy[0], in[1]), in[0].shape());
  if (needs_gradient(1)) grads[1] = weight_gradient(in[0], gy[0]);
  if (in.size() == 3 && needs_gradient(2)) grads[2] = sum(gy[0], 0);
  return grads;
}

Variable linear(const Variable& x, const Variable& W) { return LinearFunction()(x, W); }
Variable linear(const Variable& x, const Variable& W, const Variable& b) {
  return LinearFunction()(x, W, b);
}
Variable linear(const Variable& x, const Variable& W, const Variable& b, int n_batch_axes) {
  return of_places(x, n_batch_axes, [&](const Variable& rows) {
    return b.is_none() ? linear(rows, W) : linear(rows, W, b);
  });
}

}  // namespace chainerxx::functions
