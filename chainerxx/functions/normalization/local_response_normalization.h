// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "chainerxx/function.h"
#include "chainerxx/variable.h"
#include "cupyxx/export.h"

namespace chainerxx::internal {
/// The k of a call without names.
CUPYXX_API double placed_k(double k);
}  // namespace chainerxx::internal

namespace chainerxx::functions {

/// Options of local_response_normalization.
struct LocalResponseNormalizationOptions {
  std::int64_t n = 5;  ///< channels of a neighbourhood; n / 2 on each side, so n + 1 when n is even
  double k = 2;
  double alpha = 1e-4;
  double beta = 0.75;
};

/// x / (k + alpha * (the sum of the squares of the neighbouring channels))^beta across axis 1. See
/// section 3.3 of "ImageNet Classification with Deep Convolutional Neural Networks".
class CUPYXX_API LocalResponseNormalization final : public FunctionOf<LocalResponseNormalization> {
 public:
  explicit LocalResponseNormalization(const LocalResponseNormalizationOptions& options = {})
      : options_(options) {}
  void check_type_forward(const typecheck::TypeInfos& in_types) const override;
  /// Throws ValueError when n is not positive.
  std::vector<ndarray> forward(ArraySpan x) override;
  std::vector<ndarray> backward(ArraySpan x, ArraySpan gy) override;
  std::vector<Variable> backward_variables(VariableSpan x, VariableSpan gy) override;

 private:
  LocalResponseNormalizationOptions options_;
  ndarray scale_;  // what stands in the parentheses
};

/// Divides each element by a power of its neighbours' squares in other channels; x has at least two
/// axes.
CUPYXX_API Variable local_response_normalization(
    const Variable& x, const LocalResponseNormalizationOptions& options = {});
/// The options in their order. Throws ValueError for a k between 0 and 0.01, which is an alpha
/// where PyTorch has it; the options take any.
template <std::integral I>
Variable local_response_normalization(const Variable& x, I n, double k = 2, double alpha = 1e-4,
                                      double beta = 0.75) {
  return local_response_normalization(
      x, LocalResponseNormalizationOptions{static_cast<std::int64_t>(n), internal::placed_k(k),
                                           alpha, beta});
}

}  // namespace chainerxx::functions
