// SPDX-License-Identifier: MIT
#include "chainerxx/training/trigger.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

#include "chainerxx/training/trainer.h"
#include "cupyxx/error.h"
#include "cupyxx/scalar.h"

namespace chainerxx::training {
namespace {

namespace cp = cupyxx;

double now(const Trainer& trainer, Unit unit) {
  return unit == Unit::epoch ? trainer.updater().epoch_detail()
                             : static_cast<double>(trainer.updater().iteration());
}

/// Where a trigger was asked last, or the run began.
double last(const Trainer& trainer, Unit unit, double previous) {
  return previous < 0 ? trainer.started_at(unit) : previous;
}

/// How many whole periods; 0.3 has three of 0.1, whatever the quotient's last bits say.
double periods(double at, double period) { return std::floor(at / period + 1e-9); }

}  // namespace

Unit parse_unit(std::string_view text) {
  if (text == "epoch") return Unit::epoch;
  if (text == "iteration") return Unit::iteration;
  throw cp::ValueError(cp::message("trigger: the unit is ", text, ", not epoch or iteration"));
}

Trigger::~Trigger() = default;
void Trigger::serialize(const Serializer& /*s*/) {}

TriggerArg::TriggerArg(const TriggerArg& other)
    : trigger_(other.copy_ == nullptr ? other.trigger_ : other.copy_(other.trigger_)),
      copy_(other.copy_) {}

TriggerArg& TriggerArg::operator=(const TriggerArg& other) {
  if (this != &other) *this = TriggerArg(other);
  return *this;
}

void TriggerArg::serialize(const Serializer& s) const {
  if (trigger_ != nullptr) trigger_->serialize(s);
}

std::optional<TrainingLength> TriggerArg::training_length() const {
  return trigger_ == nullptr ? std::nullopt : trigger_->training_length();
}

TriggerArg TriggerArg::interval(double period, std::string_view unit) {
  return IntervalTrigger(period, unit);
}

IntervalTrigger::IntervalTrigger(double period, std::string_view unit)
    : period_(period), unit_(parse_unit(unit)) {
  if (!(period > 0)) {
    throw cp::ValueError(
        cp::message("IntervalTrigger: a period of ", cp::Scalar(period), " ", unit, "s"));
  }
}

bool IntervalTrigger::operator()(const Trainer& trainer) {
  const double at = now(trainer, unit_), before = last(trainer, unit_, previous_);
  const bool fires = periods(before, period_) != periods(at, period_);
  previous_ = at;
  return fires;
}

void IntervalTrigger::serialize(const Serializer& s) {
  double previous = std::max(previous_, 0.0);
  s(unit_ == Unit::epoch ? "previous_epoch_detail" : "previous_iteration", previous);
  if (s.commits()) previous_ = previous;
}

ManualScheduleTrigger::ManualScheduleTrigger(std::vector<double> points, std::string_view unit)
    : points_(std::move(points)), unit_(parse_unit(unit)) {}

bool ManualScheduleTrigger::operator()(const Trainer& trainer) {
  const double at = now(trainer, unit_), before = last(trainer, unit_, previous_);
  bool fires = false;
  for (const double point : points_) {
    fires = fires || (before < point - 1e-9 && point - 1e-9 <= at);
  }
  previous_ = at;
  return fires;
}

void ManualScheduleTrigger::serialize(const Serializer& s) {
  double previous = std::max(previous_, 0.0);
  s(unit_ == Unit::epoch ? "previous_epoch_detail" : "previous_iteration", previous);
  if (s.commits()) previous_ = previous;
}

bool OnceTrigger::operator()(const Trainer& trainer) {
  // Asked before the first update, too, by extensions that are called before the training.
  const bool fires = fires_ && trainer.updater().iteration() > 0;
  if (fires) fires_ = false;
  return fires;
}

void OnceTrigger::serialize(const Serializer& s) {
  bool fires = fires_;
  s("flag_first", fires);
  if (s.commits()) fires_ = fires || call_on_resume_;
}

TimeTrigger::TimeTrigger(double period) : period_(period), next_(period) {
  if (!(period > 0)) {
    throw cp::ValueError(cp::message("TimeTrigger: a period of ", cp::Scalar(period), " seconds"));
  }
}

bool TimeTrigger::operator()(const Trainer& trainer) {
  const double late = trainer.elapsed_time() - next_;
  if (!(late >= 0)) return false;
  next_ += period_ * (1 + std::floor(late / period_));
  return true;
}

void TimeTrigger::serialize(const Serializer& s) {
  double next = next_;
  s("next_time", next);
  if (!(next >= 0)) s.refuse("next_time", cp::message("is ", cp::Scalar(next)));
  if (s.commits()) next_ = next;
}

BestValueTrigger::BestValueTrigger(std::string key, bool larger, TriggerArg trigger)
    : key_(std::move(key)),
      larger_(larger),
      interval_(std::move(trigger)),
      shown_(std::make_shared<std::optional<double>>()) {}

bool BestValueTrigger::operator()(const Trainer& trainer) {
  if (const ReportedValue* value = trainer.observation().find(key_)) summary_.add(key_, *value);
  if (!interval_(trainer)) return false;
  if (!summary_.contains(key_)) {
    throw cp::IndexError(cp::message(larger_ ? "MaxValueTrigger" : "MinValueTrigger",
                                     ": nothing was reported as ", key_, "; there is ",
                                     trainer.observation().listed()));
  }
  const double value = summary_.mean(key_);
  summary_.clear();
  if (std::isnan(value)) return false;  // nothing could be better than it
  if (best_ && !(larger_ ? value > *best_ : value < *best_)) return false;
  *shown_ = best_ = value;
  return true;
}

void BestValueTrigger::serialize(const Serializer& s) {
  interval_.serialize(s["interval_trigger"]);
  summary_.serialize(s["summary"]);
  std::vector<double> best;
  if (best_) best.push_back(*best_);
  s("best_value", best);
  if (best.size() > 1) s.refuse("best_value", cp::message("has ", best.size(), " values"));
  if (s.commits()) *shown_ = best_ = best.empty() ? std::nullopt : std::optional(best[0]);
}

EarlyStoppingTrigger::EarlyStoppingTrigger(const EarlyStoppingOptions& options)
    : options_(options) {
  const std::string& mode = options.mode;
  if (mode != "min" && mode != "max" && mode != "auto") {
    throw cp::ValueError(
        cp::message("EarlyStoppingTrigger: the mode is ", mode, ", not min, max or auto"));
  }
  if (options.patience < 1) {
    throw cp::ValueError(
        cp::message("EarlyStoppingTrigger: a patience of ", options.patience, " looks"));
  }
  larger_ =
      mode == "max" || (mode == "auto" && options.monitor.find("accuracy") != std::string::npos);
  progress_.best = (larger_ ? -1 : 1) * std::numeric_limits<double>::infinity();
  shown_ = std::make_shared<Progress>(progress_);
}

bool EarlyStoppingTrigger::operator()(const Trainer& trainer) {
  const std::string& key = options_.monitor;
  if (const ReportedValue* value = trainer.observation().find(key)) summary_.add(key, *value);
  if (options_.max_trigger(trainer)) return true;
  if (!options_.check_trigger(trainer)) return false;
  if (!summary_.contains(key)) {
    if (!has_warned_) {
      std::fprintf(stderr, "EarlyStoppingTrigger: nothing is reported as %s; there is %s\n",
                   key.c_str(), trainer.observation().listed().c_str());
    }
    has_warned_ = true;
    return false;
  }
  const double value = summary_.mean(key);
  summary_.clear();
  if (larger_ ? value > progress_.best : value < progress_.best) {
    progress_ = {value, 0};
  } else {
    ++progress_.count;
  }
  *shown_ = progress_;
  if (progress_.count < options_.patience) return false;
  if (options_.verbose) {
    std::printf("epoch %lld: early stopping\n", static_cast<long long>(trainer.updater().epoch()));
  }
  return true;
}

void EarlyStoppingTrigger::serialize(const Serializer& s) {
  options_.check_trigger.serialize(s["interval_trigger"]);
  options_.max_trigger.serialize(s["max_trigger"]);
  summary_.serialize(s["summary"]);
  Progress progress = progress_;
  s("best", progress.best);
  s.count("count", progress.count);
  if (s.commits()) *shown_ = progress_ = progress;
}

std::optional<TrainingLength> EarlyStoppingTrigger::training_length() const {
  return options_.max_trigger.training_length();
}

}  // namespace chainerxx::training
