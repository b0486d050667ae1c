// SPDX-License-Identifier: MIT
#pragma once

#include "chainerxx/optimizer.h"

namespace chainerxx::optimizers {

/// Options of SGD.
struct SGDOptions {
  double lr = 0.01;
};

/// Stochastic gradient descent: p -= lr * g.
class CUPYXX_API SGD final : public Optimizer {
 public:
  explicit SGD(const SGDOptions& options = {}) : options_(options) { lr.check(); }
  /// The options in their order.
  template <internal::Amount T>
  explicit SGD(T the_lr) : SGD(SGDOptions{static_cast<double>(the_lr)}) {}

  Hyperparameter lr{"SGD: lr", options_.lr};
  void set_lr(double value) { lr = value; }

 private:
  std::optional<internal::UpdateRule> rule() const override;

  SGDOptions options_;
};

}  // namespace chainerxx::optimizers
