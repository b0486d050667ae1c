// SPDX-License-Identifier: MIT
#pragma once

#include "chainerxx/optimizer.h"

namespace chainerxx::optimizers {

/// Options of SGD.
struct SGDOptions {
  double lr = 0.01;
};

/// Stochastic gradient descent: p -= lr * g.
class CUPYXX_API SGD final : public Optimizer {
 public:
  explicit SGD(const SGDOptions& options = {}) : options_(options) { lr.check(); }
  /// The options in their order.
  template <internal::Amount T>
  explicit SGD(T the_lr) : SGD(SGDOptions{static_cast<double>(the_lr)}) {}
  /// Not of a model, which is given to setup().
  template <internal::ModelOrParameters M, class... Rest>
  explicit SGD(const M&, const Rest&...) {
    static_assert(internal::kNever<M>, "write SGD optimizer(0.1); optimizer.setup(model);");
  }
  template <internal::ModelOrParameters M>
  SGD(const M&, const SGDOptions&) {
    static_assert(internal::kNever<M>, "write SGD optimizer(0.1); optimizer.setup(model);");
  }
  /// Not with momentum, which MomentumSGD has.
  template <internal::Amount T, internal::Amount M>
  SGD(T, M) {
    static_assert(internal::kNever<T>, "write MomentumSGD optimizer(0.1, 0.9);");
  }
  template <std::same_as<internal::MomentumOfSgd> O = internal::MomentumOfSgd>
  explicit SGD(O) {
    static_assert(internal::kNever<O>,
                  "write MomentumSGD optimizer({.lr = 0.1, .momentum = 0.9}); or NesterovAG, and "
                  "optimizer.add_hook(WeightDecay(5e-4));");
  }

  Hyperparameter lr{"SGD: lr", options_.lr};
  void set_lr(double value) { lr = value; }

 private:
  std::optional<internal::UpdateRule> rule() const override;

  SGDOptions options_;
};

}  // namespace chainerxx::optimizers
