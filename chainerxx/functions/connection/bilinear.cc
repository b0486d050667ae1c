// SPDX-License-Identifier: MIT
#include "chainerxx/functions/connection/bilinear.h"

#include <cmath>

#include "chainerxx/functions/array/array.h"
#include "chainerxx/functions/array/axes.h"
#include "chainerxx/functions/array/cast.h"
#include "chainerxx/functions/array/copying.h"
#include "chainerxx/functions/math/matmul.h"
#include "chainerxx/internal/array_ops.h"
#include "chainerxx/internal/graph.h"
#include "chainerxx/internal/initial_value.h"
#include "chainerxx/internal/parameter_variable.h"
#include "chainerxx/internal/precision.h"
#include "chainerxx/internal/takes_beside.h"
#include "cupyxx/creation.h"
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

Bilinear::Bilinear(std::int64_t left_size, std::int64_t right_size, std::int64_t out_size,
                   const BilinearOptions& options) {
  internal::check_sizes("Bilinear", {left_size, right_size, out_size});
  internal::check_floating("Bilinear", options.dtype);
  if (internal::skips_initialization()) return;
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
  cupyxx::gemm(row_products(e1, e2).T(), gy[0], {.out = pairs(gW), .accumulate = true});
  if (!b.is_none()) {
    cupyxx::gemm(e1.T(), gy[0], {.out = gV1, .accumulate = true});
    cupyxx::gemm(e2.T(), gy[0], {.out = gV2, .accumulate = true});
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
        const cupyxx::Shape w = v[2].shape();
        const std::int64_t n = v[0].shape()[0];
        const Variable e1 = reshape(v[0], {n, w[0]}), e2 = reshape(v[1], {n, w[1]});
        const auto pairs = broadcast({expand_dims(e1, 2), expand_dims(e2, 1)});
        const Variable products = reshape(pairs[0] * pairs[1], {n, w[0] * w[1]});
        Variable y = matmul(products, reshape(v[2], {w[0] * w[1], w[2]}));
        if (v.size() > 3) {
          const Variable bias = cast(v[5], y.dtype());
          y = y + matmul(e1, v[3]) + matmul(e2, v[4]) + broadcast_to(bias, y.shape());
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

}  // namespace chainerxx::functions
