// SPDX-License-Identifier: MIT
// Cells with few gates, and cells that keep some of their state by chance.
#pragma once

#include <cstdint>

#include "chainerxx/function_set.h"
#include "chainerxx/functions/connection/linear.h"
#include "chainerxx/scope.h"
#include "chainerxx/variable.h"
#include "cupyxx/export.h"

namespace chainerxx::functions {

/// The minimal gated unit (Zhou et al., 2016), which has one gate: h' = (1 - f) h + f tanh(W_h [f
/// h, x]) with f = sigmoid(W_f [h, x]).
class CUPYXX_API StatelessMGU : public FunctionSet {
 public:
  StatelessMGU(std::int64_t in_size, std::int64_t out_size);

  Linear& W_f;  ///< (out, out + in), the state's columns first
  Linear& W_h;  ///< the same

  /// The next state from a state (n, out) and an input (n, in).
  Variable operator()(const Variable& h, const Variable& x) const;
};

/// The minimal gated unit that keeps its state from call to call.
class CUPYXX_API StatefulMGU final : public StatelessMGU {
 public:
  StatefulMGU(std::int64_t in_size, std::int64_t out_size);

  /// The next state (n, out) from an input (n, in); the first follows zeros.
  Variable operator()(const Variable& x);
  /// Forgets the state: the next call starts from zeros.
  void reset_state();
  /// Sets the state, (n, out).
  void set_state(const Variable& h);
  /// The state; null at the start.
  const Variable& h() const { return h_; }

 private:
  Variable h_;
};

/// Long short-term memory that keeps its states, and in training each cell and each hidden state as
/// it was with probability c_ratio and h_ratio (Krueger et al., 2016).
class CUPYXX_API StatefulZoneoutLSTM final : public FunctionSet {
 public:
  /// Throws ValueError for a ratio outside of [0, 1).
  StatefulZoneoutLSTM(std::int64_t in_size, std::int64_t out_size, double c_ratio = 0.5,
                      double h_ratio = 0.5);

  Linear& upward;   ///< (4 out, in), rows as lstm() has them
  Linear& lateral;  ///< (4 out, out), without bias

  /// The next hidden states (n, out) from inputs (n, in).
  Variable operator()(const Variable& x, bool train = is_training());
  /// Forgets both: the next call starts from zeros.
  void reset_state();
  /// Sets both, (n, out) each.
  void set_state(const Variable& c, const Variable& h);
  /// The cells and the hidden states; null at the start.
  const Variable& c() const { return c_; }
  const Variable& h() const { return h_; }

 private:
  double c_ratio_, h_ratio_;
  Variable c_, h_;
};

}  // namespace chainerxx::functions
