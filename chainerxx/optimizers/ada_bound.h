// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "chainerxx/optimizer.h"
#include "cupyxx/export.h"

namespace chainerxx::optimizers {

/// Options of AdaBound and AMSBound.
struct AdaBoundOptions {
  double alpha = 0.001;
  double beta1 = 0.9;
  double beta2 = 0.999;
  double final_lr = 0.1;  ///< the rate of SGD to which both bounds go
  double gamma = 0.001;   ///< how fast they do
  double eps = 1e-8;
};

/// Base of both.
class CUPYXX_API BoundedAdam : public Optimizer {
 public:
  Hyperparameter alpha{"AdaBound/AMSBound: alpha", options_.alpha};
  Hyperparameter beta1{"AdaBound/AMSBound: beta1", options_.beta1, internal::Bounds::share};
  Hyperparameter beta2{"AdaBound/AMSBound: beta2", options_.beta2, internal::Bounds::share};
  Hyperparameter final_lr{"AdaBound/AMSBound: final_lr", options_.final_lr};
  Hyperparameter gamma{"AdaBound/AMSBound: gamma", options_.gamma};
  Hyperparameter eps{"AdaBound/AMSBound: eps", options_.eps};
  const AdaBoundOptions& options() const { return options_; }
  void set_alpha(double value) { alpha = value; }

 protected:
  BoundedAdam(const AdaBoundOptions& options, bool amsgrad)
      : options_(options), initial_alpha_(options.alpha), amsgrad_(amsgrad) {
    internal::check_all(alpha, beta1, beta2, final_lr, gamma, eps);
  }

 private:
  std::optional<internal::UpdateRule> rule() const override;

  AdaBoundOptions options_;
  double initial_alpha_;  // bounds change as the rate does
  bool amsgrad_;
};

/// Adam whose rates of single elements stay between two bounds, which start far apart and meet at
/// final_lr: it begins as Adam and ends as SGD (Luo et al., 2019). The bounds are final_lr
/// (1 - 1 / (gamma t + 1)) and final_lr (1 + 1 / (gamma t)), multiplied by what alpha has become of
/// its first value. As in Adam, eps stands beside the root of the uncorrected moment.
class CUPYXX_API AdaBound final : public BoundedAdam {
 public:
  explicit AdaBound(const AdaBoundOptions& options = {}) : BoundedAdam(options, false) {}
  /// The options in their order.
  template <internal::Amount T>
  explicit AdaBound(T the_alpha, double the_beta1 = 0.9, double the_beta2 = 0.999,
                    double the_final_lr = 0.1, double the_gamma = 0.001, double the_eps = 1e-8)
      : AdaBound(AdaBoundOptions{static_cast<double>(the_alpha), the_beta1, the_beta2, the_final_lr,
                                 the_gamma, the_eps}) {}
  std::vector<std::string> state_names() const override { return {"m", "v"}; }
};

/// AdaBound that divides by the largest of its second moments so far, as AMSGrad.
class CUPYXX_API AMSBound final : public BoundedAdam {
 public:
  explicit AMSBound(const AdaBoundOptions& options = {}) : BoundedAdam(options, true) {}
  /// The options in their order.
  template <internal::Amount T>
  explicit AMSBound(T the_alpha, double the_beta1 = 0.9, double the_beta2 = 0.999,
                    double the_final_lr = 0.1, double the_gamma = 0.001, double the_eps = 1e-8)
      : AMSBound(AdaBoundOptions{static_cast<double>(the_alpha), the_beta1, the_beta2, the_final_lr,
                                 the_gamma, the_eps}) {}
  std::vector<std::string> state_names() const override { return {"m", "v", "vhat"}; }
};

}  // namespace chainerxx::optimizers
