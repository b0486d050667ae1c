// SPDX-License-Identifier: MIT
#include "chainerxx/functions/math/matrices.h"

#include <vector>

#include "chainerxx/function.h"
#include "chainerxx/functions/array/array.h"
#include "chainerxx/functions/array/axes.h"
#include "chainerxx/functions/array/broadcasting.h"
#include "chainerxx/functions/array/cast.h"
#include "chainerxx/functions/math/arithmetic.h"
#include "chainerxx/functions/math/matmul.h"
#include "chainerxx/internal/narrow_types.h"
#include "chainerxx/scope.h"
#include "cupyxx/creation.h"
#include "cupyxx/linalg.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/math.h"
#include "typecheck/expect.h"

namespace chainerxx::functions {
namespace {

cupyxx::dtype computed(cupyxx::dtype type) {
  return internal::is_narrow(type) ? cupyxx::float32 : type;
}
ndarray wide(const ndarray& a) { return a.astype(computed(a.dtype()), false); }
Variable wide(const Variable& a) { return cast(a, computed(a.dtype())); }

ndarray transposed(const ndarray& a) { return a.swapaxes(a.ndim() - 2, a.ndim() - 1); }
Variable transposed(const Variable& a) { return swapaxes(a, -2, -1); }

Variable product(const Variable& a, const Variable& b) {
  return a.ndim() == 2 ? matmul(a, b) : batch_matmul(a, b);
}

/// gy for each element of a matrix: numbers as (..., 1, 1).
ndarray per_matrix(const ndarray& gy) {
  return cupyxx::expand_dims(cupyxx::expand_dims(gy, gy.ndim()), gy.ndim() + 1);
}
Variable per_matrix(const Variable& gy) { return expand_dims(expand_dims(gy, -1), -1); }

/// Functions of square matrices, one or, where `is_batch` allows, many.
template <class Derived>
class OfMatrices : public FunctionOf<Derived> {
 public:
  OfMatrices(const char* name, int least, int most) : name_(name), least_(least), most_(most) {}
  std::string label() const override { return name_; }
  void check_type_forward(const typecheck::TypeInfos& in) const override {
    typecheck::expect(in.size() == 1);
    const auto a = in[0];
    typecheck::expect(a.dtype().kind() == 'f', a.ndim() >= least_, a.ndim() <= most_,
                      a.shape()[-2] == a.shape()[-1]);
  }

 protected:
  internal::SavedArray y_;

 private:
  const char* name_;
  int least_, most_;
};

class Inverse final : public OfMatrices<Inverse> {
 public:
  using OfMatrices::OfMatrices;
  std::vector<ndarray> forward(ArraySpan a) override {
    retain_inputs({});
    const ndarray y = cupyxx::linalg::inv(wide(a[0])).astype(a[0].dtype(), false);
    if (records()) y_ = internal::SavedArray(y);
    return {y};
  }
  std::vector<ndarray> backward(ArraySpan, ArraySpan gy) override {
    const ndarray t = transposed(wide(y_.get(*this)));
    const ndarray ga = -cupyxx::matmul(cupyxx::matmul(t, wide(gy[0])), t);
    return {ga.astype(gy[0].dtype(), false)};
  }
  std::vector<Variable> backward_variables(VariableSpan, VariableSpan gy) override {
    const PrecisionScope full(Precision::float32);
    const Variable t = transposed(wide(output_variable(0, y_.get(*this))));
    return {cast(-product(product(t, wide(gy[0])), t), gy[0].dtype())};
  }
};

class Determinant final : public OfMatrices<Determinant> {
 public:
  using OfMatrices::OfMatrices;
  std::vector<ndarray> forward(ArraySpan a) override {
    const ndarray y = cupyxx::linalg::det(wide(a[0])).astype(a[0].dtype(), false);
    if (records()) y_ = internal::SavedArray(y);
    return {y};
  }
  std::vector<ndarray> backward(ArraySpan a, ArraySpan gy) override {
    const ndarray scale = per_matrix(wide(gy[0]) * wide(y_.get(*this)));
    const ndarray ga = transposed(cupyxx::linalg::inv(wide(a[0]))) * scale;
    return {ga.astype(a[0].dtype(), false)};
  }
  std::vector<Variable> backward_variables(VariableSpan a, VariableSpan gy) override {
    const PrecisionScope full(Precision::float32);
    const Variable scale = per_matrix(wide(gy[0]) * wide(output_variable(0, y_.get(*this))));
    const Variable inverse = transposed(Inverse("inv", 2, 3)(wide(a[0])));
    return {cast(inverse * broadcast_to(scale, a[0].shape()), a[0].dtype())};
  }
};

class Cholesky final : public OfMatrices<Cholesky> {
 public:
  using OfMatrices::OfMatrices;
  std::vector<ndarray> forward(ArraySpan a) override {
    retain_inputs({});
    const ndarray y = cupyxx::linalg::cholesky(wide(a[0])).astype(a[0].dtype(), false);
    if (records()) y_ = internal::SavedArray(y);
    return {y};
  }
  std::vector<ndarray> backward(ArraySpan, ArraySpan gy) override {
    const ndarray l = wide(y_.get(*this)), inverse = cupyxx::linalg::inv(l);
    const ndarray lower = cupyxx::matmul(transposed(l), wide(gy[0])) * triangle(l);
    const ndarray half = cupyxx::matmul(cupyxx::matmul(transposed(inverse), lower), inverse);
    return {((half + transposed(half)) * 0.5).astype(gy[0].dtype(), false)};
  }
  std::vector<Variable> backward_variables(VariableSpan, VariableSpan gy) override {
    const PrecisionScope full(Precision::float32);
    const Variable l = wide(output_variable(0, y_.get(*this)));
    const Variable inverse = Inverse("inv", 2, 3)(l);
    const Variable mask = cupyxx::broadcast_to(triangle(l.data()), l.shape());
    const Variable lower = product(transposed(l), wide(gy[0])) * mask;
    const Variable half = product(product(transposed(inverse), lower), inverse);
    return {cast((half + transposed(half)) * 0.5, gy[0].dtype())};
  }

 private:
  /// Ones below the diagonal, halves on it.
  static ndarray triangle(const ndarray& l) {
    const cupyxx::DeviceScope device(l.device());
    const std::int64_t n = l.shape()[l.ndim() - 1];
    return cupyxx::tri(n, n, 0, l.dtype()) - cupyxx::eye(n, n, 0, l.dtype()) * 0.5;
  }
};

}  // namespace

Variable inv(const Variable& a) { return Inverse("inv", 2, 2)(a); }
Variable batch_inv(const Variable& a) { return Inverse("batch_inv", 3, 3)(a); }
Variable det(const Variable& a) { return Determinant("det", 2, 2)(a); }
Variable batch_det(const Variable& a) { return Determinant("batch_det", 3, 3)(a); }
Variable cholesky(const Variable& a) { return Cholesky("cholesky", 2, 3)(a); }

}  // namespace chainerxx::functions
