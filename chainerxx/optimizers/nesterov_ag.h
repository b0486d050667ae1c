// SPDX-License-Identifier: MIT
#pragma once

#include "chainerxx/optimizer.h"

namespace chainerxx::optimizers {

/// Options of NesterovAG.
struct NesterovAGOptions {
  double lr = 0.01;
  double momentum = 0.9;
};

/// Nesterov's accelerated gradient, as Chainer computes it: v = momentum * v - lr * g;
/// p += momentum^2 * v - (1 + momentum) * lr * g. That is the form of Bengio, Boulanger-Lewandowski
/// and Pascanu (2012), but for the v of the present step, where theirs has that before; PyTorch's
/// SGD with `nesterov` does p += momentum * v - lr * g, which is theirs.
class CUPYXX_API NesterovAG final : public Optimizer {
 public:
  explicit NesterovAG(const NesterovAGOptions& options = {}) : options_(options) {
    internal::check_all(lr, momentum);
  }
  /// The options in their order.
  template <internal::Amount T>
  explicit NesterovAG(T the_lr, double the_momentum = 0.9)
      : NesterovAG(NesterovAGOptions{static_cast<double>(the_lr), the_momentum}) {}
  /// The rate is one of the options.
  template <internal::Amount T, std::same_as<NesterovAGOptions> O = NesterovAGOptions>
  NesterovAG(T, const O&) {
    static_assert(internal::kNever<O>, "write NesterovAG optimizer({.lr = 0.1, .momentum = 0.9});");
  }

  Hyperparameter lr{"NesterovAG: lr", options_.lr};
  void set_lr(double value) { lr = value; }
  Hyperparameter momentum{"NesterovAG: momentum", options_.momentum, internal::Bounds::share};
  void set_momentum(double value) { momentum = value; }
  std::vector<std::string> state_names() const override { return {"v"}; }

 private:
  std::optional<internal::UpdateRule> rule() const override;

  NesterovAGOptions options_;
};

}  // namespace chainerxx::optimizers
