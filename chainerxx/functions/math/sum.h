// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "chainerxx/function.h"
#include "chainerxx/variable.h"
#include "cupyxx/export.h"
#include "cupyxx/shape.h"

namespace chainerxx::functions {

/// The sum over axes.
class CUPYXX_API Sum final : public FunctionOf<Sum> {
 public:
  explicit Sum(const cupyxx::Axes& axes = {}) : axes_(axes) {}
  void check_type_forward(const typecheck::TypeInfos& in_types) const override;
  std::vector<ndarray> forward(std::span<const ndarray> x) override;
  std::vector<ndarray> backward(std::span<const ndarray> x, std::span<const ndarray> gy) override;
  std::vector<Variable> backward_variables(std::span<const Variable> x,
                                           std::span<const Variable> gy) override;

 private:
  cupyxx::Axes axes_;
};

/// The sum over one axis, several axes, or all of them.
CUPYXX_API Variable sum(const Variable& x, const cupyxx::Axes& axes = {});

}  // namespace chainerxx::functions
