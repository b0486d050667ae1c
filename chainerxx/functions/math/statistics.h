// SPDX-License-Identifier: MIT
// Variances and standard deviations over axes.
#pragma once

#include <concepts>
#include <vector>

#include "chainerxx/axes_arg.h"
#include "chainerxx/function.h"
#include "chainerxx/variable.h"
#include "cupyxx/export.h"

namespace chainerxx::functions {

/// What Var and Std share.
template <class Derived, bool kIsRoot>
class CUPYXX_API Spread : public FunctionOf<Derived> {
 public:
  void check_type_forward(const typecheck::TypeInfos& in_types) const override;
  std::vector<ndarray> forward(ArraySpan x) override;
  std::vector<ndarray> backward(ArraySpan x, ArraySpan gy) override;
  std::vector<Variable> backward_variables(VariableSpan x, VariableSpan gy) override;

 protected:
  explicit Spread(const VarianceOptions& options) : options_(options) {}

 private:
  VarianceOptions options_;
  internal::SavedArray y_;  // of a root
};

/// The variance over axes.
class CUPYXX_API Var final : public Spread<Var, false> {
 public:
  explicit Var(const VarianceOptions& options = {}) : Spread(options) {}
};
/// The standard deviation over axes.
class CUPYXX_API Std final : public Spread<Std, true> {
 public:
  explicit Std(const VarianceOptions& options = {}) : Spread(options) {}
};
extern template class Spread<Var, false>;
extern template class Spread<Std, true>;

/// The mean of squared distances from the mean, over axes: NumPy's var, of all elements as they
/// are. PyTorch's divides by one less, which is `{.ddof = 1}` here. Throws ValueError where ddof
/// leaves nothing to divide by.
CUPYXX_API Variable var(const Variable& x, const AxesArg& axis = {}, bool keepdims = false);
template <std::same_as<VarianceOptions> O = VarianceOptions>
Variable var(const Variable& x, O options) {
  return Var(options)(x);
}
template <std::same_as<VarianceOptions> O = VarianceOptions>
Variable var(const Variable& x, const AxesArg& axis, O options) {
  options.axis = internal::only_axis("var", axis, options.axis);
  return Var(options)(x);
}
/// The root of the variance. Where all elements are equal no gradient flows.
CUPYXX_API Variable std(const Variable& x, const AxesArg& axis = {}, bool keepdims = false);
template <std::same_as<VarianceOptions> O = VarianceOptions>
Variable std(const Variable& x, O options) {
  return Std(options)(x);
}
template <std::same_as<VarianceOptions> O = VarianceOptions>
Variable std(const Variable& x, const AxesArg& axis, O options) {
  options.axis = internal::only_axis("std", axis, options.axis);
  return Std(options)(x);
}

}  // namespace chainerxx::functions
