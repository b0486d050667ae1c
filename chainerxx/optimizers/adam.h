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
  explicit Adam(const AdamOptions& options = {}) : options_(options) {
    internal::check_all(alpha, beta1, beta2, eps);
  }
  /// The options in their order.
  template <internal::Amount T>
  explicit Adam(T the_alpha, double the_beta1 = 0.9, double the_beta2 = 0.999,
                double the_eps = 1e-8)
      : Adam(AdamOptions{static_cast<double>(the_alpha), the_beta1, the_beta2, the_eps}) {}
  /// The rate is one of the options.
  template <internal::Amount T, std::same_as<AdamOptions> O = AdamOptions>
  Adam(T, const O&) {
    static_assert(internal::kNever<O>, "write Adam optimizer({.alpha = 1e-3, .eps = 1e-6});");
  }
  /// Not of a model, which is given to setup().
  template <internal::ModelOrParameters M, class... Rest>
  explicit Adam(const M&, const Rest&...) {
    static_assert(internal::kNever<M>, "write Adam optimizer(1e-3); optimizer.setup(model);");
  }
  template <internal::ModelOrParameters M>
  Adam(const M&, const AdamOptions&) {
    static_assert(internal::kNever<M>, "write Adam optimizer(1e-3); optimizer.setup(model);");
  }
  /// Not by PyTorch's name of the rate.
  template <std::same_as<internal::RateOfAdam> O = internal::RateOfAdam>
  explicit Adam(O) {
    static_assert(internal::kNever<O>,
                  "the rate is called alpha: write Adam optimizer({.alpha = 1e-3});");
  }
  /// Not with what later Chainer's Adam has for algorithms of other names.
  template <std::same_as<internal::LaterAdam> O = internal::LaterAdam>
  explicit Adam(O) {
    static_assert(internal::kNever<O>,
                  "write AdamW({.alpha = 1e-3, .weight_decay = 0.01}) for weight_decay_rate, "
                  "AMSGrad or AdaBound for amsgrad and adabound");
  }

  Hyperparameter alpha{"Adam: alpha", options_.alpha};
  void set_alpha(double value) { alpha = value; }
  Hyperparameter beta1{"Adam: beta1", options_.beta1, internal::Bounds::share};
  void set_beta1(double value) { beta1 = value; }
  Hyperparameter beta2{"Adam: beta2", options_.beta2, internal::Bounds::share};
  void set_beta2(double value) { beta2 = value; }
  Hyperparameter eps{"Adam: eps", options_.eps};
  void set_eps(double value) { eps = value; }
  /// alpha with the correction for the moments' start at 0, for the present t. Throws ValueError
  /// before the first update, which it depends on.
  double lr() const;
  std::vector<std::string> state_names() const override { return {"m", "v"}; }

 private:
  std::optional<internal::UpdateRule> rule() const override;

  AdamOptions options_;
};

}  // namespace chainerxx::optimizers
