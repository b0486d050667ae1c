// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "chainerxx/optimizer.h"
#include "cupyxx/export.h"

namespace chainerxx::optimizers {

/// Options of MSVAG.
struct MSVAGOptions {
  double lr = 0.1;
  double beta = 0.9;
  double eta = 1;                ///< scales the step and the decay
  double weight_decay_rate = 0;  ///< a decay beside the step
};

/// Momentum whose steps are shortened, element by element, where the gradients' variance says that
/// their mean is not certain (Balles and Hennig, 2018: M-SVAG).
class CUPYXX_API MSVAG final : public Optimizer {
 public:
  explicit MSVAG(const MSVAGOptions& options = {}) : options_(options) {
    internal::check_all(lr, beta, eta, weight_decay_rate);
  }
  /// The options in their order.
  template <internal::Amount T>
  explicit MSVAG(T the_lr, double the_beta = 0.9, double the_eta = 1,
                 double the_weight_decay_rate = 0)
      : MSVAG(MSVAGOptions{static_cast<double>(the_lr), the_beta, the_eta, the_weight_decay_rate}) {
  }

  Hyperparameter lr{"MSVAG: lr", options_.lr};
  Hyperparameter beta{"MSVAG: beta", options_.beta, internal::Bounds::share};
  Hyperparameter eta{"MSVAG: eta", options_.eta};
  Hyperparameter weight_decay_rate{"MSVAG: weight_decay_rate", options_.weight_decay_rate};
  const MSVAGOptions& options() const { return options_; }
  void set_lr(double value) { lr = value; }
  std::vector<std::string> state_names() const override { return {"m", "v"}; }

 private:
  std::optional<internal::UpdateRule> rule() const override;

  MSVAGOptions options_;
};

}  // namespace chainerxx::optimizers
