// SPDX-License-Identifier: MIT
// Gradients as values, without touching those that variables carry.
//
//   Variable y = F::pow(x, 3);
//   Variable gx = chainerxx::grad({y}, {x}, {.enable_double_backprop = true})[0];   // 3 x^2
//   Variable ggx = chainerxx::grad({gx}, {x})[0];                                   // 6 x
#pragma once

#include <vector>

#include "chainerxx/variable.h"
#include "cupyxx/export.h"

namespace chainerxx {

/// Options of grad.
struct GradOptions {
  /// Gradients of the outputs; a null one, and all when the list is empty, is 1 for each element.
  std::vector<Variable> grad_outputs = {};
  /// Gradients that the inputs have already, to be added to; empty for none.
  std::vector<Variable> grad_inputs = {};
  bool set_grad = false;     ///< leaves the results at the inputs as well: Variable::grad_var()
  bool retain_grad = false;  ///< leaves the gradients at intermediate variables on the way
  /// Makes results that have gradients themselves.
  bool enable_double_backprop = false;
};

/// The gradients of the sum of `outputs`, weighted by `grad_outputs`, by `inputs`; null for an
/// input that the outputs do not depend on. Goes no further than the inputs, and does not add to
/// the gradients of parameters that functions own: a backward() through the results does that.
/// A parameter of a layer may be an input, `grad({loss}, {model.l1.W})`: its gradient is what
/// backward() would add to gW, wherever the outputs use it.
/// Each has elements of its own, which may be scaled in place.
/// Throws ValueError for lists that do not fit.
CUPYXX_API std::vector<Variable> grad(const std::vector<Variable>& outputs,
                                      const std::vector<Variable>& inputs,
                                      const GradOptions& options = {});

}  // namespace chainerxx
