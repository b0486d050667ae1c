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
  explicit RMSprop(const RMSpropOptions& options = {}) : options_(options) {
    internal::check_all(lr, alpha, eps);
  }
  /// The options in their order.
  template <internal::Amount T>
  explicit RMSprop(T the_lr, double the_alpha = 0.99, double the_eps = 1e-8)
      : RMSprop(RMSpropOptions{static_cast<double>(the_lr), the_alpha, the_eps}) {}
  /// The rate is one of the options.
  template <internal::Amount T, std::same_as<RMSpropOptions> O = RMSpropOptions>
  RMSprop(T, const O&) {
    static_assert(internal::kNever<O>, "write RMSprop optimizer({.lr = 0.01, .alpha = 0.9});");
  }

  Hyperparameter lr{"RMSprop: lr", options_.lr};
  void set_lr(double value) { lr = value; }
  Hyperparameter alpha{"RMSprop: alpha", options_.alpha, internal::Bounds::share};
  void set_alpha(double value) { alpha = value; }
  Hyperparameter eps{"RMSprop: eps", options_.eps};
  void set_eps(double value) { eps = value; }
  std::vector<std::string> state_names() const override { return {"ms"}; }

 private:
  std::optional<internal::UpdateRule> rule() const override;

  RMSpropOptions options_;
};

}  // namespace chainerxx::optimizers
