// SPDX-License-Identifier: MIT
// Numbers of an optimizer that change while it learns.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "chainerxx/training/callback.h"
#include "chainerxx/training/extension.h"
#include "chainerxx/training/updater.h"

namespace chainerxx::training::extensions {

/// Base of what sets a number of an optimizer, "lr" say, each time its trigger fires.
class CUPYXX_API ValueShift : public Extension {
 public:
  void operator()(Trainer& trainer) override;
  /// Throws ValueError where the updater's optimizer has no number of that name that can be set,
  /// and where two extensions set it: each begins with the other's.
  void initialize(Trainer& trainer) override;
  void serialize(const Serializer& s) override;

 protected:
  /// Options `optimizer` name the optimizer in the updater.
  ValueShift(std::string attr, std::string optimizer);
  /// The value for the t-th call, given the number's value before the first.
  virtual double value(std::int64_t t, double start) const = 0;

 private:
  std::string attr_, optimizer_;
  Hyperparameter* setting_ = nullptr;
  std::int64_t t_ = 0;
  std::optional<double> start_, last_;
};

/// Options of ExponentialShift.
struct ExponentialShiftOptions {
  std::optional<double> init = {};    ///< unless given the number's value before the training
  std::optional<double> target = {};  ///< where it stops
  std::string optimizer = "main";
};

/// Multiplies a number by `rate` each time: `ExponentialShift("lr", 0.5)`.
class CUPYXX_API ExponentialShift final : public ValueShift {
 public:
  /// Throws ValueError for a negative rate.
  ExponentialShift(std::string attr, double rate, const ExponentialShiftOptions& options = {});
  std::string default_name() const override { return "ExponentialShift"; }

 private:
  double value(std::int64_t t, double start) const override;

  double rate_;
  ExponentialShiftOptions options_;
};

/// Moves a number from one value to another between two calls: `LinearShift("lr", {0.1, 0}, {100,
/// 1000})`.
class CUPYXX_API LinearShift final : public ValueShift {
 public:
  LinearShift(std::string attr, std::pair<double, double> value_range,
              std::pair<double, double> time_range, std::string optimizer = "main");
  std::string default_name() const override { return "LinearShift"; }

 private:
  double value(std::int64_t t, double start) const override;

  std::pair<double, double> values_, times_;
};

/// Multiplies the number's value before the training by a schedule of chainerxx::optimizers, such
/// as CosineDecay: `ScheduleShift("lr", optimizers::CosineDecay(10000))`. Any function of the
/// number of calls will do.
class CUPYXX_API ScheduleShift final : public ValueShift {
 public:
  ScheduleShift(std::string attr, Callback<double(std::int64_t)> factor,
                std::string optimizer = "main");
  std::string default_name() const override { return "ScheduleShift"; }

 private:
  double value(std::int64_t t, double start) const override;

  Callback<double(std::int64_t)> factor_;
};

}  // namespace chainerxx::training::extensions
