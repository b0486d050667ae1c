// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "chainerxx/function.h"
#include "chainerxx/variable.h"
#include "cupyxx/export.h"
#include "cupyxx/shape.h"

namespace chainerxx::functions {

/// The sum over axes.
class CUPYXX_API Sum final : public FunctionOf<Sum> {
 public:
  explicit Sum(const AxesArg& axes = {}, bool keepdims = false)
      : axes_(axes), keepdims_(keepdims) {}
  void check_type_forward(const typecheck::TypeInfos& in_types) const override;
  std::vector<ndarray> forward(ArraySpan x) override;
  std::vector<ndarray> backward(ArraySpan x, ArraySpan gy) override;
  std::vector<Variable> backward_variables(VariableSpan x, VariableSpan gy) override;

 private:
  cupyxx::Axes axes_;
  bool keepdims_;
};

/// The sum over one axis, several axes, or all of them.
CUPYXX_API Variable sum(const Variable& x, const AxesArg& axis = {}, bool keepdims = false);
template <std::same_as<ReductionOptions> O = ReductionOptions>
Variable sum(const Variable& x, O options) {
  return sum(x, options.axis, options.keepdims);
}
template <std::same_as<ReductionOptions> O = ReductionOptions>
Variable sum(const Variable& x, const AxesArg& axis, O options) {
  return sum(x, internal::only_axis("sum", axis, options.axis), options.keepdims);
}

}  // namespace chainerxx::functions
