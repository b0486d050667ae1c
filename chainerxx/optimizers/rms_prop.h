// SPDX-License-Identifier: MIT
#pragma once

#include "chainerxx/optimizer.h"

namespace chainerxx::optimizers {

/// Options of RMSprop.
struct RMSpropOptions {
  double lr = 0.01;
  double alpha = 0.99;
  double eps = 1e-8;
};

/// RMSprop (Tieleman and Hinton, 2012): steps scaled by a running mean of squared gradients.
class CUPYXX_API RMSprop final : public Optimizer {
 public:
  explicit RMSprop(const RMSpropOptions& options = {}) : options_(options) {}

  double lr() const { return options_.lr; }
  void set_lr(double lr) { options_.lr = lr; }
  double alpha() const { return options_.alpha; }
  void set_alpha(double alpha) { options_.alpha = alpha; }
  double eps() const { return options_.eps; }
  void set_eps(double eps) { options_.eps = eps; }
  std::vector<std::string> state_names() const override { return {"ms"}; }

 private:
  std::optional<internal::UpdateRule> rule() const override;

  RMSpropOptions options_;
};

}  // namespace chainerxx::optimizers
