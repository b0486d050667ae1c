// SPDX-License-Identifier: MIT
// Learning rates as functions of the number of updates: factors between 0 and 1.
//
//   const CosineDecay decay(10000);
//   optimizer.add_hook("rate", [&](Optimizer& o) { optimizer.set_lr(0.1 * decay(o.t())); });
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>

namespace chainerxx::optimizers {

/// rate^t.
struct ExponentialDecay {
  explicit ExponentialDecay(double the_rate) : rate(the_rate) {}
  double operator()(std::int64_t t) const { return std::pow(rate, static_cast<double>(t)); }
  double rate;
};

/// Multiplied by `factor` after every `period` updates.
struct StepDecay {
  StepDecay(double the_factor, std::int64_t the_period) : factor(the_factor), period(the_period) {}
  double operator()(std::int64_t t) const {
    const std::int64_t steps = t / std::max<std::int64_t>(period, 1);
    return std::pow(factor, static_cast<double>(steps));
  }
  double factor;
  std::int64_t period;
};

/// (1 - t / steps)^power, and 0 from there on.
struct PolynomialDecay {
  explicit PolynomialDecay(std::int64_t the_steps, double the_power = 1)
      : steps(the_steps), power(the_power) {}
  double operator()(std::int64_t t) const {
    const double left = 1 - static_cast<double>(t) / static_cast<double>(steps);
    return left <= 0 ? 0 : std::pow(left, power);
  }
  std::int64_t steps;
  double power;
};

/// Half a period of a cosine, from 1 to `floor` after `steps` updates (Loshchilov and Hutter,
/// 2016).
struct CosineDecay {
  explicit CosineDecay(std::int64_t the_steps, double the_floor = 0)
      : steps(the_steps), floor(the_floor) {}
  double operator()(std::int64_t t) const {
    const double done = std::min(1.0, static_cast<double>(t) / static_cast<double>(steps));
    return floor + (1 - floor) * 0.5 * (1 + std::cos(std::numbers::pi * done));
  }
  std::int64_t steps;
  double floor;
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
