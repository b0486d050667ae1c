// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "chainerxx/optimizer.h"
#include "cupyxx/export.h"

namespace chainerxx::optimizers {

/// Options of AdamW.
struct AdamWOptions {
  double alpha = 0.001;
  double beta1 = 0.9;
  double beta2 = 0.999;
  double eps = 1e-8;
  double weight_decay = 0.01;
};

/// Adam whose weight decay does not go through the moments (Loshchilov and Hutter, 2017): beside
/// Adam's step the parameters lose alpha * weight_decay of themselves.
class CUPYXX_API AdamW final : public Optimizer {
 public:
  explicit AdamW(const AdamWOptions& options = {}) : options_(options) {
    internal::check_all(alpha, beta1, beta2, eps);
    internal::check_number("AdamW: weight_decay", options.weight_decay,
                           internal::Bounds::not_negative);
  }
  /// The options in their order.
  template <internal::Amount T>
  explicit AdamW(T the_alpha, double the_beta1 = 0.9, double the_beta2 = 0.999,
                 double the_eps = 1e-8, double the_weight_decay = 0.01)
      : AdamW(AdamWOptions{static_cast<double>(the_alpha), the_beta1, the_beta2, the_eps,
                           the_weight_decay}) {}
  /// The rate is one of the options.
  template <internal::Amount T, std::same_as<AdamWOptions> O = AdamWOptions>
  AdamW(T, const O&) {
    static_assert(internal::kNever<O>,
                  "write AdamW optimizer({.alpha = 1e-3, .weight_decay = 0.01});");
  }
  /// Not of a model, which is given to setup().
  template <internal::ModelOrParameters M, class... Rest>
  explicit AdamW(const M&, const Rest&...) {
    static_assert(internal::kNever<M>, "write AdamW optimizer(1e-3); optimizer.setup(model);");
  }
  template <internal::ModelOrParameters M>
  AdamW(const M&, const AdamWOptions&) {
    static_assert(internal::kNever<M>, "write AdamW optimizer(1e-3); optimizer.setup(model);");
  }
  /// Not by PyTorch's name of the rate.
  template <std::same_as<internal::RateOfAdam> O = internal::RateOfAdam>
  explicit AdamW(O) {
    static_assert(internal::kNever<O>,
                  "the rate is called alpha: write AdamW optimizer({.alpha = 1e-3});");
  }
  /// Not with what later Chainer's Adam has for algorithms of other names.
  template <std::same_as<internal::LaterAdam> O = internal::LaterAdam>
  explicit AdamW(O) {
    static_assert(internal::kNever<O>,
                  "write AdamW({.alpha = 1e-3, .weight_decay = 0.01}) for weight_decay_rate, "
                  "AMSGrad or AdaBound for amsgrad and adabound");
  }

  Hyperparameter alpha{"AdamW: alpha", options_.alpha};
  Hyperparameter beta1{"AdamW: beta1", options_.beta1, internal::Bounds::share};
  Hyperparameter beta2{"AdamW: beta2", options_.beta2, internal::Bounds::share};
  Hyperparameter eps{"AdamW: eps", options_.eps};
  const AdamWOptions& options() const { return options_; }
  void set_alpha(double value) { alpha = value; }
  std::vector<std::string> state_names() const override { return {"m", "v"}; }

 private:
  std::optional<internal::UpdateRule> rule() const override;

  AdamWOptions options_;
};

}  // namespace chainerxx::optimizers
