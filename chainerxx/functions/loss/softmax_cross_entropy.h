// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "chainerxx/function.h"
#include "chainerxx/variable.h"
#include "cupyxx/export.h"

namespace chainerxx::functions {

/// Options of softmax_cross_entropy, in the manual's order.
struct SoftmaxCrossEntropyOptions {
  bool use_cudnn = true;  ///< no difference: our own kernels serve every device
  bool normalize = true;
};

/// Cross entropy of softmax(x) and integer labels. The forward pass prepares the gradient as well,
/// but for float16 in a PrecisionScope, where a scale of the loss comes first.
class CUPYXX_API SoftmaxCrossEntropy final : public FunctionOf<SoftmaxCrossEntropy> {
 public:
  explicit SoftmaxCrossEntropy(bool /*use_cudnn*/ = true, bool normalize = true)
      : normalize_(normalize) {}
  void check_type_forward(const typecheck::TypeInfos& in_types) const override;
  std::vector<ndarray> forward(ArraySpan inputs) override;
  std::vector<ndarray> backward(ArraySpan inputs, ArraySpan gy) override;
  std::vector<Variable> backward_variables(VariableSpan inputs, VariableSpan gy) override;

 private:
  bool normalize_;
  ndarray grad_;
};

/// -log(softmax(x)[t]), averaged over all labels, or with `normalize` off divided by the number of
/// samples. x is (n, classes, ...), t holds integers of shape (n, ...); label -1 does not count,
/// and when none does the loss is 0. The loss has x's dtype; of a 16-bit x it is float32 where the
/// thread's precision is one of 16 bits. A label out of range is an IndexError, on a CUDA device at
/// the next synchronising call.
CUPYXX_API Variable softmax_cross_entropy(const Variable& x, const Variable& t,
                                          bool use_cudnn = true, bool normalize = true);
CUPYXX_API Variable softmax_cross_entropy(const Variable& x, const Variable& t,
                                          const SoftmaxCrossEntropyOptions& options);

}  // namespace chainerxx::functions
