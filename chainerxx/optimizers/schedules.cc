// SPDX-License-Identifier: MIT
#include "chainerxx/optimizers/schedules.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace chainerxx::optimizers {

namespace {

// Half a period of a cosine.
double between(double from, double to, double done) {
  return to + (from - to) * 0.5 * (1 + std::cos(std::numbers::pi * done));
}

}  // namespace

double ExponentialDecay::operator()(std::int64_t t) const {
  return std::pow(rate, static_cast<double>(t));
}

double StepDecay::operator()(std::int64_t t) const {
  const std::int64_t steps = t / std::max<std::int64_t>(period, 1);
  return std::pow(factor, static_cast<double>(steps));
}

double PolynomialDecay::operator()(std::int64_t t) const {
  if (t >= steps) return 0;
  return std::pow(1 - static_cast<double>(t) / static_cast<double>(steps), power);
}

double CosineDecay::operator()(std::int64_t t) const {
  return between(1, floor, std::min(1.0, static_cast<double>(t) / static_cast<double>(steps)));
}

double OneCycle::operator()(std::int64_t t) const {
  const auto last = static_cast<double>(steps - 1), now = static_cast<double>(t);
  const double peak = warm * static_cast<double>(steps) - 1;
  if (now < peak) return between(start, 1, now / peak);
  return last > peak ? between(1, floor, std::min(1.0, (now - peak) / (last - peak))) : 1;
}

}  // namespace chainerxx::optimizers
