// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "chainerxx/function.h"
#include "chainerxx/variable.h"
#include "cupyxx/export.h"

namespace chainerxx::functions {

/// The share of right predictions; not differentiable.
class CUPYXX_API Accuracy final : public FunctionOf<Accuracy> {
 public:
  void check_type_forward(const typecheck::TypeInfos& in_types) const override;
  std::vector<ndarray> forward(ArraySpan inputs) override;
};

/// The share of samples whose largest score along axis 1 is at the label, as a 0-d variable of y's
/// dtype. y is (n, classes, ...), t holds integers of shape (n, ...).
CUPYXX_API Variable accuracy(const Variable& y, const Variable& t);

}  // namespace chainerxx::functions
