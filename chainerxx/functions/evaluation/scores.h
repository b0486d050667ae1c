// SPDX-License-Identifier: MIT
// Scores of binary decisions and of regressions.
#pragma once

#include <cstdint>
#include <vector>

#include "chainerxx/function.h"
#include "chainerxx/variable.h"
#include "cupyxx/export.h"

namespace chainerxx::functions {

/// The share of right binary decisions; not differentiable.
class CUPYXX_API BinaryAccuracy final : public FunctionOf<BinaryAccuracy> {
 public:
  void check_type_forward(const typecheck::TypeInfos& in_types) const override;
  std::vector<ndarray> forward(ArraySpan inputs) override;
};

/// What becomes of the scores of single outputs: their mean, or nothing.
enum class MultiOutput : std::uint8_t { uniform_average, raw_values };

/// The coefficient of determination; not differentiable.
class CUPYXX_API R2Score final : public FunctionOf<R2Score> {
 public:
  explicit R2Score(MultiOutput multioutput = MultiOutput::uniform_average)
      : multioutput_(multioutput) {}
  void check_type_forward(const typecheck::TypeInfos& in_types) const override;
  std::vector<ndarray> forward(ArraySpan inputs) override;

 private:
  MultiOutput multioutput_;
};

/// The share of labels that the sign of the score tells: 1 where y >= 0, else 0, as a 0-d variable
/// of y's dtype. y and t have one shape; t holds 0, 1, or -1, which does not count. 0 when no label
/// counts.
CUPYXX_API Variable binary_accuracy(const Variable& y, const Variable& t);
/// 1 - sum((truth - pred)^2) / sum((truth - mean(truth))^2) over the first axis, for each output or
/// their mean; 0 for an output that does not vary. pred and truth have one shape of at least one
/// axis, whose first holds the samples.
CUPYXX_API Variable r2_score(const Variable& pred, const Variable& truth,
                             MultiOutput multioutput = MultiOutput::uniform_average);

}  // namespace chainerxx::functions
