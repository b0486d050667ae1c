// SPDX-License-Identifier: MIT
// Recurrent cells.
#pragma once

#include <vector>

#include "chainerxx/function.h"
#include "chainerxx/variable.h"
#include "chainerxx/variable_array.h"
#include "cupyxx/export.h"

namespace chainerxx::functions {

/// One step of long short-term memory with forget gates (Gers et al., 2000), without peepholes.
class CUPYXX_API LSTM final : public FunctionOf<LSTM, 2> {
 public:
  LSTM() = default;
  /// Not the layer.
  template <cupyxx::internal::AxisNumber I>
  LSTM(I, I) {
    static_assert(internal::kNever<I>,
                  "the layer stands in chainerxx::links: write L::LSTM(in_size, out_size); "
                  "functions::LSTM is its step, without weights");
  }
  void check_type_forward(const typecheck::TypeInfos& in_types) const override;
  std::vector<ndarray> forward(ArraySpan in) override;
  std::vector<ndarray> backward(ArraySpan in, ArraySpan gy) override;
  std::vector<Variable> backward_variables(VariableSpan in, VariableSpan gy) override;
  PrecisionRule precision_rule() const override { return PrecisionRule::narrow; }

 private:
  internal::SavedArray c_;
};

/// The next cells and hidden states `{c, h}` from the cells c_prev (n, units) and x (n, 4 units),
/// whose columns are a, i, f, o of unit 0, then of unit 1, ...:
/// c = tanh(a) sigmoid(i) + c_prev sigmoid(f), h = tanh(c) sigmoid(o).
CUPYXX_API VariableArray<2> lstm(const Variable& c_prev, const Variable& x);

}  // namespace chainerxx::functions
