// SPDX-License-Identifier: MIT
#include "chainerxx/training/extensions/shift.h"

#include <cmath>
#include <vector>

#include "chainerxx/training/trainer.h"
#include "cupyxx/error.h"
#include "cupyxx/scalar.h"

namespace chainerxx::training::extensions {

ValueShift::ValueShift(std::string attr, std::string optimizer)
    : attr_(std::move(attr)), optimizer_(std::move(optimizer)) {}

void ValueShift::initialize(Trainer& trainer) {
  const NamedRate* rate = trainer.updater().rate(optimizer_, attr_);
  if (rate == nullptr || rate->setting == nullptr) {
    trainer.updater().get_optimizer(optimizer_);  // throws for an unknown name
    std::string others;
    for (const char* name : {"lr", "alpha", "beta1", "beta2", "eps", "rho", "momentum"}) {
      const NamedRate* const other = trainer.updater().rate(optimizer_, name);
      if (other == nullptr || other->setting == nullptr) continue;
      others += cupyxx::message(others.empty() ? "; it has " : ", ", name);
    }
    throw cupyxx::ValueError(cupyxx::message(default_name(), ": the optimizer ", optimizer_,
                                             " has no number ", attr_, " that can be set", others));
  }
  for (const Extension* const extension : trainer.extensions()) {
    const auto* const other = dynamic_cast<const ValueShift*>(extension);
    if (other == nullptr || other == this || other->attr_ != attr_ ||
        other->optimizer_ != optimizer_) {
      continue;
    }
    throw cupyxx::ValueError(cupyxx::message(
        default_name(), ": ", other->default_name(), " sets ", attr_, " of the optimizer ",
        optimizer_, ", too, and one would begin with the other's; one schedule does both: ",
        "ScheduleShift(\"", attr_, "\", optimizers::WarmUp(500, optimizers::CosineDecay(10000)))"));
  }
  setting_ = rate->setting;
  if (!start_) start_ = (*setting_)();
  *setting_ = last_.value_or(value(0, *start_));  // where an earlier run stopped
}

void ValueShift::operator()(Trainer& trainer) {
  if (setting_ == nullptr) initialize(trainer);
  last_ = value(++t_, *start_);
  *setting_ = *last_;
}

void ValueShift::serialize(const Serializer& s) {
  std::int64_t t = t_;
  std::vector<double> values;
  if (start_) values = {*start_, last_.value_or(value(0, *start_))};
  s.count("_t", t);
  s("_values", values);
  if (values.size() != 0 && values.size() != 2) {
    s.refuse("_values", cupyxx::message("has ", values.size(), " values"));
  }
  if (!s.commits()) return;
  t_ = t;
  start_ = last_ = std::nullopt;
  if (values.empty()) return;
  start_ = values[0];
  last_ = values[1];
  if (setting_ != nullptr) *setting_ = *last_;
}

ExponentialShift::ExponentialShift(std::string attr, double rate,
                                   const ExponentialShiftOptions& options)
    : ValueShift(std::move(attr), options.optimizer), rate_(rate), options_(options) {
  if (!(rate >= 0)) {
    throw cupyxx::ValueError(cupyxx::message("ExponentialShift: a rate of ", cupyxx::Scalar(rate)));
  }
}

double ExponentialShift::value(std::int64_t t, double start) const {
  const double now = options_.init.value_or(start) * std::pow(rate_, static_cast<double>(t));
  if (!options_.target) return now;
  const double part = now / *options_.target;
  return (rate_ > 1 ? part > 1 : part < 1) ? *options_.target : now;
}

LinearShift::LinearShift(std::string attr, std::pair<double, double> value_range,
                         std::pair<double, double> time_range, std::string optimizer)
    : ValueShift(std::move(attr), std::move(optimizer)), values_(value_range), times_(time_range) {
  if (times_.first <= times_.second) return;
  throw cupyxx::ValueError(cupyxx::message("LinearShift: from ", cupyxx::Scalar(times_.first),
                                           " to ", cupyxx::Scalar(times_.second)));
}

double LinearShift::value(std::int64_t t, double /*start*/) const {
  const auto at = static_cast<double>(t);
  if (at <= times_.first) return values_.first;
  if (at >= times_.second) return values_.second;
  const double part = (at - times_.first) / (times_.second - times_.first);
  return values_.first + part * (values_.second - values_.first);
}

ScheduleShift::ScheduleShift(std::string attr, Callback<double(std::int64_t)> factor,
                             std::string optimizer)
    : ValueShift(std::move(attr), std::move(optimizer)), factor_(std::move(factor)) {}

double ScheduleShift::value(std::int64_t t, double start) const { return start * factor_(t); }

}  // namespace chainerxx::training::extensions
