// SPDX-License-Identifier: MIT
// How well classes are found: precision, recall and what is made of both.
#pragma once

#include <concepts>
#include <cstdint>
#include <vector>

#include "chainerxx/function.h"
#include "chainerxx/other_names.h"
#include "chainerxx/variable.h"
#include "chainerxx/variable_array.h"
#include "cupyxx/export.h"

namespace chainerxx::functions {

/// Options of classification_summary and of what it is made of.
struct ClassificationSummaryOptions {
  double beta = 1;                 ///< how much more recall counts than precision
  std::int64_t ignore_label = -1;  ///< the label that does not count
};

/// Precision, recall, F-score and support of each class; not differentiable.
class CUPYXX_API ClassificationSummary final : public FunctionOf<ClassificationSummary, 4> {
 public:
  /// Throws ValueError unless beta is positive.
  explicit ClassificationSummary(const ClassificationSummaryOptions& options = {});
  void check_type_forward(const typecheck::TypeInfos& in_types) const override;
  std::vector<ndarray> forward(ArraySpan inputs) override;

 private:
  ClassificationSummaryOptions options_;
};

/// For each class, as variables of shape (classes,): the precision (how many of the samples that
/// were taken for it are of it), the recall (how many of its samples were taken for it), the
/// F-score (1 + beta^2) precision recall / (beta^2 precision + recall), and the support, an int64
/// count of its samples. y is (n, classes, ...), t holds integers of shape (n, ...); a sample is
/// taken for the class whose score is the largest, the first of several. Shares of nothing are 0. A
/// label out of range is an IndexError. Waits for the device.
CUPYXX_API VariableArray<4> classification_summary(
    const Variable& y, const Variable& t, const ClassificationSummaryOptions& options = {});
/// The precision of each class, and its support: see classification_summary.
CUPYXX_API VariableArray<2> precision(const Variable& y, const Variable& t,
                                      const ClassificationSummaryOptions& options = {});
/// The recall of each class, and its support: see classification_summary.
CUPYXX_API VariableArray<2> recall(const Variable& y, const Variable& t,
                                   const ClassificationSummaryOptions& options = {});
/// The F-score of each class for beta = 1 unless the options say otherwise, and its support: see
/// classification_summary.
CUPYXX_API VariableArray<2> f1_score(const Variable& y, const Variable& t,
                                     const ClassificationSummaryOptions& options = {});
/// Not with Chainer's label_num: y has a score for each class.
template <std::integral I, class... More>
VariableArray<4> classification_summary(const Variable& y, const Variable& t, I /*label_num*/,
                                        const More&... /*more*/) {
  static_assert(internal::kNever<I>,
                "there are as many classes as y has scores: leave label_num out; options stand "
                "behind t, {.beta = 1, .ignore_label = -1}");
  return classification_summary(y, t);
}
template <std::integral I, class... More>
VariableArray<2> precision(const Variable& y, const Variable& t, I label_num, const More&... more) {
  classification_summary(y, t, label_num, more...);
  return precision(y, t);
}
template <std::integral I, class... More>
VariableArray<2> recall(const Variable& y, const Variable& t, I label_num, const More&... more) {
  classification_summary(y, t, label_num, more...);
  return recall(y, t);
}
template <std::integral I, class... More>
VariableArray<2> f1_score(const Variable& y, const Variable& t, I label_num, const More&... more) {
  classification_summary(y, t, label_num, more...);
  return f1_score(y, t);
}
}  // namespace chainerxx::functions
