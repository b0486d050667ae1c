// SPDX-License-Identifier: MIT
#pragma once

#include "chainerxx/training/extension.h"

namespace chainerxx::training::extensions {

/// Ends the training with a ValueError when a parameter holds a NaN or an infinity. Looks at all of
/// them in each step, and waits for it.
class CUPYXX_API FailOnNonNumber final : public Extension {
 public:
  /// Throws ValueError, naming the parameter and the step.
  void operator()(Trainer& trainer) override;
  std::string default_name() const override { return "FailOnNonNumber"; }
};

/// Reports mean, standard deviation, smallest and largest element of each parameter and of its
/// gradient: "main/l1/W/data/mean", "main/l1/W/grad/max". Each epoch; waits for it.
class CUPYXX_API ParameterStatistics final : public Extension {
 public:
  void operator()(Trainer& trainer) override;
  std::string default_name() const override { return "ParameterStatistics"; }
  TriggerArg default_trigger() const override { return {1, "epoch"}; }
  int default_priority() const override { return kPriorityWriter; }
};

}  // namespace chainerxx::training::extensions
