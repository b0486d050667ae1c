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
  explicit AdaDelta(const AdaDeltaOptions& options = {}) : options_(options) {}

  double rho() const { return options_.rho; }
  void set_rho(double rho) { options_.rho = rho; }
  double eps() const { return options_.eps; }
  void set_eps(double eps) { options_.eps = eps; }
  std::vector<std::string> state_names() const override { return {"msg", "msdx"}; }

 private:
  std::optional<internal::UpdateRule> rule() const override;

  AdaDeltaOptions options_;
};

}  // namespace chainerxx::optimizers
