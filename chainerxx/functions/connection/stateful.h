// SPDX-License-Identifier: MIT
// Recurrent cells that keep their states from call to call; and one to which they are given.
//
//   F::StatefulLSTM lstm(100, 200);
//   for (const auto& part : parts) {                  // truncated backpropagation
//     Variable loss;
//     for (const ndarray& x : part) loss += cost(lstm(x));
//     loss.backward();
//     loss.unchain_backward();                        // the states stay, what made them goes
//     optimizer.update();
//   }
//   lstm.reset_state();
#pragma once

#include <cstdint>

#include "chainerxx/function_set.h"
#include "chainerxx/functions/connection/gru.h"
#include "chainerxx/functions/connection/linear.h"
#include "chainerxx/initializers.h"
#include "chainerxx/input_size.h"
#include "chainerxx/variable.h"
#include "chainerxx/variable_array.h"
#include "cupyxx/export.h"

namespace chainerxx::functions {

/// Options of StatefulLSTM.
struct StatefulLSTMOptions {
  initializers::Initial lateral_init = {};  ///< of each gate's (out, out)
  initializers::Initial upward_init = {};   ///< of each gate's (out, in)
  initializers::Initial bias_init = 0;
  initializers::Initial forget_bias_init = 1;  ///< of the gates that keep cells
};

/// Long short-term memory that keeps its cells and hidden states: lstm(c, upward(x) + lateral(h)).
/// Sequences may end: a batch may be smaller than the one before it, which leaves the states beyond
/// it as they are. States follow x to its device; a deep_copy starts without them.
class CUPYXX_API StatefulLSTM final : public FunctionSet {
 public:
  StatefulLSTM(const InputSize& in_size, std::int64_t out_size,
               const StatefulLSTMOptions& options = {});
  /// The same as with `none` for in_size.
  explicit StatefulLSTM(std::int64_t out_size, const StatefulLSTMOptions& options = {})
      : StatefulLSTM(cupyxx::none, out_size, options) {}

  Linear& upward;   ///< (4 out, in), rows as lstm() has them
  Linear& lateral;  ///< (4 out, out), without bias

  /// The next hidden states (n, out) from inputs (n, in). Throws ShapeError for a batch larger than
  /// the one before.
  Variable operator()(const Variable& x);
  /// Forgets both: the next call starts from zeros.
  void reset_state();
  /// Sets both, (n, out) each. Throws ShapeError for others, TypeError for None.
  void set_state(const Variable& c, const Variable& h);
  /// The cells and the hidden states; null at the start.
  const Variable& c() const { return c_; }
  const Variable& h() const { return h_; }

 private:
  Variable c_, h_;
};

/// The same without states of its own: `auto [c, h] = lstm(c_before, h_before, x)`.
class CUPYXX_API StatelessLSTM final : public FunctionSet {
 public:
  StatelessLSTM(const InputSize& in_size, std::int64_t out_size,
                const StatefulLSTMOptions& options = {});
  /// The same as with `none` for in_size.
  explicit StatelessLSTM(std::int64_t out_size, const StatefulLSTMOptions& options = {})
      : StatelessLSTM(cupyxx::none, out_size, options) {}

  Linear& upward;   ///< (4 out, in), rows as lstm() has them
  Linear& lateral;  ///< (4 out, out), without bias

  /// The next cells and hidden states (n, out) from those before, zeros where they are None, and
  /// inputs (n, in).
  VariableArray<2> operator()(const Variable& c, const Variable& h, const Variable& x) const;
};

/// A gated recurrent unit that keeps its hidden states; the parameters are those of GRU. States
/// follow x to its device; a deep_copy starts without them.
class CUPYXX_API StatefulGRU final : public GRU {
 public:
  StatefulGRU(const InputSize& in_size, std::int64_t out_size) : GRU(in_size, out_size) {}

  /// The next hidden states (n, out) from inputs (n, in). Throws ShapeError for another batch than
  /// before.
  Variable operator()(const Variable& x);
  /// Forgets the states: the next call starts from zeros.
  void reset_state();
  /// Sets the states, (n, out). Throws ShapeError for others, TypeError for None.
  void set_state(const Variable& h);
  /// The hidden states; null at the start.
  const Variable& h() const { return h_; }

 private:
  Variable h_;
};

/// Long short-term memory whose gates see the cells (Greff et al., 2015), and that keeps its
/// states. They follow x to its device; a deep_copy starts without them.
class CUPYXX_API StatefulPeepholeLSTM final : public FunctionSet {
 public:
  StatefulPeepholeLSTM(const InputSize& in_size, std::int64_t out_size);

  Linear& upward;   ///< (4 out, in), rows as lstm() has them
  Linear& lateral;  ///< (4 out, out), without bias
  Linear& peep_i;   ///< (out, out), without bias, from the cells to each gate
  Linear& peep_f;
  Linear& peep_o;

  /// The next hidden states (n, out) from inputs (n, in). Throws ShapeError for another batch than
  /// before.
  Variable operator()(const Variable& x);
  /// Forgets the states: the next call starts from zeros.
  void reset_state();
  /// Sets both, (n, out) each. Throws ShapeError for others, TypeError for None.
  void set_state(const Variable& c, const Variable& h);
  /// The cells and the hidden states; null at the start.
  const Variable& c() const { return c_; }
  const Variable& h() const { return h_; }

 private:
  Variable c_, h_;
};

}  // namespace chainerxx::functions
