// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "chainerxx/training/extension.h"

namespace chainerxx::training::extensions {

/// Reports the sum of one value over that of another, right answers over all of them, say: of all
/// updates since the latest report, each epoch or when a trigger fires. Unlike the mean of shares
/// it counts batches by their size. Values of a device are added up there.
///
///   trainer.extend(extensions::MicroAverage("main/correct", "main/count", "main/accuracy"));
class CUPYXX_API MicroAverage final : public Extension {
 public:
  MicroAverage(std::string numerator_key, std::string denominator_key, std::string result_key,
               TriggerArg trigger = {1, "epoch"});

  /// Throws IndexError when only one of both values was reported.
  void operator()(Trainer& trainer) override;
  std::string default_name() const override { return "MicroAverage"; }
  int default_priority() const override { return kPriorityEditor; }
  void serialize(const Serializer& s) override;

 private:
  std::string numerator_key_, denominator_key_, result_key_;
  TriggerArg trigger_;
  DictSummary summary_;
};

}  // namespace chainerxx::training::extensions
