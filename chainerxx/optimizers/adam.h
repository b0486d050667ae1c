// SPDX-License-Identifier: MIT
#pragma once

#include "chainerxx/optimizer.h"

namespace chainerxx::optimizers {

/// Options of Adam.
struct AdamOptions {
  double alpha = 0.001;
  double beta1 = 0.9;
  double beta2 = 0.999;
  double eps = 1e-8;
};

/// Adam (Kingma and Ba, 2014): steps of about alpha, scaled by running moments of the gradient.
class CUPYXX_API Adam final : public Optimizer {
 public:
  explicit Adam(const AdamOptions& options = {}) : options_(options) {}

  double alpha() const { return options_.alpha; }
  void set_alpha(double alpha) { options_.alpha = alpha; }
  double beta1() const { return options_.beta1; }
  void set_beta1(double beta1) { options_.beta1 = beta1; }
  double beta2() const { return options_.beta2; }
  void set_beta2(double beta2) { options_.beta2 = beta2; }
  double eps() const { return options_.eps; }
  void set_eps(double eps) { options_.eps = eps; }
  /// alpha with the correction for the moments' start at 0, for the present t.
  double lr() const;
  std::vector<std::string> state_names() const override { return {"m", "v"}; }

 private:
  std::optional<internal::UpdateRule> rule() const override;

  AdamOptions options_;
};

}  // namespace chainerxx::optimizers
