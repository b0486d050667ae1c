// SPDX-License-Identifier: MIT
// When something happens in a training.
#pragma once

#include <concepts>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "chainerxx/training/reporter.h"
#include "chainerxx/training/serializer.h"
#include "cupyxx/export.h"

namespace chainerxx::training {

class Trainer;

/// What times are counted in.
enum class Unit : std::uint8_t { iteration, epoch };

/// Reads "iteration" or "epoch"; throws ValueError for another text.
CUPYXX_API Unit parse_unit(std::string_view text);

/// How long a training takes.
struct TrainingLength {
  double count = 0;
  Unit unit = Unit::epoch;
};

/// Base of all triggers: asked after each update whether it is time.
class CUPYXX_API Trigger {
 public:
  virtual ~Trigger();
  /// Whether it is time now.
  virtual bool operator()(const Trainer& trainer) = 0;
  /// Writes what it remembers, or takes it over.
  virtual void serialize(const Serializer& s);
  /// When a training that this ends will be over; nothing where that is not known.
  virtual std::optional<TrainingLength> training_length() const { return {}; }
};

/// A trigger as an argument: `{2, "epoch"}`, any Trigger, or a function of the trainer. It is a
/// value: each copy counts on its own, so that one may be given to several extensions or trainers.
/// What a shared pointer holds is shared.
class CUPYXX_API TriggerArg {
 public:
  /// Not given: never, or what is usual where it is left out.
  TriggerArg() = default;
  /// Every so many epochs or iterations, as IntervalTrigger.
  template <class N>
  requires(std::is_arithmetic_v<N> && !std::same_as<N, bool>)
      TriggerArg(N period, std::string_view unit)
      : TriggerArg(interval(static_cast<double>(period), unit)) {}
  template <std::derived_from<Trigger> T>
  TriggerArg(T trigger)  // NOLINT(google-explicit-constructor)
      : trigger_(std::make_shared<T>(std::move(trigger))), copy_(copy_of<T>) {}
  template <std::derived_from<Trigger> T>
  TriggerArg(std::shared_ptr<T> trigger)  // NOLINT(google-explicit-constructor)
      : trigger_(std::move(trigger)) {}
  template <std::predicate<const Trainer&> F>
  requires(!std::derived_from<F, Trigger> && !std::same_as<F, TriggerArg>)
      TriggerArg(F function)  // NOLINT(google-explicit-constructor)
      : TriggerArg(FunctionTrigger<F>(std::move(function))) {}
  TriggerArg(const TriggerArg& other);
  TriggerArg(TriggerArg&& other) noexcept = default;
  TriggerArg& operator=(const TriggerArg& other);
  TriggerArg& operator=(TriggerArg&& other) noexcept = default;
  ~TriggerArg() = default;

  bool is_given() const { return trigger_ != nullptr; }
  bool operator()(const Trainer& trainer) const {
    return trigger_ != nullptr && (*trigger_)(trainer);
  }
  /// Does so with the trigger, where one is given.
  void serialize(const Serializer& s) const;
  std::optional<TrainingLength> training_length() const;

 private:
  template <class F>
  struct FunctionTrigger final : Trigger {
    explicit FunctionTrigger(F f) : function(std::move(f)) {}
    bool operator()(const Trainer& trainer) override { return function(trainer); }
    F function;
  };
  using Copy = std::shared_ptr<Trigger> (*)(const std::shared_ptr<Trigger>&);
  /// One that counts on its own; what cannot be copied is shared.
  template <class T>
  static std::shared_ptr<Trigger> copy_of(const std::shared_ptr<Trigger>& trigger) {
    if constexpr (std::copy_constructible<T>) {
      return std::make_shared<T>(static_cast<const T&>(*trigger));
    } else {
      return trigger;
    }
  }
  static TriggerArg interval(double period, std::string_view unit);

  std::shared_ptr<Trigger> trigger_;
  Copy copy_ = nullptr;  // null: shared
};

/// Every `period` epochs or iterations; half epochs and the like are counted, too: the first update
/// that reaches a multiple of the period fires. Multiples before the run do not count.
class CUPYXX_API IntervalTrigger final : public Trigger {
 public:
  /// Throws ValueError for a period that is not above 0, and for another unit.
  IntervalTrigger(double period, std::string_view unit);
  bool operator()(const Trainer& trainer) override;
  void serialize(const Serializer& s) override;
  std::optional<TrainingLength> training_length() const override { return {{period_, unit_}}; }

