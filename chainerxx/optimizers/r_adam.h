// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "chainerxx/optimizer.h"
#include "cupyxx/export.h"

namespace chainerxx::optimizers {

/// Options of RAdam.
struct RAdamOptions {
  double alpha = 0.001;
  double beta1 = 0.9;
  double beta2 = 0.999;
  double eps = 1e-8;
};

/// Adam that takes plain steps of its first moment until the variance of the second is known, and
/// rectifies its rate from there on (Liu et al., 2019).
class CUPYXX_API RAdam final : public Optimizer {
 public:
  explicit RAdam(const RAdamOptions& options = {}) : options_(options) {
    internal::check_all(alpha, beta1, beta2, eps);
  }
  /// The options in their order.
  template <internal::Amount T>
  explicit RAdam(T the_alpha, double the_beta1 = 0.9, double the_beta2 = 0.999,
                 double the_eps = 1e-8)
      : RAdam(RAdamOptions{static_cast<double>(the_alpha), the_beta1, the_beta2, the_eps}) {}
  /// The rate is one of the options.
  template <internal::Amount T, std::same_as<RAdamOptions> O = RAdamOptions>
  RAdam(T, const O&) {
    static_assert(internal::kNever<O>, "write RAdam optimizer({.alpha = 1e-3, .eps = 1e-6});");
  }

  Hyperparameter alpha{"RAdam: alpha", options_.alpha};
  Hyperparameter beta1{"RAdam: beta1", options_.beta1, internal::Bounds::share};
  Hyperparameter beta2{"RAdam: beta2", options_.beta2, internal::Bounds::share};
  Hyperparameter eps{"RAdam: eps", options_.eps};
  const RAdamOptions& options() const { return options_; }
  void set_alpha(double value) { alpha = value; }
  std::vector<std::string> state_names() const override { return {"m", "v"}; }

 private:
  std::optional<internal::UpdateRule> rule() const override;

  RAdamOptions options_;
};

}  // namespace chainerxx::optimizers
