// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <vector>

#include "chainerxx/function.h"
#include "chainerxx/functions/loss/reduce.h"
#include "chainerxx/variable.h"
#include "cupyxx/export.h"

namespace chainerxx::functions {

/// Options of sigmoid_cross_entropy, in the manual's order.
struct SigmoidCrossEntropyOptions {
  bool use_cudnn = true;  ///< no difference: our own kernels serve every device
  bool normalize = false;
  ReduceChoice reduce = Reduce::mean;  ///< Reduce::no, or "no", gives a loss for each label
};

/// Cross entropy of sigmoid(x) and binary labels.
class CUPYXX_API SigmoidCrossEntropy final : public FunctionOf<SigmoidCrossEntropy> {
 public:
  explicit SigmoidCrossEntropy(bool /*use_cudnn*/ = true, bool normalize = false,
                               ReduceChoice reduce = Reduce::mean)
      : normalize_(normalize), reduce_(reduce) {}
  void check_type_forward(const typecheck::TypeInfos& in_types) const override;
  std::vector<ndarray> forward(ArraySpan in) override;
  std::vector<ndarray> backward(ArraySpan in, ArraySpan gy) override;
  std::vector<Variable> backward_variables(VariableSpan in, VariableSpan gy) override;
  PrecisionRule precision_rule() const override { return PrecisionRule::wide; }

 private:
  ndarray share(const ndarray& x, const ndarray& t) const;

  bool normalize_;
  Reduce reduce_;
  ndarray share_;  // 0-d: what one label weighs
};

/// The sum of log(1 + exp(x)) - t x divided by the number of samples (the extent of the first
/// axis), or with `normalize` by the number of labels that count. x and t have one shape; t holds
/// 0, 1, or -1, which does not count. With Reduce::sum nothing is divided, and with Reduce::no the
/// result has x's shape, 0 at labels that do not count.
CUPYXX_API Variable sigmoid_cross_entropy(const Variable& x, const Variable& t,
                                          bool use_cudnn = true, bool normalize = false);
CUPYXX_API Variable sigmoid_cross_entropy(
    const Variable& x, const Variable& t,
    const SigmoidCrossEntropyOptions& options);  /// Not with a text at the third place, which is
                                                 /// that of `use_cudnn`: it would be true.
template <std::same_as<char> C>
Variable sigmoid_cross_entropy(const Variable&, const Variable&, const C*) {
  static_assert(internal::kNever<C>, "write sigmoid_cross_entropy(x, t, {.reduce = \"sum\"})");
  return {};
}

}  // namespace chainerxx::functions