 private:
  double period_;
  Unit unit_;
  double previous_ = -1;  // where it was asked last; negative where it was not
};

/// At given epochs or iterations: the first update that reaches a point fires.
class CUPYXX_API ManualScheduleTrigger final : public Trigger {
 public:
  ManualScheduleTrigger(std::vector<double> points, std::string_view unit);
  bool operator()(const Trainer& trainer) override;
  void serialize(const Serializer& s) override;

 private:
  std::vector<double> points_;
  Unit unit_;
  double previous_ = -1;  // where it was asked last; negative where it was not
};

/// Once: after the first update, or with `call_on_resume` also after the first one of a training
/// that goes on from a file.
class CUPYXX_API OnceTrigger final : public Trigger {
 public:
  explicit OnceTrigger(bool call_on_resume = false) : call_on_resume_(call_on_resume) {}
  bool operator()(const Trainer& trainer) override;
  void serialize(const Serializer& s) override;

 private:
  bool call_on_resume_;
  bool fires_ = true;
};

/// Every so many seconds; once where several periods have passed since the last update.
class CUPYXX_API TimeTrigger final : public Trigger {
 public:
  /// Throws ValueError for a period that is not above 0.
  explicit TimeTrigger(double period);
  bool operator()(const Trainer& trainer) override;
  void serialize(const Serializer& s) override;

 private:
  double period_;
  double next_;
};

/// Base of triggers that fire when the mean of a reported value over an interval is a new record.
class CUPYXX_API BestValueTrigger : public Trigger {
 public:
  bool operator()(const Trainer& trainer) override;
  void serialize(const Serializer& s) override;
  /// The record; nothing before the first interval. Of a trigger that was given to a trainer, which
  /// takes a copy, that of the copy asked last.
  std::optional<double> best_value() const { return *shown_; }

 protected:
  BestValueTrigger(std::string key, bool larger, TriggerArg trigger);

 private:
  std::string key_;
  bool larger_;
  TriggerArg interval_;
  DictSummary summary_;
  std::optional<double> best_;
  std::shared_ptr<std::optional<double>> shown_;  // all copies write it
};

/// When a value, such as "validation/main/loss", is smaller than ever before; a NaN is no record.
/// An interval in which nothing was reported under that name is an IndexError.
class CUPYXX_API MinValueTrigger final : public BestValueTrigger {
 public:
  explicit MinValueTrigger(std::string key, TriggerArg trigger = {1, "epoch"})
      : BestValueTrigger(std::move(key), false, std::move(trigger)) {}
};

/// When a value, such as "validation/main/accuracy", is larger than ever before.
class CUPYXX_API MaxValueTrigger final : public BestValueTrigger {
 public:
  explicit MaxValueTrigger(std::string key, TriggerArg trigger = {1, "epoch"})
      : BestValueTrigger(std::move(key), true, std::move(trigger)) {}
};

/// Options of EarlyStoppingTrigger.
struct EarlyStoppingOptions {
  TriggerArg check_trigger = {1, "epoch"};  ///< when the value is looked at
  std::string monitor = "main/loss";        ///< its name
  std::int64_t patience = 3;                ///< looks without progress that end the training
  std::string mode = "auto";  ///< "min", "max", or "auto": max for names with "accuracy"
  bool verbose = false;       ///< says on standard output when it stops
  TriggerArg max_trigger = {100, "epoch"};  ///< ends the training in any case
};

/// Ends a training, as its stop trigger, when a value makes no progress any more. Where nothing is
/// reported under its name it says so once, on standard error, and goes on.
class CUPYXX_API EarlyStoppingTrigger final : public Trigger {
 public:
  /// Throws ValueError for another mode, and a patience below 1.
  explicit EarlyStoppingTrigger(const EarlyStoppingOptions& options = {});
  bool operator()(const Trainer& trainer) override;
  void serialize(const Serializer& s) override;
  std::optional<TrainingLength> training_length() const override;
  /// The best value so far, infinite before the first. Of a trigger that was given to a trainer,
  /// which takes a copy, that of the copy asked last.
  double best() const { return shown_->best; }
  /// Looks without progress since then.
  std::int64_t count() const { return shown_->count; }

 private:
  struct Progress {
    double best;
    std::int64_t count = 0;
  };

  EarlyStoppingOptions options_;
  bool larger_;
  bool has_warned_ = false;
  DictSummary summary_;
  Progress progress_;
  std::shared_ptr<Progress> shown_;  // all copies write it
};

/// Chainer's place of these names.
namespace triggers {
using training::EarlyStoppingTrigger, training::IntervalTrigger, training::ManualScheduleTrigger;
using training::MaxValueTrigger, training::MinValueTrigger, training::BestValueTrigger;
using training::OnceTrigger, training::TimeTrigger;
}  // namespace triggers

}  // namespace chainerxx::training
