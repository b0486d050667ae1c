// SPDX-License-Identifier: MIT
#pragma once

#include "chainerxx/optimizer.h"

namespace chainerxx::optimizers {

/// Options of Adamax.
struct AdamaxOptions {
  double alpha = 0.002;
  double beta1 = 0.9;
  double beta2 = 0.999;
  double eps = 1e-8;
};

/// AdaMax (Kingma and Ba, 2014, section 7.1): Adam that divides by the largest gradient so far,
/// u = max(beta2 u, |g| + eps), instead of by the root of the second moment. As in PyTorch eps
/// stands beside |g|; with eps = 0, as in the paper, elements that never had a gradient stay.
class CUPYXX_API Adamax final : public Optimizer {
 public:
  explicit Adamax(const AdamaxOptions& options = {}) : options_(options) {
    alpha.check();
    beta1.check();
    beta2.check();
    eps.check();
  }
  /// The options in their order.
  template <internal::Amount T>
  explicit Adamax(T the_alpha, double the_beta1 = 0.9, double the_beta2 = 0.999,
                  double the_eps = 1e-8)
      : Adamax(AdamaxOptions{static_cast<double>(the_alpha), the_beta1, the_beta2, the_eps}) {}
  /// The rate is one of the options.
  template <internal::Amount T, std::same_as<AdamaxOptions> O = AdamaxOptions>
  Adamax(T, const O&) {
    static_assert(internal::kNever<O>, "write Adamax optimizer({.alpha = 2e-3, .eps = 1e-6});");
  }
  /// Not by PyTorch's name of the rate.
  template <std::same_as<internal::RateOfAdam> O = internal::RateOfAdam>
  explicit Adamax(O) {
    static_assert(internal::kNever<O>,
                  "the rate is called alpha: write Adamax optimizer({.alpha = 2e-3});");
  }

  Hyperparameter alpha{"Adamax: alpha", options_.alpha};
  void set_alpha(double value) { alpha = value; }
  Hyperparameter beta1{"Adamax: beta1", options_.beta1, internal::Bounds::share};
  void set_beta1(double value) { beta1 = value; }
  Hyperparameter beta2{"Adamax: beta2", options_.beta2, internal::Bounds::share};
  void set_beta2(double value) { beta2 = value; }
  Hyperparameter eps{"Adamax: eps", options_.eps};
  void set_eps(double value) { eps = value; }
  std::vector<std::string> state_names() const override { return {"m", "u"}; }

 private:
  std::optional<internal::UpdateRule> rule() const override;

  AdamaxOptions options_;
};

}  // namespace chainerxx::optimizers
