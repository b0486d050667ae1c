// SPDX-License-Identifier: MIT
#pragma once

#include "chainerxx/optimizer.h"

namespace chainerxx::optimizers {

/// Options of AdaGrad.
struct AdaGradOptions {
  double lr = 0.001;
  double eps = 1e-8;
};

/// AdaGrad (Duchi, Hazan, Singer, 2011): steps shrink with the sum of all squared gradients.
class CUPYXX_API AdaGrad final : public Optimizer {
 public:
  explicit AdaGrad(const AdaGradOptions& options = {}) : options_(options) {
    internal::check_all(lr, eps);
  }
  /// The options in their order.
  template <internal::Amount T>
  explicit AdaGrad(T the_lr, double the_eps = 1e-8)
      : AdaGrad(AdaGradOptions{static_cast<double>(the_lr), the_eps}) {}
  /// The rate is one of the options.
  template <internal::Amount T, std::same_as<AdaGradOptions> O = AdaGradOptions>
  AdaGrad(T, const O&) {
    static_assert(internal::kNever<O>, "write AdaGrad optimizer({.lr = 0.01, .eps = 1e-6});");
  }

  Hyperparameter lr{"AdaGrad: lr", options_.lr};
  void set_lr(double value) { lr = value; }
  Hyperparameter eps{"AdaGrad: eps", options_.eps};
  void set_eps(double value) { eps = value; }
  std::vector<std::string> state_names() const override { return {"h"}; }

 private:
  std::optional<internal::UpdateRule> rule() const override;

  AdaGradOptions options_;
};

}  // namespace chainerxx::optimizers
