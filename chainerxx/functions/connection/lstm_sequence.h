// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "chainerxx/function.h"
#include "chainerxx/initializers.h"
#include "chainerxx/variable.h"
#include "cupyxx/dtype.h"
#include "cupyxx/export.h"

namespace chainerxx::functions {

/// Options of LSTMSequence.
struct LSTMSequenceOptions {
  double wscale = 1;                        ///< scales the initial weights
  initializers::Initial initialW = {};      ///< (4 units, in); an array is taken as it is
  initializers::Initial initialU = {};      ///< (4 units, units), of W's dtype
  initializers::Initial initial_bias = {};  ///< (4 units,)
  cupyxx::dtype dtype = cupyxx::float32;
};

/// A layer of long short-term memory over whole sequences. The results are those of lstm(c,
/// linear(x, W, b) + linear(h, U)) step by step, but the inputs of all steps are one product, and
/// so are the gradients of W, U and b; a step then costs one small product and one kernel.
///
///   F::LSTMSequence layer(650, 650);
///   const auto [y, c] = layer(x, c0, h0);  // x (steps, n, in), y (steps, n, units)
class CUPYXX_API LSTMSequence final : public FunctionOf<LSTMSequence, 2> {
 public:
  /// W and U start as normal numbers of deviation wscale * sqrt(1 / in) and wscale * sqrt(1 /
  /// units), b as zeros. Rows of W, U and b are a, i, f, o of unit 0, then of unit 1, ..., as in
  /// lstm().
  LSTMSequence(std::int64_t in_size, std::int64_t units, const LSTMSequenceOptions& options = {});

  ParameterArray W{&gW};  // (4 units, in)
  ndarray gW;
  ParameterArray U{&gU};  // (4 units, units)
  ndarray gU;
  ParameterArray b{&gb};  // (4 units,)
  ndarray gb;

  /// The hidden states of all steps and the cells after the last, from inputs (steps, n, in) and
  /// the cells and hidden states before the first step, (n, units) each.
  using FunctionOf::operator();

  void check_type_forward(const typecheck::TypeInfos& in_types) const override;
  std::vector<ndarray> forward(ArraySpan in) override;
  std::vector<ndarray> backward(ArraySpan in, ArraySpan gy) override;
  std::vector<Variable> backward_variables(VariableSpan in, VariableSpan gy) override;
  PrecisionRule precision_rule() const override { return PrecisionRule::narrow; }
  std::vector<Field> fields() override;

 private:
  /// Gradients by the gates of all steps, from the last to the first, and by the state before.
  struct Unrolled {
    ndarray gates, c, h;
  };
  Unrolled unroll_backward(const ndarray& gy, const ndarray& gc) const;

  ndarray gates_;  // (steps, n, 4 units)
  ndarray c_, h_;  // (steps + 1, n, units), from before the first step
  internal::SavedArray saved_W_, saved_U_;
};

}  // namespace chainerxx::functions
