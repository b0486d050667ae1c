// SPDX-License-Identifier: MIT
#pragma once

#include "chainerxx/optimizer.h"

namespace chainerxx::optimizers {

/// Options of SMORMS3.
struct SMORMS3Options {
  double lr = 0.001;
  double eps = 1e-16;
};

/// SMORMS3 (Funk, 2015): RMSprop whose memory adapts to the signal in the gradients.
class CUPYXX_API SMORMS3 final : public Optimizer {
 public:
  explicit SMORMS3(const SMORMS3Options& options = {}) : options_(options) {
    internal::check_all(lr, eps);
  }
  /// The options in their order.
  template <internal::Amount T>
  explicit SMORMS3(T the_lr, double the_eps = 1e-16)
      : SMORMS3(SMORMS3Options{static_cast<double>(the_lr), the_eps}) {}

  Hyperparameter lr{"SMORMS3: lr", options_.lr};
  void set_lr(double value) { lr = value; }
  Hyperparameter eps{"SMORMS3: eps", options_.eps};
  void set_eps(double value) { eps = value; }
  /// The memory starts at 1, the moments at 0.
  State init_state(const ndarray& param, const ndarray& grad) override;
  std::vector<std::string> state_names() const override { return {"mem", "g", "g2"}; }

 private:
  std::optional<internal::UpdateRule> rule() const override;

  SMORMS3Options options_;
};

}  // namespace chainerxx::optimizers
