// SPDX-License-Identifier: MIT
// Products over axes, running sums and products, and weighted means.
#pragma once

#include <concepts>
#include <optional>
#include <vector>

#include "chainerxx/axes_arg.h"
#include "chainerxx/function.h"
#include "chainerxx/variable.h"
#include "cupyxx/export.h"
#include "cupyxx/shape.h"

namespace chainerxx::functions {

/// Options of average.
struct AverageOptions {
  AxesArg axis = {};
  Variable weights = {};  ///< None: all the same
  bool keepdims = false;  ///< leaves the reduced axes in place, with extent 1
};

/// The product over axes.
class CUPYXX_API Prod final : public FunctionOf<Prod> {
 public:
  explicit Prod(const AxesArg& axes = {}, bool keepdims = false)
      : axes_(axes), keepdims_(keepdims) {}
  void check_type_forward(const typecheck::TypeInfos& in_types) const override;
  std::vector<ndarray> forward(ArraySpan x) override;
  std::vector<ndarray> backward(ArraySpan x, ArraySpan gy) override;
  std::vector<Variable> backward_variables(VariableSpan x, VariableSpan gy) override;

 private:
  cupyxx::Axes axes_;
  bool keepdims_;
};

/// Sums of all elements up to each, along an axis.
class CUPYXX_API Cumsum final : public FunctionOf<Cumsum> {
 public:
  explicit Cumsum(int axis) : axis_(axis) {}
  void check_type_forward(const typecheck::TypeInfos& in_types) const override;
  std::vector<ndarray> forward(ArraySpan x) override;
  std::vector<ndarray> backward(ArraySpan x, ArraySpan gy) override;
  std::vector<Variable> backward_variables(VariableSpan x, VariableSpan gy) override;

 private:
  int axis_;
};

/// Products of all elements up to each, along an axis.
class CUPYXX_API Cumprod final : public FunctionOf<Cumprod> {
 public:
  explicit Cumprod(int axis) : axis_(axis) {}
  void check_type_forward(const typecheck::TypeInfos& in_types) const override;
  std::vector<ndarray> forward(ArraySpan x) override;
  std::vector<ndarray> backward(ArraySpan x, ArraySpan gy) override;
  std::vector<Variable> backward_variables(VariableSpan x, VariableSpan gy) override;

 private:
  int axis_;
};

/// The product over one axis, several axes, or all of them; 1 over nothing. Its gradients are right
/// beside zeros, too; gradients of gradients take memory of x's size times the number of factors.
CUPYXX_API Variable prod(const Variable& x, const AxesArg& axis = {}, bool keepdims = false);
template <std::same_as<ReductionOptions> O = ReductionOptions>
Variable prod(const Variable& x, O options) {
  return prod(x, options.axis, options.keepdims);
}
template <std::same_as<ReductionOptions> O = ReductionOptions>
Variable prod(const Variable& x, const AxesArg& axis, O options) {
  return prod(x, internal::only_axis("prod", axis, options.axis), options.keepdims);
}
/// The sums of all elements up to each along an axis, or of x as one axis.
CUPYXX_API Variable cumsum(const Variable& x, std::optional<int> axis = {});
template <internal::NoneLike N>
Variable cumsum(const Variable& x, N) {
  return cumsum(x);
}
template <std::same_as<AxisOptions> O = AxisOptions>
Variable cumsum(const Variable& x, O options) {
  return cumsum(x, options.axis);
}
/// The products of all elements up to each along an axis, or of x as one axis. Its gradients are
/// right beside zeros, too; gradients of gradients take memory of x's size times the extent.
CUPYXX_API Variable cumprod(const Variable& x, std::optional<int> axis = {});
template <internal::NoneLike N>
Variable cumprod(const Variable& x, N) {
  return cumprod(x);
}
template <std::same_as<AxisOptions> O = AxisOptions>
Variable cumprod(const Variable& x, O options) {
  return cumprod(x, options.axis);
}
/// The mean over axes: mean().
CUPYXX_API Variable average(const Variable& x, const AxesArg& axis = {});
/// The mean over axes of x weighted by `weights`: sum(weights x) / sum(weights). The weights have
/// x's shape, or one axis of the extent of the only axis that is averaged over. Throws ShapeError
/// for weights of another shape, ValueError where nothing is averaged.
CUPYXX_API Variable average(const Variable& x, const AxesArg& axis, const Variable& weights,
                            bool keepdims = false);
template <std::same_as<AverageOptions> O = AverageOptions>
Variable average(const Variable& x, O options) {
  if (options.weights.is_none()) return mean(x, options.axis, options.keepdims);
  return average(x, options.axis, options.weights, options.keepdims);
}

}  // namespace chainerxx::functions
