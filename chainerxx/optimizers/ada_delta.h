// SPDX-License-Identifier: MIT
#pragma once

#include "chainerxx/optimizer.h"

namespace chainerxx::optimizers {

/// Options of AdaDelta.
struct AdaDeltaOptions {
  double rho = 0.95;
  double eps = 1e-6;
};

/// AdaDelta (Zeiler, 2012): steps scaled by running means of squared gradients and squared
/// steps.
class CUPYXX_API AdaDelta final : public Optimizer {
 public:
  explicit AdaDelta(const AdaDeltaOptions& options = {}) : options_(options) {
    internal::check_all(rho, eps);
  }
  /// The options in their order.
  template <internal::Amount T>
  explicit AdaDelta(T the_rho, double the_eps = 1e-6)
      : AdaDelta(AdaDeltaOptions{static_cast<double>(the_rho), the_eps}) {}

  Hyperparameter rho{"AdaDelta: rho", options_.rho, internal::Bounds::share};
  void set_rho(double value) { rho = value; }
  Hyperparameter eps{"AdaDelta: eps", options_.eps};
  void set_eps(double value) { eps = value; }
  std::vector<std::string> state_names() const override { return {"msg", "msdx"}; }

 private:
  std::optional<internal::UpdateRule> rule() const override;

  AdaDeltaOptions options_;
};

}  // namespace chainerxx::optimizers
