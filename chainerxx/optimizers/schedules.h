// SPDX-License-Identifier: MIT
// Learning rates as functions of the number of updates: factors between 0 and 1.
//
//   const CosineDecay decay(10000);
//   optimizer.add_hook("rate", [&](Optimizer& o) { optimizer.set_lr(0.1 * decay(o.t())); });
#pragma once

#include <concepts>
#include <cstdint>
#include <limits>

#include "cupyxx/export.h"

namespace chainerxx::optimizers {

/// rate^t.
struct CUPYXX_API ExponentialDecay {
  explicit ExponentialDecay(double the_rate) : rate(the_rate) {}
  double operator()(std::int64_t t) const;
  double rate;
};

/// Multiplied by `factor` after every `period` updates.
struct CUPYXX_API StepDecay {
  StepDecay(double the_factor, std::int64_t the_period) : factor(the_factor), period(the_period) {}
  /// Not in PyTorch's order.
  template <class F, std::floating_point P>
  StepDecay(F, P) {
    static_assert(sizeof(P) == 0,
                  "the factor stands before the number of updates: write StepDecay(0.1, 30)");
  }
  double operator()(std::int64_t t) const;
  double factor;
  std::int64_t period;
};

/// (1 - t / steps)^power, and 0 from there on.
struct CUPYXX_API PolynomialDecay {
  explicit PolynomialDecay(std::int64_t the_steps, double the_power = 1)
      : steps(the_steps), power(the_power) {}
  double operator()(std::int64_t t) const;
  std::int64_t steps;
  double power;
};

/// Half a period of a cosine, from 1 to `floor` after `steps` updates (Loshchilov and Hutter,
/// 2016).
struct CUPYXX_API CosineDecay {
  explicit CosineDecay(std::int64_t the_steps, double the_floor = 0)
      : steps(the_steps), floor(the_floor) {}
  double operator()(std::int64_t t) const;
  std::int64_t steps;
  double floor;
};

/// Half a period of a cosine from `start` up to 1 during the share `warm` of `steps` updates, and
/// one down to `floor` during the rest (Smith and Topin, 2017), with the defaults of PyTorch.
struct CUPYXX_API OneCycle {
  explicit OneCycle(std::int64_t the_steps, double the_warm = 0.3, double the_start = 0.04,
                    double the_floor = 4e-6)
      : steps(the_steps), warm(the_warm), start(the_start), floor(the_floor) {}
  double operator()(std::int64_t t) const;
  std::int64_t steps;
  double warm, start, floor;
};

/// Multiplied by `factor` whenever a loss has not fallen below its least by the share `threshold`
/// of that for more than `patience` calls:
///
///   Plateau plateau(0.1, 10);
///   optimizer.set_lr(0.1 * plateau(validation_loss));
struct Plateau {
  explicit Plateau(double the_factor = 0.1, std::int64_t the_patience = 10,
                   double the_threshold = 1e-4)
      : factor(the_factor), patience(the_patience), threshold(the_threshold) {}
  /// The factor behind this loss; NaN counts as no progress.
  double operator()(double loss) {
    if (loss < least * (least < 0 ? 1 + threshold : 1 - threshold)) {
      least = loss;
      waited = 0;
    } else if (++waited > patience) {
      rate *= factor;
      waited = 0;
    }
    return rate;
  }
  double factor;
  std::int64_t patience;
  double threshold;
  double rate = 1;          ///< the present factor
  std::int64_t waited = 0;  ///< calls without progress
  double least = std::numeric_limits<double>::infinity();
};

/// Rises in equal steps to 1 during the first `steps` updates, then follows another schedule, which
/// begins there.
template <class Then>
struct WarmUp {
  WarmUp(std::int64_t the_steps, Then the_then) : steps(the_steps), then(the_then) {}
  double operator()(std::int64_t t) const {
    if (t < steps) return static_cast<double>(t + 1) / static_cast<double>(steps);
    return then(t - steps);
  }
  std::int64_t steps;
  Then then;
};

}  // namespace chainerxx::optimizers
