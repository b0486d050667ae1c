// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "chainerxx/function.h"
#include "chainerxx/variable.h"
#include "cupyxx/export.h"

namespace chainerxx::functions {

/// Normal numbers of given means and variances, differentiable by both (Kingma and Welling, 2013).
class CUPYXX_API Gaussian final : public FunctionOf<Gaussian> {
 public:
  /// Draws standard normal numbers unless it is given them.
  explicit Gaussian(const ndarray& eps = {}) : eps_(eps) {}
  void check_type_forward(const typecheck::TypeInfos& in_types) const override;
  std::vector<ndarray> forward(ArraySpan in) override;
  std::vector<ndarray> backward(ArraySpan in, ArraySpan gy) override;
  std::vector<Variable> backward_variables(VariableSpan in, VariableSpan gy) override;

 private:
  ndarray eps_;
  ndarray noise_;  // eps times the deviation
};

/// mean + exp(ln_var / 2) times standard normal numbers.
CUPYXX_API Variable gaussian(const Variable& mean, const Variable& ln_var);

}  // namespace chainerxx::functions
