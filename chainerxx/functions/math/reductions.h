// SPDX-License-Identifier: MIT
// Extremes, means and logarithms of sums over axes.
#pragma once

#include <concepts>
#include <optional>
#include <vector>

#include "chainerxx/function.h"
#include "chainerxx/variable.h"
#include "cupyxx/export.h"
#include "cupyxx/shape.h"

namespace chainerxx::functions {

/// Options of logsumexp.
struct LogSumExpOptions {
  AxesArg axis = {};
};

/// What Max and Min share.
template <class Derived, bool kLargest>
class CUPYXX_API Extreme : public FunctionOf<Derived> {
 public:
  void check_type_forward(const typecheck::TypeInfos& in_types) const override;
  std::vector<ndarray> forward(ArraySpan x) override;
  std::vector<ndarray> backward(ArraySpan x, ArraySpan gy) override;
  std::vector<Variable> backward_variables(VariableSpan x, VariableSpan gy) override;

 protected:
  Extreme(const cupyxx::Axes& axes, bool keepdims) : axes_(axes), keepdims_(keepdims) {}

 private:
  cupyxx::Axes axes_;
  bool keepdims_;
  internal::SavedArray y_;
};

/// The largest elements over axes.
class CUPYXX_API Max final : public Extreme<Max, true> {
 public:
  explicit Max(const AxesArg& axes = {}, bool keepdims = false) : Extreme(axes, keepdims) {}
};

/// The smallest elements over axes.
class CUPYXX_API Min final : public Extreme<Min, false> {
 public:
  explicit Min(const AxesArg& axes = {}, bool keepdims = false) : Extreme(axes, keepdims) {}
};

extern template class Extreme<Max, true>;
extern template class Extreme<Min, false>;

/// The mean over axes.
class CUPYXX_API Mean final : public FunctionOf<Mean> {
 public:
  explicit Mean(const AxesArg& axes = {}, bool keepdims = false)
      : axes_(axes), keepdims_(keepdims) {}
  void check_type_forward(const typecheck::TypeInfos& in_types) const override;
  std::vector<ndarray> forward(ArraySpan x) override;
  std::vector<ndarray> backward(ArraySpan x, ArraySpan gy) override;
  std::vector<Variable> backward_variables(VariableSpan x, VariableSpan gy) override;

 private:
  cupyxx::Axes axes_;
  bool keepdims_;
};

/// log(sum(exp(x))) over axes.
class CUPYXX_API LogSumExp final : public FunctionOf<LogSumExp> {
 public:
  explicit LogSumExp(const AxesArg& axes = {}) : axes_(axes) {}
  void check_type_forward(const typecheck::TypeInfos& in_types) const override;
  std::vector<ndarray> forward(ArraySpan x) override;
  std::vector<ndarray> backward(ArraySpan x, ArraySpan gy) override;
  std::vector<Variable> backward_variables(VariableSpan x, VariableSpan gy) override;

 private:
  cupyxx::Axes axes_;
  internal::SavedArray y_;  // with the reduced axes kept
};

/// The largest elements over axes; each element that is the largest receives the gradient.
CUPYXX_API Variable max(const Variable& x, const AxesArg& axis = {}, bool keepdims = false);
template <std::same_as<ReductionOptions> O = ReductionOptions>
Variable max(const Variable& x, O options) {
  return max(x, options.axis, options.keepdims);
}
template <std::same_as<ReductionOptions> O = ReductionOptions>
Variable max(const Variable& x, const AxesArg& axis, O options) {
  return max(x, internal::only_axis("max", axis, options.axis), options.keepdims);
}
/// The smallest elements over axes.
CUPYXX_API Variable min(const Variable& x, const AxesArg& axis = {}, bool keepdims = false);
template <std::same_as<ReductionOptions> O = ReductionOptions>
Variable min(const Variable& x, O options) {
  return min(x, options.axis, options.keepdims);
}
template <std::same_as<ReductionOptions> O = ReductionOptions>
Variable min(const Variable& x, const AxesArg& axis, O options) {
  return min(x, internal::only_axis("min", axis, options.axis), options.keepdims);
}
/// The mean over axes; throws ValueError where nothing is to be averaged.
CUPYXX_API Variable mean(const Variable& x, const AxesArg& axis = {}, bool keepdims = false);
template <std::same_as<ReductionOptions> O = ReductionOptions>
Variable mean(const Variable& x, O options) {
  return mean(x, options.axis, options.keepdims);
}
template <std::same_as<ReductionOptions> O = ReductionOptions>
Variable mean(const Variable& x, const AxesArg& axis, O options) {
  return mean(x, internal::only_axis("mean", axis, options.axis), options.keepdims);
}
/// Where the largest element along an axis stands, of several the first; of x as one axis without
/// an axis. int32, without a gradient. Throws ValueError where there are no elements, AxisError for
/// an axis that x lacks.
CUPYXX_API Variable argmax(const Variable& x, std::optional<int> axis = {});
template <internal::NoneLike N>
Variable argmax(const Variable& x, N) {
  return argmax(x);
}
template <std::same_as<AxisOptions> O = AxisOptions>
Variable argmax(const Variable& x, O options) {
  return argmax(x, options.axis);
}
/// The same of the smallest element.
CUPYXX_API Variable argmin(const Variable& x, std::optional<int> axis = {});
template <internal::NoneLike N>
Variable argmin(const Variable& x, N) {
  return argmin(x);
}
template <std::same_as<AxisOptions> O = AxisOptions>
Variable argmin(const Variable& x, O options) {
  return argmin(x, options.axis);
}
/// log(sum(exp(x))) over axes, without overflow.
CUPYXX_API Variable logsumexp(const Variable& x, const AxesArg& axis = {});
template <std::same_as<LogSumExpOptions> O = LogSumExpOptions>
Variable logsumexp(const Variable& x, O options) {
  return logsumexp(x, options.axis);
}

}  // namespace chainerxx::functions
