// SPDX-License-Identifier: MIT
#include "chainerxx/functions/math/matmul.h"

#include <algorithm>

#include "chainerxx/functions/array/array.h"
#include "chainerxx/functions/array/axes.h"
#include "chainerxx/functions/array/copying.h"
#include "chainerxx/internal/sum_to.h"
#include "cupyxx/linalg.h"
#include "cupyxx/manipulation.h"
#include "typecheck/expect.h"

namespace chainerxx::functions {
namespace {

/// The operand as at least `ndim` axes, a column where the last one lacks.
ndarray with_column(const ndarray& x, int ndim) {
  return x.ndim() < ndim ? cupyxx::expand_dims(x, x.ndim()) : x;
}

Variable with_column(const Variable& x, int ndim) {
  return x.ndim() < ndim ? expand_dims(x, x.ndim()) : x;
}

ndarray turned(const ndarray& x, bool transposed) {
  return transposed ? x.swapaxes(x.ndim() - 2, x.ndim() - 1) : x;
}
Variable turned(const Variable& x, bool transposed) {
  return transposed ? swapaxes(x, x.ndim() - 2, x.ndim() - 1) : x;
}

/// The rows of all matrices of a batch, one below the other.
cupyxx::Shape rows_of(const cupyxx::Shape& shape) {
  const std::int64_t width = shape[shape.ndim() - 1];
  std::int64_t rows = 1;
  for (int i = 0; i + 1 < shape.ndim(); ++i) rows *= shape[i];
  return {rows, width};
}

/// The gradient of the second of two turned operands, before it is summed to its shape. That of one
/// matrix beside a batch is a product of all rows at once, not a sum of many products.
ndarray grad_of_second(const ndarray& a, const ndarray& gy, int ndim) {
  if (ndim == 2 && gy.ndim() > 2 && a.ndim() == gy.ndim()) {
    return cupyxx::gemm(a.reshape(rows_of(a.shape())).T(), gy.reshape(rows_of(gy.shape())));
  }
  return cupyxx::matmul(turned(a, true), gy);
}
Variable grad_of_second(const Variable& a, const Variable& gy, int ndim) {
  if (ndim == 2 && gy.ndim() > 2 && a.ndim() == gy.ndim()) {
    return matmul(reshape(a, rows_of(a.shape())), reshape(gy, rows_of(gy.shape())), true);
  }
  return matmul(a, gy, true);
}

/// The gradients of batches of matrices, of arrays or variables.
template <class A, class Product, class SumTo>
std::vector<A> grads_of_batches(const A& first, const A& second, const A& gy, bool transa,
                                bool transb, bool needs_first, bool needs_second,
                                const Product& product, const SumTo& sum_to) {
  std::vector<A> grads(2);
  if (needs_first) {
    const A g = product(gy, turned(turned(second, transb), true));
    grads[0] = sum_to(turned(g, transa), first.shape());
  }
  if (needs_second) {
    const A g = grad_of_second(turned(first, transa), gy, second.ndim());
    grads[1] = sum_to(turned(g, transb), second.shape());
  }
  return grads;
}

/// The type check of operands that are not both vectors or matrices.
void expect_batches(const typecheck::TypeInfos& in, bool transa, bool transb) {
  const auto a = in[0], b = in[1];
  typecheck::expect(a.ndim() >= 2, b.ndim() >= 2,
                    a.shape()[transa ? -2 : -1] == b.shape()[transb ? -1 : -2]);
  const cupyxx::Shape &left = in.types()[0].shape(), &right = in.types()[1].shape();
  for (int back = 3; back <= std::min(left.ndim(), right.ndim()); ++back) {
    const std::int64_t m = left[left.ndim() - back], n = right[right.ndim() - back];
    if (m != n && m != 1 && n != 1) typecheck::expect(a.shape()[-back] == b.shape()[-back]);
  }
}

bool are_batches(int ndim_a, int ndim_b) { return ndim_a > 2 || ndim_b > 2; }

}  // namespace

void MatMul::check_type_forward(const typecheck::TypeInfos& in) const {
  typecheck::expect(in.size() == 2);
  const auto a = in[0], b = in[1];
  typecheck::expect(a.dtype().kind() == 'f', b.dtype() == a.dtype(), a.ndim() >= 1, b.ndim() >= 1);
  if (are_batches(in.types()[0].shape().ndim(), in.types()[1].shape().ndim())) {
    return expect_batches(in, transa_, transb_);
  }
  const bool a_is_vector = in.types()[0].shape().ndim() == 1;
  const bool b_is_vector = in.types()[1].shape().ndim() == 1;
  // A transposed vector has one row, and as its inner extent its length; else 1.
  const typecheck::Variable one(1, "1");
  if (a_is_vector && !transa_) {
    if (b_is_vector && !transb_) {
      typecheck::expect(one == b.shape()[0]);
    } else if (!b_is_vector) {
      typecheck::expect(one == b.shape()[transb_ ? 1 : 0]);
    }
    return;
  }
  const int inner_a = a_is_vector || transa_ ? 0 : 1;
  if (b_is_vector && transb_) {
    typecheck::expect(a.shape()[inner_a] == one);
  } else {
    typecheck::expect(a.shape()[inner_a] == b.shape()[b_is_vector || !transb_ ? 0 : 1]);
  }
}

std::vector<ndarray> MatMul::forward(ArraySpan in) {
  if (are_batches(in[0].ndim(), in[1].ndim())) {
    return {cupyxx::matmul(turned(in[0], transa_), turned(in[1], transb_))};
  }
  return {
      cupyxx::gemm(turned(with_column(in[0], 2), transa_), turned(with_column(in[1], 2), transb_))};
}

std::vector<ndarray> MatMul::backward(ArraySpan in, ArraySpan gy) {
  if (are_batches(in[0].ndim(), in[1].ndim())) {
    return grads_of_batches(
        in[0], in[1], gy[0], transa_, transb_, needs_gradient(0), needs_gradient(1),
        [](const ndarray& a, const ndarray& b) { return cupyxx::matmul(a, b); },
        [](const ndarray& g, const cupyxx::Shape& shape) { return internal::sum_to(g, shape); });
  }
  const ndarray a = turned(with_column(in[0], 2), transa_);
  const ndarray b = turned(with_column(in[1], 2), transb_);
  std::vector<ndarray> grads(2);
  if (needs_gradient(0)) {
    grads[0] =
        (transa_ ? cupyxx::gemm(b, gy[0].T()) : cupyxx::gemm(gy[0], b.T())).reshape(in[0].shape());
  }
  if (needs_gradient(1)) {
    grads[1] =
        (transb_ ? cupyxx::gemm(gy[0].T(), a) : cupyxx::gemm(a.T(), gy[0])).reshape(in[1].shape());
  }
  return grads;
}

std::vector<Variable> MatMul::backward_variables(VariableSpan in, VariableSpan gy) {
  if (are_batches(in[0].ndim(), in[1].ndim())) {
    return grads_of_batches(
        in[0], in[1], gy[0], transa_, transb_, needs_gradient(0), needs_gradient(1),
        [](const Variable& a, const Variable& b) { return matmul(a, b); },
        [](const Variable& g, const cupyxx::Shape& shape) { return sum_to(g, shape); });
  }
  const Variable a = with_column(in[0], 2), b = with_column(in[1], 2);
  std::vector<Variable> grads(2);
  if (needs_gradient(0)) {
    grads[0] =
        reshape(transa_ ? matmul(b, gy[0], transb_, true) : matmul(gy[0], b, false, !transb_),
                in[0].shape());
  }
  if (needs_gradient(1)) {
    grads[1] =
        reshape(transb_ ? matmul(gy[0], a, true, transa_) : matmul(a, gy[0], !transa_, false),
                in[1].shape());
  }
  return grads;
}

void BatchMatMul::check_type_forward(const typecheck::TypeInfos& in) const {
  typecheck::expect(in.size() == 2);
  const auto a = in[0], b = in[1];
  typecheck::expect(a.dtype().kind() == 'f', b.dtype() == a.dtype(), a.ndim() >= 2, b.ndim() >= 2);
  const int ndim_a = in.types()[0].shape().ndim(), ndim_b = in.types()[1].shape().ndim();
  const auto extent = [](int ndim, bool transposed, bool first) {
    // Of a batch of vectors the column has extent 1, which no axis shows.
    return ndim == 2 ? (transposed == first ? -1 : 0) : (transposed == first ? -2 : -1);
  };
  const int inner_a = extent(ndim_a, transa_, true), inner_b = extent(ndim_b, !transb_, true);
  const typecheck::Variable one(1, "1");
  if (inner_a != 0 && inner_b != 0) {
    typecheck::expect(a.shape()[inner_a] == b.shape()[inner_b]);
  } else if (inner_a != 0) {
    typecheck::expect(a.shape()[inner_a] == one);
  } else if (inner_b != 0) {
    typecheck::expect(one == b.shape()[inner_b]);
  }
  if (ndim_a <= 3 && ndim_b <= 3 && in.types()[0].shape()[0] != 1 &&
      in.types()[1].shape()[0] != 1) {
    typecheck::expect(a.shape()[0] == b.shape()[0]);
  }
}

std::vector<ndarray> BatchMatMul::forward(ArraySpan in) {
  return {cupyxx::matmul(turned(with_column(in[0], 3), transa_),
                         turned(with_column(in[1], 3), transb_))};
}

std::vector<ndarray> BatchMatMul::backward(ArraySpan in, ArraySpan gy) {
  const ndarray own_a = with_column(in[0], 3), own_b = with_column(in[1], 3);
  const ndarray a = turned(own_a, transa_), b = turned(own_b, transb_);
  std::vector<ndarray> grads(2);
  if (needs_gradient(0)) {
    const ndarray g =
        transa_ ? cupyxx::matmul(b, turned(gy[0], true)) : cupyxx::matmul(gy[0], turned(b, true));
    grads[0] = internal::sum_to(g, own_a.shape()).reshape(in[0].shape());
  }
  if (needs_gradient(1)) {
    const ndarray g =
        transb_ ? cupyxx::matmul(turned(gy[0], true), a) : cupyxx::matmul(turned(a, true), gy[0]);
    grads[1] = internal::sum_to(g, own_b.shape()).reshape(in[1].shape());
  }
  return grads;
}

std::vector<Variable> BatchMatMul::backward_variables(VariableSpan in, VariableSpan gy) {
  const Variable a = with_column(in[0], 3), b = with_column(in[1], 3);
  std::vector<Variable> grads(2);
  if (needs_gradient(0)) {
    const Variable g =
        transa_ ? batch_matmul(b, gy[0], transb_, true) : batch_matmul(gy[0], b, false, !transb_);
    grads[0] = reshape(sum_to(g, a.shape()), in[0].shape());
  }
  if (needs_gradient(1)) {
    const Variable g =
        transb_ ? batch_matmul(gy[0], a, true, transa_) : batch_matmul(a, gy[0], !transa_, false);
    grads[1] = reshape(sum_to(g, b.shape()), in[1].shape());
  }
  return grads;
}

Variable matmul(const Variable& a, const Variable& b, bool transa, bool transb) {
  return MatMul(transa, transb)(a, b);
}
Variable batch_matmul(const Variable& a, const Variable& b, bool transa, bool transb) {
  return BatchMatMul(transa, transb)(a, b);
}

}  // namespace chainerxx::functions
