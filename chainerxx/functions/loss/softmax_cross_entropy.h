// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstdint>
#include <vector>

#include "chainerxx/function.h"
#include "chainerxx/functions/loss/reduce.h"
#include "chainerxx/variable.h"
#include "cupyxx/export.h"

namespace chainerxx::functions {

/// Options of softmax_cross_entropy, the manual's first and in its order.
struct SoftmaxCrossEntropyOptions {
  bool use_cudnn = true;  ///< no difference: our own kernels serve every device
  bool normalize = true;
  /// What a label of each class weighs, a floating array of shape (classes,); null for 1. The mean
  /// divides by the number of labels, as Chainer's; PyTorch's divides by the sum of their weights.
  ndarray class_weight = {};
  std::int64_t ignore_label = -1;      ///< the label that does not count
  ReduceChoice reduce = Reduce::mean;  ///< Reduce::no, or "no", gives a loss for each label
  /// The share of a label that is divided equally among all classes, in [0, 1).
  double label_smoothing = 0;
};

/// Cross entropy of softmax(x) and integer labels. The forward pass prepares the gradient as well,
/// but for float16 in a PrecisionScope, where a scale of the loss comes first, and where classes
/// have weights, labels are smoothed or the loss is no mean.
class CUPYXX_API SoftmaxCrossEntropy final : public FunctionOf<SoftmaxCrossEntropy> {
 public:
  explicit SoftmaxCrossEntropy(bool /*use_cudnn*/ = true, bool normalize = true) {
    options_.normalize = normalize;
  }
  /// Throws ValueError for a label_smoothing outside of [0, 1), DtypeError for a class_weight that
  /// is not floating.
  explicit SoftmaxCrossEntropy(const SoftmaxCrossEntropyOptions& options);
  void check_type_forward(const typecheck::TypeInfos& in_types) const override;
  std::vector<ndarray> forward(ArraySpan inputs) override;
  std::vector<ndarray> backward(ArraySpan inputs, ArraySpan gy) override;
  std::vector<Variable> backward_variables(VariableSpan inputs, VariableSpan gy) override;

 private:
  bool is_plain() const;
  ndarray plain_labels(const ndarray& x, const ndarray& t) const;
  ndarray factors(const ndarray& t, cupyxx::dtype type) const;
  ndarray targets(const cupyxx::Shape& shape, const ndarray& t, cupyxx::dtype type) const;

  SoftmaxCrossEntropyOptions options_;
  internal::SavedArray saved_weight_;
  ndarray grad_;
};

/// -log(softmax(x)[t]), averaged over all labels, or with `normalize` off divided by the number of
/// samples. x is (n, classes, ...), t holds integers of shape (n, ...); `ignore_label` does not
/// count, and when no label does the loss is 0. The loss has x's dtype; of a 16-bit x it is float32
/// where the thread's precision is one of 16 bits. A label out of range is an IndexError, on a CUDA
/// device at the next synchronising call.
CUPYXX_API Variable softmax_cross_entropy(const Variable& x, const Variable& t,
                                          bool use_cudnn = true, bool normalize = true);
/// The same with classes of several weights, smoothed labels, or each loss by itself. The target of
/// label t is 1 - s at t plus s / classes everywhere, s being label_smoothing; each class counts
/// with its weight. A mean divides by the number of labels that count, whatever they weigh. With
/// Reduce::no the result has the shape of t, 0 at labels that do not count.
CUPYXX_API Variable softmax_cross_entropy(
    const Variable& x, const Variable& t,
    const SoftmaxCrossEntropyOptions& options);  /// Not with a text at the third place, which is
                                                 /// that of `use_cudnn`: it would be true.
template <std::same_as<char> C>
Variable softmax_cross_entropy(const Variable&, const Variable&, const C*) {
  static_assert(internal::kNever<C>, "write softmax_cross_entropy(x, t, {.reduce = \"sum\"})");
  return {};
}

}  // namespace chainerxx::functions
