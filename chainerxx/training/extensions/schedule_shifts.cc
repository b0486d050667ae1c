// SPDX-License-Identifier: MIT
#include "chainerxx/training/extensions/schedule_shifts.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "cupyxx/error.h"
#include "cupyxx/scalar.h"

namespace chainerxx::training::extensions {
namespace {

void check_gamma(const char* name, double gamma) {
  if (gamma >= 0) return;
  throw cupyxx::ValueError(cupyxx::message(name, ": a gamma of ", cupyxx::Scalar(gamma)));
}

void check_count(const char* name, const char* what, std::int64_t count) {
  if (count >= 1) return;
  throw cupyxx::ValueError(cupyxx::message(name, ": ", what, " is below 1; ", count));
}

/// A number on its way from `init`, which stops at the target once it has reached it.
double stopped(double now, double init, const ShiftOptions& options) {
  if (!options.target) return now;
  const double target = *options.target;
  return (init <= target ? now > target : now < target) ? target : now;
}

}  // namespace

InverseShift::InverseShift(std::string attr, double gamma, double power,
                           const ShiftOptions& options)
    : ValueShift(std::move(attr), options.optimizer),
      gamma_(gamma),
      power_(power),
      options_(options) {
  check_gamma("InverseShift", gamma);
}

double InverseShift::value(std::int64_t t, double start) const {
  const double init = options_.init.value_or(start);
  return stopped(init * std::pow(1 + gamma_ * static_cast<double>(t), -power_), init, options_);
}

PolynomialShift::PolynomialShift(std::string attr, double rate, std::int64_t max_count,
                                 const ShiftOptions& options)
    : ValueShift(std::move(attr), options.optimizer),
      rate_(rate),
      max_count_(max_count),
      options_(options) {
  if (!(rate > 0)) {
    throw cupyxx::ValueError(cupyxx::message("PolynomialShift: a rate of ", cupyxx::Scalar(rate)));
  }
  check_count("PolynomialShift", "max_count", max_count);
}

double PolynomialShift::value(std::int64_t t, double start) const {
  const double init = options_.init.value_or(start);
  const double left = 1 - static_cast<double>(t) / static_cast<double>(max_count_);
  return stopped(init * std::pow(std::max(left, 0.0), rate_), init, options_);
}

StepShift::StepShift(std::string attr, double gamma, std::int64_t step, const ShiftOptions& options)
    : ValueShift(std::move(attr), options.optimizer),
      gamma_(gamma),
      step_(step),
      options_(options) {
  check_gamma("StepShift", gamma);
  check_count("StepShift", "the step", step);
}

double StepShift::value(std::int64_t t, double start) const {
  const double init = options_.init.value_or(start);
  return stopped(init * std::pow(gamma_, static_cast<double>(t / step_)), init, options_);
}

MultistepShift::MultistepShift(std::string attr, double gamma, std::vector<std::int64_t> step_value,
                               const ShiftOptions& options)
    : ValueShift(std::move(attr), options.optimizer),
      gamma_(gamma),
      steps_(std::move(step_value)),
      options_(options) {
  check_gamma("MultistepShift", gamma);
  for (std::size_t i = 1; i < steps_.size(); ++i) {
    if (steps_[i - 1] < steps_[i]) continue;
    throw cupyxx::ValueError(cupyxx::message("MultistepShift: the steps do not rise; ",
                                             steps_[i - 1], " and ", steps_[i]));
  }
}

double MultistepShift::value(std::int64_t t, double start) const {
  const double init = options_.init.value_or(start);
  const auto passed = std::upper_bound(steps_.begin(), steps_.end(), t) - steps_.begin();
  return stopped(init * std::pow(gamma_, static_cast<double>(passed)), init, options_);
}

WarmupShift::WarmupShift(std::string attr, double warmup_start, std::int64_t warmup_iter,
                         std::optional<double> init, std::string optimizer)
    : ValueShift(std::move(attr), std::move(optimizer)),
      warmup_start_(warmup_start),
      warmup_iter_(warmup_iter),
      init_(init) {
  check_count("WarmupShift", "warmup_iter", warmup_iter);
}

double WarmupShift::value(std::int64_t t, double start) const {
  const double init = init_.value_or(start);
  if (t >= warmup_iter_) return init;
  const double share = static_cast<double>(t) / static_cast<double>(warmup_iter_);
  return warmup_start_ + (init - warmup_start_) * share;
}

}  // namespace chainerxx::training::extensions
