// SPDX-License-Identifier: MIT
// The larger or smaller of two arrays, bounds, roots and squares.
#pragma once

#include <vector>

#include "chainerxx/function.h"
#include "chainerxx/variable.h"
#include "cupyxx/export.h"
#include "cupyxx/scalar.h"

namespace chainerxx::functions {

/// The larger elements of two inputs.
class CUPYXX_API Maximum final : public FunctionOf<Maximum> {
 public:
  void check_type_forward(const typecheck::TypeInfos& in_types) const override;
  std::vector<ndarray> forward(ArraySpan in) override;
  std::vector<ndarray> backward(ArraySpan in, ArraySpan gy) override;
  std::vector<Variable> backward_variables(VariableSpan in, VariableSpan gy) override;
};

/// The smaller elements of two inputs.
class CUPYXX_API Minimum final : public FunctionOf<Minimum> {
 public:
  void check_type_forward(const typecheck::TypeInfos& in_types) const override;
  std::vector<ndarray> forward(ArraySpan in) override;
  std::vector<ndarray> backward(ArraySpan in, ArraySpan gy) override;
  std::vector<Variable> backward_variables(VariableSpan in, VariableSpan gy) override;
};

/// Elements moved to the nearest of two bounds.
class CUPYXX_API Clip final : public FunctionOf<Clip> {
 public:
  /// Throws ValueError unless the first is smaller.
  Clip(double x_min, double x_max);
  void check_type_forward(const typecheck::TypeInfos& in_types) const override;
  std::vector<ndarray> forward(ArraySpan x) override;
  std::vector<ndarray> backward(ArraySpan x, ArraySpan gy) override;
  std::vector<Variable> backward_variables(VariableSpan x, VariableSpan gy) override;

 private:
  double min_, max_;
};

/// The larger elements of x and y, which broadcast; where both are equal the gradient goes to x.
CUPYXX_API Variable maximum(const Variable& x, const Variable& y);
/// The smaller elements of x and y, which broadcast; where both are equal the gradient goes to x.
CUPYXX_API Variable minimum(const Variable& x, const Variable& y);
/// The same with a number, in x's dtype; where x is equal to it the gradient goes to x.
CUPYXX_API Variable maximum(const Variable& x, const cupyxx::Scalar& y);
CUPYXX_API Variable minimum(const Variable& x, const cupyxx::Scalar& y);
inline Variable maximum(const cupyxx::Scalar& y, const Variable& x) { return maximum(x, y); }
inline Variable minimum(const cupyxx::Scalar& y, const Variable& x) { return minimum(x, y); }
template <internal::Numeric T>
Variable maximum(const Variable& x, T y) {
  return maximum(x, cupyxx::Scalar(y));
}
template <internal::Numeric T>
Variable minimum(const Variable& x, T y) {
  return minimum(x, cupyxx::Scalar(y));
}
template <internal::Numeric T>
Variable maximum(T y, const Variable& x) {
  return maximum(x, cupyxx::Scalar(y));
}
template <internal::Numeric T>
Variable minimum(T y, const Variable& x) {
  return minimum(x, cupyxx::Scalar(y));
}
/// min(max(x, x_min), x_max); the gradient passes between the bounds and on them. One of them may
/// be None. Throws ValueError unless x_min is below x_max.
CUPYXX_API Variable clip(const Variable& x, double x_min, double x_max);
template <class Low, class High>
requires internal::OneBound<Low, High> Variable clip(const Variable& x, Low x_min, High x_max) {
  return clip(x, internal::bound(x_min, -1), internal::bound(x_max, 1));
}
/// The square root.
CUPYXX_API Variable sqrt(const Variable& x);
/// x * x.
CUPYXX_API Variable square(const Variable& x);

}  // namespace chainerxx::functions
