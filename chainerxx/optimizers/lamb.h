// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "chainerxx/optimizer.h"
#include "cupyxx/export.h"

namespace chainerxx::optimizers {

/// Options of LAMB.
struct LAMBOptions {
  double alpha = 0.001;
  double beta1 = 0.9;
  double beta2 = 0.999;
  double eps = 1e-6;
  double weight_decay = 0;  ///< part of the step, before its length is measured
};

/// Adam's steps, each parameter's as long as the rate times its own norm (You et al., 2019): for
/// large batches. An update is two launches per device and dtype over all parameters. States of
/// float16 parameters are float32.
class CUPYXX_API LAMB final : public Optimizer {
 public:
  explicit LAMB(const LAMBOptions& options = {}) : options_(options) {
    internal::check_all(alpha, beta1, beta2, eps, weight_decay_rate);
  }
  /// The options in their order.
  template <internal::Amount T>
  explicit LAMB(T the_alpha, double the_beta1 = 0.9, double the_beta2 = 0.999,
                double the_eps = 1e-6, double the_weight_decay = 0)
      : LAMB(LAMBOptions{static_cast<double>(the_alpha), the_beta1, the_beta2, the_eps,
                         the_weight_decay}) {}
  /// The rate is one of the options.
  template <internal::Amount T, std::same_as<LAMBOptions> O = LAMBOptions>
  LAMB(T, const O&) {
    static_assert(internal::kNever<O>,
                  "write LAMB optimizer({.alpha = 1e-3, .weight_decay = 0.01});");
  }

  Hyperparameter alpha{"LAMB: alpha", options_.alpha};
  Hyperparameter beta1{"LAMB: beta1", options_.beta1, internal::Bounds::share};
  Hyperparameter beta2{"LAMB: beta2", options_.beta2, internal::Bounds::share};
  Hyperparameter eps{"LAMB: eps", options_.eps};
  Hyperparameter weight_decay_rate{"LAMB: weight_decay", options_.weight_decay};
  const LAMBOptions& options() const { return options_; }

  std::vector<std::string> state_names() const override { return {"m", "v"}; }

 private:
  std::optional<internal::UpdateRule> rule() const override;

  LAMBOptions options_;
};

}  // namespace chainerxx::optimizers
