// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "chainerxx/function.h"
#include "chainerxx/variable.h"
#include "cupyxx/export.h"

namespace chainerxx::functions {

/// The mean of the squared differences of two arrays.
class CUPYXX_API MeanSquaredError final : public FunctionOf<MeanSquaredError> {
 public:
  void check_type_forward(const typecheck::TypeInfos& in_types) const override;
  std::vector<ndarray> forward(ArraySpan x) override;
  std::vector<ndarray> backward(ArraySpan x, ArraySpan gy) override;
  std::vector<Variable> backward_variables(VariableSpan x, VariableSpan gy) override;
  PrecisionRule precision_rule() const override { return PrecisionRule::wide; }

 private:
  ndarray difference_;
};

/// The mean of (x0 - x1)^2 over all elements, as a 0-d variable; 0 when there are none.
CUPYXX_API Variable mean_squared_error(const Variable& x0, const Variable& x1);

}  // namespace chainerxx::functions
