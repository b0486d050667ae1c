// SPDX-License-Identifier: MIT
// Hooks that look at every parameter, beside those of chainerxx/optimizer.h.
#pragma once

#include "chainerxx/optimizer.h"
#include "cupyxx/export.h"

namespace chainerxx {

/// A hook that adds normal random numbers to the gradients, which become smaller: at update t, from
/// 0, their variance is eta / (1 + t)^0.55 (Neelakantan et al., 2015). See Optimizer::add_noise.
struct GradientNoise {
  static constexpr const char* kName = "GradientNoise";
  /// Throws ValueError unless eta is at least 0 and finite.
  CUPYXX_API explicit GradientNoise(double the_eta);
  CUPYXX_API void operator()(Optimizer& optimizer) const;
  double eta;
};

/// A hook that scales each gradient to the norm of its parameter, as LARS does (You et al., 2017),
/// for optimizers of any kind: see Optimizer::scale_to_parameters.
struct GradientLARS {
  static constexpr const char* kName = "GradientLARS";
  /// Throws ValueError for a number that is negative or not finite.
  explicit GradientLARS(double the_threshold = 1e-2, double the_weight_decay = 0,
                        double the_eps = 1e-9)
      : threshold(internal::checked_number("GradientLARS: threshold", the_threshold)),
        weight_decay(internal::checked_number("GradientLARS: weight_decay", the_weight_decay)),
        eps(internal::checked_number("GradientLARS: eps", the_eps)) {}
  void operator()(Optimizer& optimizer) const {
    optimizer.scale_to_parameters(threshold, weight_decay, eps);
  }
  double threshold, weight_decay, eps;
};

namespace optimizer {
using chainerxx::GradientLARS, chainerxx::GradientNoise;
}  // namespace optimizer
namespace optimizer_hooks {
using chainerxx::GradientLARS, chainerxx::GradientNoise;
}  // namespace optimizer_hooks

}  // namespace chainerxx
