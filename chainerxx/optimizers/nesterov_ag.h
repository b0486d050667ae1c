// SPDX-License-Identifier: MIT
#pragma once

#include "chainerxx/optimizer.h"

namespace chainerxx::optimizers {

/// Options of NesterovAG.
struct NesterovAGOptions {
  double lr = 0.01;
  double momentum = 0.9;
};

/// Nesterov's accelerated gradient, in the form of Bengio, Boulanger-Lewandowski and Pascanu
/// (2012).
class CUPYXX_API NesterovAG final : public Optimizer {
 public:
  explicit NesterovAG(const NesterovAGOptions& options = {}) : options_(options) {}

  double lr() const { return options_.lr; }
  void set_lr(double lr) { options_.lr = lr; }
  double momentum() const { return options_.momentum; }
  void set_momentum(double momentum) { options_.momentum = momentum; }
  std::vector<std::string> state_names() const override { return {"v"}; }

 private:
  std::optional<internal::UpdateRule> rule() const override;

  NesterovAGOptions options_;
};

}  // namespace chainerxx::optimizers
