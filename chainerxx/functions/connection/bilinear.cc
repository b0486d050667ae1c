// SPDX-License-Identifier: MIT
#include "chainerxx/functions/connection/bilinear.h"

#include <cmath>

#include "chainerxx/functions/array/array.h"
#include "chainerxx/functions/array/axes.h"
#include "chainerxx/functions/array/cast.h"
#include "chainerxx/functions/connection/linear.h"
#include "chainerxx/functions/math/matmul.h"
#include "chainerxx/internal/array_ops.h"
#include "chainerxx/internal/contiguous_sum.h"
#include "chainerxx/internal/graph.h"
#include "chainerxx/internal/initial_value.h"
#include "chainerxx/internal/parameter_variable.h"
#include "chainerxx/internal/precision.h"
#include "chainerxx/internal/same_shape.h"
#include "chainerxx/internal/takes_beside.h"
#include "chainerxx/internal/unsized.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/linalg.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/math.h"
#include "cupyxx/reduction.h"
#include "typecheck/expect.h"

namespace chainerxx::functions {
namespace {

/// (left, right, out) as a matrix of one row for each pair.
ndarray pairs(const ndarray& W) {
  const cupyxx::Shape shape = W.shape();
  return W.reshape({shape[0] * shape[1], shape[2]});
}

/// The products of all pairs of elements of each row: (n, left right).
ndarray row_products(const ndarray& e1, const ndarray& e2) {
  const ndarray all = cupyxx::expand_dims(e1, 2) * cupyxx::expand_dims(e2, 1);
  return all.reshape({e1.shape()[0], e1.shape()[1] * e2.shape()[1]});
}

/// A variable (n, ...) as a matrix of this width.
Variable as_rows(const Variable& e, std::int64_t width) {
  return reshape(e, {e.shape()[0], width});
}

/// e1^T W_k e2 for each k and each row.
Variable product_form(const Variable& e1, const Variable& e2, const Variable& W) {
  const cupyxx::Shape w = W.shape();
  const Variable left = expand_dims(as_rows(e1, w[0]), 2);
  const Variable right = expand_dims(as_rows(e2, w[1]), 1);
  const Variable products = reshape(left * right, {e1.shape()[0], w[0] * w[1]});
  return matmul(products, reshape(W, {w[0] * w[1], w[2]}));
}

Variable linear_form(const Variable& e, const Variable& V) {
  return matmul(as_rows(e, V.shape()[0]), V);
}

/// Throws ShapeError for what does not go with W, whose extents are checked by nobody else.
void check_shapes(const Variable& e1, const Variable& e2, const Variable& W) {
  const cupyxx::Shape a = e1.shape(), b = e2.shape(), w = W.shape();
  const auto fits = [&](const cupyxx::Shape& e, std::int64_t width) {
    return e.ndim() >= 2 && e[0] == a[0] && e.element_count() == e[0] * width;
  };
  if (w.ndim() == 3 && fits(a, w[0]) && fits(b, w[1])) return;
  throw cupyxx::ShapeError(
      cupyxx::message("bilinear: the shapes do not fit; e1 ", a, ", e2 ", b, " and W ", w));
}

ndarray initial(const char* name, const initializers::Initial& given, const cupyxx::Shape& shape,
                cupyxx::dtype dtype) {
  if (!given.array().is_none()) {
    return internal::checked_bias("Bilinear", name, given.array(), shape, dtype);
  }
  return internal::initial_weights("Bilinear", name, given, shape, dtype, [&] {
    const auto count = static_cast<double>(shape.element_count());
    return internal::normal(shape, std::sqrt(1 / count), dtype);
  });
}

}  // namespace

Bilinear::Bilinear(const InputSize& left_size, const InputSize& right_size, std::int64_t out_size,
                   const BilinearOptions& options) {
  internal::check_sizes("Bilinear", {left_size.value(), right_size.value(), out_size});
  internal::check_floating("Bilinear", options.dtype);
  if (internal::skips_initialization()) return;
  const InputSize left = left_size, right = right_size;
  if (!left.is_none() && !right.is_none()) {
    initialize(left.value(), right.value(), out_size, options);
    return;
  }
  internal::size_later(
      *this, 3,
      [left, right](VariableSpan e) {
        const auto size = [](const InputSize& given, const Variable& x) {
          return given.is_none() ? internal::row_size("Bilinear", x) : given.value();
        };
        return cupyxx::Shape{size(left, e[0]), size(right, e[e.size() - 1])};
      },
      [](const cupyxx::Shape& w) {
        return cupyxx::Shape{w[0], w[1]};
      },
      [out_size, options](Bilinear& layer, const cupyxx::Shape& sizes) {
        layer.initialize(sizes[0], sizes[1], out_size, options);
      });
}

void Bilinear::initialize(std::int64_t left_size, std::int64_t right_size, std::int64_t out_size,
                          const BilinearOptions& options) {
  const ndarray& given = options.initialW.array();
  const cupyxx::dtype type = given.is_none() ? options.dtype : given.dtype();
  W = initial("initialW", options.initialW, {left_size, right_size, out_size}, type);
  // As gemm writes them.
  gW = cupyxx::zeros_like(W, {.order = cupyxx::Order::C});
  if (options.nobias) return;
  V1 = initial("initial_V1", options.initial_V1, {left_size, out_size}, W.dtype());
  V2 = initial("initial_V2", options.initial_V2, {right_size, out_size}, W.dtype());
  b = internal::initial_bias("Bilinear", "initial_bias", options.initial_bias, {out_size},
                             W.dtype(), 0);
  gV1 = cupyxx::zeros_like(V1, {.order = cupyxx::Order::C});
  gV2 = cupyxx::zeros_like(V2, {.order = cupyxx::Order::C});
  gb = cupyxx::zeros_like(b);
}

std::vector<Field> Bilinear::fields() {
  return {{"W", &W, &gW, true}, {"V1", &V1, &gV1}, {"V2", &V2, &gV2}, {"b", &b, &gb}};
}

void Bilinear::check_type_forward(const typecheck::TypeInfos& in) const {
  typecheck::expect(in.size() == 2);
  const auto e1 = in[0], e2 = in[1];
  const cupyxx::Shape shape = W.shape();
  if (!internal::takes_beside(W.dtype(), in.types()[0].dtype())) {
    typecheck::expect(e1.dtype() == W.dtype());
  }
  typecheck::expect(e2.dtype() == e1.dtype(), e1.ndim() >= 2, e2.ndim() >= 2,
                    e1.shape()[0] == e2.shape()[0],
                    prod(e1.shape()[typecheck::slice(1, typecheck::none)]) ==
                        typecheck::Variable(shape[0], "W.shape[0]"),
                    prod(e2.shape()[typecheck::slice(1, typecheck::none)]) ==
                        typecheck::Variable(shape[1], "W.shape[1]"));
}

std::vector<ndarray> Bilinear::forward(ArraySpan in) {
  if (records()) saved_W_ = internal::SavedArray(W);
  const ndarray e1 = internal::as_matrix(in[0]), e2 = internal::as_matrix(in[1]);
  const auto narrow = [&](const ndarray& a) { return internal::narrow_parameter(a, e1.dtype()); };
  const ndarray y = cupyxx::gemm(row_products(e1, e2), pairs(narrow(W)), {.bias = narrow(b)});
  if (!b.is_none()) {
    cupyxx::gemm(e1, narrow(V1), {.out = y, .accumulate = true});
    cupyxx::gemm(e2, narrow(V2), {.out = y, .accumulate = true});
  }
  return {y};
}

std::vector<ndarray> Bilinear::backward(ArraySpan in, ArraySpan gy) {
  const ndarray e1 = internal::as_matrix(in[0]), e2 = internal::as_matrix(in[1]);
  const auto narrow = [&](const ndarray& a) { return internal::narrow_parameter(a, e1.dtype()); };
  const ndarray w = narrow(saved_W_.get(*this));
  const auto add = [&](const ndarray& factor, const ndarray& sum, bool of_pairs) {
    const internal::ContiguousSum inside(sum);
    const ndarray out = of_pairs ? pairs(inside.get()) : inside.get();
    cupyxx::gemm(factor.T(), gy[0], {.out = out, .accumulate = true});
    inside.finish();
  };
  add(row_products(e1, e2), gW, true);
  if (!b.is_none()) {
    add(e1, gV1, false);
    add(e2, gV2, false);
    internal::add_column_sums(gy[0], gb);
  }
  if (!needs_gradient(0) && !needs_gradient(1)) return {ndarray(), ndarray()};
  const ndarray products =
      cupyxx::gemm(gy[0], pairs(w).T()).reshape({e1.shape()[0], e1.shape()[1], e2.shape()[1]});
  ndarray ge1 = (products * cupyxx::expand_dims(e2, 1)).sum(2);
  ndarray ge2 = (products * cupyxx::expand_dims(e1, 2)).sum(1);
  if (!b.is_none()) {
    cupyxx::gemm(gy[0], narrow(V1).T(), {.out = ge1, .accumulate = true});
    cupyxx::gemm(gy[0], narrow(V2).T(), {.out = ge2, .accumulate = true});
  }
  return {ge1.reshape(in[0].shape()), ge2.reshape(in[1].shape())};
}

std::vector<Variable> Bilinear::backward_variables(VariableSpan in, VariableSpan gy) {
  std::vector<Variable> all = {in[0], in[1], internal::parameter(saved_W_.get(*this), gW)};
  if (!b.is_none()) {
    all.push_back(internal::parameter(V1, gV1));
    all.push_back(internal::parameter(V2, gV2));
    all.push_back(internal::parameter(b, gb));
  }
  const std::vector<Variable> grads =
      internal::differentiate_composed(all, gy, [](const std::vector<Variable>& v) {
        Variable y = product_form(v[0], v[1], v[2]);
        if (v.size() > 3) {
          const Variable bias = cast(v[5], y.dtype());
          y = y + linear_form(v[0], v[3]) + linear_form(v[1], v[4]) + bias;
        }
        return std::vector<Variable>{y};
      });
  internal::add_gradient(gW, grads[2]);
  if (!b.is_none()) {
    internal::add_gradient(gV1, grads[3]);
    internal::add_gradient(gV2, grads[4]);
    internal::add_gradient(gb, grads[5]);
  }
  return {grads[0], grads[1]};
}

Variable bilinear(const Variable& e1, const Variable& e2, const Variable& W, const Variable& V1,
                  const Variable& V2, const Variable& b) {
  internal::refuse_none("bilinear", {&e1, &e2, &W});
  check_shapes(e1, e2, W);
  const Variable y = product_form(e1, e2, W);
  if (V1.is_none() && V2.is_none() && b.is_none()) return y;
  internal::refuse_none("bilinear", {&e1, &e2, &W, &V1, &V2, &b});
  const cupyxx::Shape w = W.shape();
  if (V1.shape() != cupyxx::Shape{w[0], w[2]} || V2.shape() != cupyxx::Shape{w[1], w[2]} ||
      b.shape() != cupyxx::Shape{w[2]}) {
    throw cupyxx::ShapeError(cupyxx::message("bilinear: the shapes do not fit; V1 ", V1.shape(),
                                             ", V2 ", V2.shape(), ", b ", b.shape(), " and W ", w));
  }
  return y + linear_form(e1, V1) + linear(as_rows(e2, w[1]), transpose(V2), b);
}

}  // namespace chainerxx::functions
