// SPDX-License-Identifier: MIT
#include "chainerxx/training/extensions/micro_average.h"

#include <utility>

#include "chainerxx/training/trainer.h"
#include "cupyxx/error.h"

namespace chainerxx::training::extensions {

MicroAverage::MicroAverage(std::string numerator_key, std::string denominator_key,
                           std::string result_key, TriggerArg trigger)
    : numerator_key_(std::move(numerator_key)),
      denominator_key_(std::move(denominator_key)),
      result_key_(std::move(result_key)),
      trigger_(std::move(trigger)) {}

void MicroAverage::operator()(Trainer& trainer) {
  const ReportedValue* const numerator = trainer.observation().find(numerator_key_);
  const ReportedValue* const denominator = trainer.observation().find(denominator_key_);
  if ((numerator == nullptr) != (denominator == nullptr)) {
    throw cupyxx::IndexError(cupyxx::message("MicroAverage: only one of ", numerator_key_, " and ",
                                             denominator_key_, " was reported"));
  }
  if (numerator != nullptr) {
    summary_.add("numerator", *numerator);
    summary_.add("denominator", *denominator);
  }
  if (!trigger_(trainer) || !summary_.contains("numerator")) return;
  // Both have been added up equally often: their means are as their sums.
  const double average = summary_.mean("numerator") / summary_.mean("denominator");
  summary_.clear();
  report({{result_key_, average}});
}

void MicroAverage::serialize(const Serializer& s) {
  trigger_.serialize(s["_trigger"]);
  summary_.serialize(s["_summary"]);
}

}  // namespace chainerxx::training::extensions
