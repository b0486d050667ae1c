// SPDX-License-Identifier: MIT
// Chainer's other ways to change a number of an optimizer; t counts the calls, and `init` is unless
// given the number's value before the training.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "chainerxx/training/extensions/shift.h"

namespace chainerxx::training::extensions {

/// `init`, where it stops, and the optimizer.
using ShiftOptions = ExponentialShiftOptions;

/// init (1 + gamma t)^-power: `InverseShift("lr", 0.0001, 0.75)`.
class CUPYXX_API InverseShift final : public ValueShift {
 public:
  /// Throws ValueError for a negative gamma.
  InverseShift(std::string attr, double gamma, double power, const ShiftOptions& options = {});
  std::string default_name() const override { return "InverseShift"; }

 private:
  double value(std::int64_t t, double start) const override;

  double gamma_, power_;
  ShiftOptions options_;
};

/// init (1 - t / max_count)^rate, 0 from there on: `PolynomialShift("lr", 0.5, 10000)`.
class CUPYXX_API PolynomialShift final : public ValueShift {
 public:
  /// Throws ValueError for a rate that is not positive, and for max_count below 1.
  PolynomialShift(std::string attr, double rate, std::int64_t max_count,
                  const ShiftOptions& options = {});
  std::string default_name() const override { return "PolynomialShift"; }

 private:
  double value(std::int64_t t, double start) const override;

  double rate_;
  std::int64_t max_count_;
  ShiftOptions options_;
};

/// init gamma^(t / step), with the whole part of t / step: `StepShift("lr", 0.1, 1000)`.
class CUPYXX_API StepShift final : public ValueShift {
 public:
  /// Throws ValueError for a negative gamma, and for a step below 1.
  StepShift(std::string attr, double gamma, std::int64_t step, const ShiftOptions& options = {});
  std::string default_name() const override { return "StepShift"; }

 private:
  double value(std::int64_t t, double start) const override;

  double gamma_;
  std::int64_t step_;
  ShiftOptions options_;
};

/// Multiplied by gamma at each of some t: `MultistepShift("lr", 0.1, {1000, 2000})`.
class CUPYXX_API MultistepShift final : public ValueShift {
 public:
  /// Throws ValueError for a negative gamma, and for steps that do not rise.
  MultistepShift(std::string attr, double gamma, std::vector<std::int64_t> step_value,
                 const ShiftOptions& options = {});
  /// The options in Chainer's order.
  template <class N>
  requires std::is_arithmetic_v<N> MultistepShift(std::string attr, double gamma,
                                                  std::vector<std::int64_t> step_value, N init,
                                                  std::string optimizer = "main")
      : MultistepShift(
            std::move(attr), gamma, std::move(step_value),
            ShiftOptions{.init = static_cast<double>(init), .optimizer = std::move(optimizer)}) {}
  std::string default_name() const override { return "MultistepShift"; }

 private:
  double value(std::int64_t t, double start) const override;

  double gamma_;
  std::vector<std::int64_t> steps_;
  ShiftOptions options_;
};

/// From `warmup_start` to init in equal steps, which stays from t = warmup_iter on:
/// `WarmupShift("lr", 0, 500)`.
class CUPYXX_API WarmupShift final : public ValueShift {
 public:
  /// Throws ValueError for warmup_iter below 1.
  WarmupShift(std::string attr, double warmup_start, std::int64_t warmup_iter,
              std::optional<double> init = {}, std::string optimizer = "main");
  std::string default_name() const override { return "WarmupShift"; }

 private:
  double value(std::int64_t t, double start) const override;

  double warmup_start_;
  std::int64_t warmup_iter_;
  std::optional<double> init_;
};

}  // namespace chainerxx::training::extensions
