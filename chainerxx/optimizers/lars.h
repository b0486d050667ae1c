// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "chainerxx/optimizer.h"
#include "cupyxx/export.h"

namespace chainerxx::optimizers {

/// Options of LARS.
struct LARSOptions {
  double lr = 0.01;
  double momentum = 0.9;
  double weight_decay = 0;           ///< added to the gradient before the rate is scaled
  double trust_coefficient = 0.001;  ///< of a parameter's norm, for a step at rate 1
  double eps = 1e-9;
};

/// Momentum whose rate is scaled for each parameter by its norm over that of its gradient (You et
/// al., 2017): for large batches. An update is two launches per device and dtype over all
/// parameters. States of float16 parameters are float32.
class CUPYXX_API LARS final : public Optimizer {
 public:
  explicit LARS(const LARSOptions& options = {}) : options_(options) {
    internal::check_all(lr, momentum, weight_decay_rate, trust_coefficient, eps);
  }
  /// The options in their order.
  template <internal::Amount T>
  explicit LARS(T the_lr, double the_momentum = 0.9, double the_weight_decay = 0,
                double the_trust_coefficient = 0.001, double the_eps = 1e-9)
      : LARS(LARSOptions{static_cast<double>(the_lr), the_momentum, the_weight_decay,
                         the_trust_coefficient, the_eps}) {}
  /// The rate is one of the options.
  template <internal::Amount T, std::same_as<LARSOptions> O = LARSOptions>
  LARS(T, const O&) {
    static_assert(internal::kNever<O>, "write LARS optimizer({.lr = 0.1, .weight_decay = 5e-4});");
  }

  Hyperparameter lr{"LARS: lr", options_.lr};
  Hyperparameter momentum{"LARS: momentum", options_.momentum, internal::Bounds::share};
  Hyperparameter weight_decay_rate{"LARS: weight_decay", options_.weight_decay};
  Hyperparameter trust_coefficient{"LARS: trust_coefficient", options_.trust_coefficient};
  Hyperparameter eps{"LARS: eps", options_.eps};
  const LARSOptions& options() const { return options_; }

  std::vector<std::string> state_names() const override { return {"v"}; }

 private:
  std::optional<internal::UpdateRule> rule() const override;

  LARSOptions options_;
};

}  // namespace chainerxx::optimizers
