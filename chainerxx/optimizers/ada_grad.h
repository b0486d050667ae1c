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
  explicit AdaGrad(const AdaGradOptions& options = {}) : options_(options) {}

  double lr() const { return options_.lr; }
  void set_lr(double lr) { options_.lr = lr; }
  double eps() const { return options_.eps; }
  void set_eps(double eps) { options_.eps = eps; }
  std::vector<std::string> state_names() const override { return {"h"}; }

 private:
  std::optional<internal::UpdateRule> rule() const override;

  AdaGradOptions options_;
};

}  // namespace chainerxx::optimizers
