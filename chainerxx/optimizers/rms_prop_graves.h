// SPDX-License-Identifier: MIT
#pragma once

#include "chainerxx/optimizer.h"

namespace chainerxx::optimizers {

/// Options of RMSpropGraves.
struct RMSpropGravesOptions {
  double lr = 1e-4;
  double alpha = 0.95;
  double momentum = 0.9;
  double eps = 1e-4;
};

/// RMSprop with the variance of the gradients and momentum (Graves, 2013).
class CUPYXX_API RMSpropGraves final : public Optimizer {
 public:
  explicit RMSpropGraves(const RMSpropGravesOptions& options = {}) : options_(options) {}

  double lr() const { return options_.lr; }
  void set_lr(double lr) { options_.lr = lr; }
  double alpha() const { return options_.alpha; }
  void set_alpha(double alpha) { options_.alpha = alpha; }
  double momentum() const { return options_.momentum; }
  void set_momentum(double momentum) { options_.momentum = momentum; }
  double eps() const { return options_.eps; }
  void set_eps(double eps) { options_.eps = eps; }
  std::vector<std::string> state_names() const override { return {"n", "g", "delta"}; }

 private:
  std::optional<internal::UpdateRule> rule() const override;

  RMSpropGravesOptions options_;
};

}  // namespace chainerxx::optimizers
