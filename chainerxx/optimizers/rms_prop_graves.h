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
  explicit RMSpropGraves(const RMSpropGravesOptions& options = {}) : options_(options) {
    internal::check_all(lr, alpha, momentum, eps);
  }
  /// The options in their order.
  template <internal::Amount T>
  explicit RMSpropGraves(T the_lr, double the_alpha = 0.95, double the_momentum = 0.9,
                         double the_eps = 1e-4)
      : RMSpropGraves(
            RMSpropGravesOptions{static_cast<double>(the_lr), the_alpha, the_momentum, the_eps}) {}

  Hyperparameter lr{"RMSpropGraves: lr", options_.lr};
  void set_lr(double value) { lr = value; }
  Hyperparameter alpha{"RMSpropGraves: alpha", options_.alpha, internal::Bounds::share};
  void set_alpha(double value) { alpha = value; }
  Hyperparameter momentum{"RMSpropGraves: momentum", options_.momentum, internal::Bounds::share};
  void set_momentum(double value) { momentum = value; }
  Hyperparameter eps{"RMSpropGraves: eps", options_.eps};
  void set_eps(double value) { eps = value; }
  std::vector<std::string> state_names() const override { return {"n", "g", "delta"}; }

 private:
  std::optional<internal::UpdateRule> rule() const override;

  RMSpropGravesOptions options_;
};

}  // namespace chainerxx::optimizers
