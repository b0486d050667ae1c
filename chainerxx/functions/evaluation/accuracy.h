// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <vector>

#include "chainerxx/function.h"
#include "chainerxx/variable.h"
#include "cupyxx/export.h"

namespace chainerxx::functions {

/// Options of accuracy.
struct AccuracyOptions {
  std::optional<std::int64_t> ignore_label = {};
};

/// The share of right predictions; not differentiable.
class CUPYXX_API Accuracy final : public FunctionOf<Accuracy> {
 public:
  explicit Accuracy(std::optional<std::int64_t> ignore_label = {}) : ignore_label_(ignore_label) {}
  void check_type_forward(const typecheck::TypeInfos& in_types) const override;
  std::vector<ndarray> forward(ArraySpan inputs) override;

 private:
  std::optional<std::int64_t> ignore_label_;
};

/// The share of samples whose largest score along axis 1 is at the label, as a 0-d variable of y's
/// dtype. y is (n, classes, ...), t holds integers of shape (n, ...). Samples whose label is
/// `ignore_label` do not count; 0 when none does.
CUPYXX_API Variable accuracy(const Variable& y, const Variable& t,
                             std::optional<std::int64_t> ignore_label = {});
template <internal::NoneLike N>
Variable accuracy(const Variable& y, const Variable& t, N) {
  return accuracy(y, t);
}
template <std::same_as<AccuracyOptions> O = AccuracyOptions>
Variable accuracy(const Variable& y, const Variable& t, O options) {
  return accuracy(y, t, options.ignore_label);
}

}  // namespace chainerxx::functions
