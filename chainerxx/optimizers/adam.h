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
  /// The options in their order.
  template <internal::Amount T>
  explicit Adam(T the_alpha, double the_beta1 = 0.9, double the_beta2 = 0.999,
                double the_eps = 1e-8)
      : options_{static_cast<double>(the_alpha), the_beta1, the_beta2, the_eps} {}

  Hyperparameter alpha{options_.alpha};
  void set_alpha(double value) { options_.alpha = value; }
  Hyperparameter beta1{options_.beta1};
  void set_beta1(double value) { options_.beta1 = value; }
  Hyperparameter beta2{options_.beta2};
  void set_beta2(double value) { options_.beta2 = value; }
  Hyperparameter eps{options_.eps};
  void set_eps(double value) { options_.eps = value; }
  /// alpha with the correction for the moments' start at 0, for the present t.
  double lr() const;
  std::vector<std::string> state_names() const override { return {"m", "v"}; }

 private:
  std::optional<internal::UpdateRule> rule() const override;

  AdamOptions options_;
};

}  // namespace chainerxx::optimizers
