// SPDX-License-Identifier: MIT
// Debug mode: finds the function that first produced a NaN or an infinity.
#pragma once

#include "chainerxx/function.h"
#include "cupyxx/ndarray.h"

namespace chainerxx::internal {

/// Throws ValueError for a result with a NaN, or an infinity, where no input has one. Waits.
void check_results(const Function& f, ArraySpan inputs, ArraySpan results);

/// Throws ValueError where two finite gradients have an infinite sum.
void check_sum(const Function& f, std::size_t input, const ndarray& before, const ndarray& gx,
               const ndarray& sum);

/// What a function was given for its backward; then looks at what it gave.
class GradientCheck {
 public:
  GradientCheck(Function& f, ArraySpan inputs, ArraySpan grad_outputs);
  /// Throws ValueError for a gradient of an input or parameter with a NaN, or an infinity, where
  /// nothing that was given has one.
  void compare(ArraySpan grads) const;

 private:
  Function& f_;
  int given_ = 0;  // the worst kind of number among inputs, parameters and gradients
};

}  // namespace chainerxx::internal
