// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "chainerxx/optimizer.h"
#include "cupyxx/export.h"

namespace chainerxx::optimizers {

/// Options of AMSGrad.
struct AMSGradOptions {
  double alpha = 0.001;
  double beta1 = 0.9;
  double beta2 = 0.999;
  double eps = 1e-8;
};

/// Adam that divides by the largest of its second moments so far (Reddi et al., 2018). As in Adam,
/// eps stands beside the root of the uncorrected moment.
class CUPYXX_API AMSGrad final : public Optimizer {
 public:
  explicit AMSGrad(const AMSGradOptions& options = {}) : options_(options) {
    internal::check_all(alpha, beta1, beta2, eps);
  }
  /// The options in their order.
  template <internal::Amount T>
  explicit AMSGrad(T the_alpha, double the_beta1 = 0.9, double the_beta2 = 0.999,
                   double the_eps = 1e-8)
      : AMSGrad(AMSGradOptions{static_cast<double>(the_alpha), the_beta1, the_beta2, the_eps}) {}
  /// The rate is one of the options.
  template <internal::Amount T, std::same_as<AMSGradOptions> O = AMSGradOptions>
  AMSGrad(T, const O&) {
    static_assert(internal::kNever<O>, "write AMSGrad optimizer({.alpha = 1e-3, .eps = 1e-6});");
  }

  Hyperparameter alpha{"AMSGrad: alpha", options_.alpha};
  Hyperparameter beta1{"AMSGrad: beta1", options_.beta1, internal::Bounds::share};
  Hyperparameter beta2{"AMSGrad: beta2", options_.beta2, internal::Bounds::share};
  Hyperparameter eps{"AMSGrad: eps", options_.eps};
  const AMSGradOptions& options() const { return options_; }
  void set_alpha(double value) { alpha = value; }
  std::vector<std::string> state_names() const override { return {"m", "v", "vhat"}; }

 private:
  std::optional<internal::UpdateRule> rule() const override;

  AMSGradOptions options_;
};

}  // namespace chainerxx::optimizers
