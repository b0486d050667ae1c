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
  explicit MomentumSGD(const MomentumSGDOptions& options = {}) : options_(options) {
    internal::check_all(lr, momentum);
  }
  /// The options in their order.
  template <internal::Amount T>
  explicit MomentumSGD(T the_lr, double the_momentum = 0.9)
      : MomentumSGD(MomentumSGDOptions{static_cast<double>(the_lr), the_momentum}) {}
  /// The rate is one of the options.
  template <internal::Amount T, std::same_as<MomentumSGDOptions> O = MomentumSGDOptions>
  MomentumSGD(T, const O&) {
    static_assert(internal::kNever<O>,
                  "write MomentumSGD optimizer({.lr = 0.1, .momentum = 0.9});");
  }
  /// Not of a model, which is given to setup().
  template <internal::ModelOrParameters M, class... Rest>
  explicit MomentumSGD(const M&, const Rest&...) {
    static_assert(internal::kNever<M>,
                  "write MomentumSGD optimizer(0.1, 0.9); optimizer.setup(model);");
  }
  template <internal::ModelOrParameters M>
  MomentumSGD(const M&, const MomentumSGDOptions&) {
    static_assert(internal::kNever<M>,
                  "write MomentumSGD optimizer(0.1, 0.9); optimizer.setup(model);");
  }

  Hyperparameter lr{"MomentumSGD: lr", options_.lr};
  void set_lr(double value) { lr = value; }
  Hyperparameter momentum{"MomentumSGD: momentum", options_.momentum, internal::Bounds::share};
  void set_momentum(double value) { momentum = value; }
  std::vector<std::string> state_names() const override { return {"v"}; }

 private:
  std::optional<internal::UpdateRule> rule() const override;

  MomentumSGDOptions options_;
};

}  // namespace chainerxx::optimizers
