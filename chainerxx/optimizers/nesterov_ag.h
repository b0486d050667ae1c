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
  /// The options in their order.
  template <internal::Amount T>
  explicit NesterovAG(T the_lr, double the_momentum = 0.9)
      : options_{static_cast<double>(the_lr), the_momentum} {}

  Hyperparameter lr{options_.lr};
  void set_lr(double value) { options_.lr = value; }
  Hyperparameter momentum{options_.momentum};
  void set_momentum(double value) { options_.momentum = value; }
  std::vector<std::string> state_names() const override { return {"v"}; }

 private:
  std::optional<internal::UpdateRule> rule() const override;

  NesterovAGOptions options_;
};

}  // namespace chainerxx::optimizers
