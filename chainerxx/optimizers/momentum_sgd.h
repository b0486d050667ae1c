// SPDX-License-Identifier: MIT
#pragma once

#include "chainerxx/optimizer.h"

namespace chainerxx::optimizers {

/// Options of MomentumSGD.
struct MomentumSGDOptions {
  double lr = 0.01;
  double momentum = 0.9;
};

/// Classical momentum: v = momentum * v - lr * g; p += v.
class CUPYXX_API MomentumSGD final : public Optimizer {
 public:
  explicit MomentumSGD(const MomentumSGDOptions& options = {}) : options_(options) {}

  double lr() const { return options_.lr; }
  void set_lr(double lr) { options_.lr = lr; }
  double momentum() const { return options_.momentum; }
  void set_momentum(double momentum) { options_.momentum = momentum; }
  std::vector<std::string> state_names() const override { return {"v"}; }

 private:
  std::optional<internal::UpdateRule> rule() const override;

  MomentumSGDOptions options_;
};

}  // namespace chainerxx::optimizers
