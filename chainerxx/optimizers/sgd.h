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
  explicit SGD(const SGDOptions& options = {}) : options_(options) {}

  double lr() const { return options_.lr; }
  void set_lr(double lr) { options_.lr = lr; }

 private:
  std::optional<internal::UpdateRule> rule() const override;

  SGDOptions options_;
};

}  // namespace chainerxx::optimizers
