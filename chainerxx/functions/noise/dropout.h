// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <vector>

#include "chainerxx/function.h"
#include "chainerxx/scope.h"
#include "chainerxx/variable.h"
#include "cupyxx/export.h"
#include "cupyxx/ops/philox.h"

namespace chainerxx::functions {

/// Sets elements to 0 with probability `ratio` and divides the others by 1 - ratio. The numbers
/// come from the default stream of the input's device, one after another in C order or, for images
/// that lie channels last, in that of their memory, and are the same on every kind of device; only
/// their place in the stream is kept for backward. With a mask of 0 and 1 / (1 - ratio) it
/// multiplies by that instead.
class CUPYXX_API Dropout final : public FunctionOf<Dropout> {
 public:
  /// Throws ValueError unless 0 <= ratio < 1.
  explicit Dropout(double ratio = 0.5, const ndarray& mask = {});
  void check_type_forward(const typecheck::TypeInfos& in_types) const override;
  std::vector<ndarray> forward(ArraySpan x) override;
  std::vector<ndarray> backward(ArraySpan x, ArraySpan gy) override;
  std::vector<Variable> backward_variables(VariableSpan x, VariableSpan gy) override;

 private:
  ndarray dropped(const ndarray& x) const;

  double ratio_;
  ndarray mask_;
  cupyxx::random::PhiloxState state_{};
  bool channels_last_ = false;  // the order in which numbers were drawn
  bool replays_ = false;        // the mask of state_, which an earlier application drew
};

/// Options of dropout.
struct DropoutOptions {
  double ratio = 0.5;
  bool train = is_training();
};

/// Dropout when `train`, else x itself.
CUPYXX_API Variable dropout(const Variable& x, double ratio = 0.5, bool train = is_training());
CUPYXX_API Variable dropout(const Variable& x, const DropoutOptions& options);
template <std::same_as<bool> B>
Variable dropout(const Variable& x, B train) = delete;  // the ratio comes first

}  // namespace chainerxx::functions
