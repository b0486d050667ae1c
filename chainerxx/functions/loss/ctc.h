// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstdint>
#include <span>
#include <vector>

#include "chainerxx/function.h"
#include "chainerxx/functions/loss/reduce.h"
#include "chainerxx/variable.h"
#include "cupyxx/device.h"
#include "cupyxx/export.h"

namespace chainerxx::functions {

/// Lengths of the sequences of a batch, as integers of shape (batch,) on any device; null where all
/// are full. Those outside of the arrays are taken as the nearest that is possible. And what
/// becomes of the losses of the sequences.
struct CtcLengths {
  ndarray input = {};
  ndarray label = {};
  ReduceChoice reduce = Reduce::mean;
};

/// Connectionist temporal classification (Graves et al., 2006). Its inputs are the labels, then an
/// array of logits for each moment.
class CUPYXX_API ConnectionistTemporalClassification final
    : public FunctionOf<ConnectionistTemporalClassification> {
 public:
  explicit ConnectionistTemporalClassification(int blank_symbol, const CtcLengths& lengths = {})
      : blank_(blank_symbol), lengths_(lengths) {}
  void check_type_forward(const typecheck::TypeInfos& in_types) const override;
  std::vector<ndarray> forward(ArraySpan in) override;
  std::vector<ndarray> backward(ArraySpan in, ArraySpan gy) override;
  std::vector<Variable> backward_variables(VariableSpan in, VariableSpan gy) override;
  PrecisionRule precision_rule() const override { return PrecisionRule::wide; }

 private:
  CtcLengths lengths_on(cupyxx::Device device) const;
  std::int64_t divisor() const;

  int blank_;
  CtcLengths lengths_;
  std::int64_t batch_ = 0;
  ndarray grad_;  // (time, batch, classes)
};

/// The mean over the batch of -log(probability of the labels), summed over all ways to spell them
/// with blanks and repetitions; the sum, or the losses (batch,), with `.reduce`. x holds logits
/// (batch, classes) for each moment, t labels (batch, labels). Throws IndexError for a label that
/// is no class, on a CUDA device at the next synchronising call. A sequence too short for its
/// labels has an infinite loss.
CUPYXX_API Variable connectionist_temporal_classification(const std::vector<Variable>& x,
                                                          const Variable& t, int blank_symbol,
                                                          const CtcLengths& lengths = {});
/// In Chainer's order.
template <std::same_as<ndarray> A>
Variable connectionist_temporal_classification(const std::vector<Variable>& x, const Variable& t,
                                               int blank_symbol, const A& input_length,
                                               const ndarray& label_length = {},
                                               ReduceChoice reduce = Reduce::mean) {
  return connectionist_temporal_classification(
      x, t, blank_symbol,
      CtcLengths{.input = input_length, .label = label_length, .reduce = reduce});
}

}  // namespace chainerxx::functions
