// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "chainerxx/function_set.h"
#include "chainerxx/functions/connection/linear.h"
#include "chainerxx/input_size.h"
#include "cupyxx/export.h"

namespace chainerxx::functions {

/// A gated recurrent unit (Cho et al., 2014): h' = (1 - z) h + z tanh(W x + U (r h)) with the gates
/// r = sigmoid(W_r x + U_r h) and z = sigmoid(W_z x + U_z h).
class CUPYXX_API GRU : public FunctionSet {
 public:
  GRU(const InputSize& in_size, std::int64_t units);

  Linear& W_r;
  Linear& U_r;
  Linear& W_z;
  Linear& U_z;
  Linear& W;
  Linear& U;

  /// The next state from a state (n, units) and an input (n, in).
  Variable operator()(const Variable& state, const Variable& x);
};

}  // namespace chainerxx::functions
