// SPDX-License-Identifier: MIT
#pragma once

#include "chainerxx/optimizer.h"

namespace chainerxx::optimizers {

/// Options of CorrectedMomentumSGD.
struct CorrectedMomentumSGDOptions {
  double lr = 0.01;
  double momentum = 0.9;
};

/// Momentum as PyTorch's SGD has it, whose rate may change at any step: v = momentum * v - g;
/// p += lr * v. MomentumSGD keeps earlier rates in v; while the rate stays the same both do the
/// same.
class CUPYXX_API CorrectedMomentumSGD final : public Optimizer {
 public:
  explicit CorrectedMomentumSGD(const CorrectedMomentumSGDOptions& options = {})
      : options_(options) {
    internal::check_all(lr, momentum);
  }
  /// The options in their order.
  template <internal::Amount T>
  explicit CorrectedMomentumSGD(T the_lr, double the_momentum = 0.9)
      : CorrectedMomentumSGD(
            CorrectedMomentumSGDOptions{static_cast<double>(the_lr), the_momentum}) {}

  Hyperparameter lr{"CorrectedMomentumSGD: lr", options_.lr};
  void set_lr(double value) { lr = value; }
  Hyperparameter momentum{"CorrectedMomentumSGD: momentum", options_.momentum,
                          internal::Bounds::share};
  void set_momentum(double value) { momentum = value; }
  std::vector<std::string> state_names() const override { return {"v"}; }

 private:
  std::optional<internal::UpdateRule> rule() const override;

  CorrectedMomentumSGDOptions options_;
};

}  // namespace chainerxx::optimizers
