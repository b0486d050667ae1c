// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <utility>

#include "chainerxx/training/extension.h"

namespace chainerxx {
class FunctionSet;
}

namespace chainerxx::training::extensions {

/// Ends the training with a ValueError when a parameter of one of the updater's models holds a NaN
/// or an infinity. Looks at all of them in each step, and waits for it.
class CUPYXX_API FailOnNonNumber final : public Extension {
 public:
  /// Throws ValueError, naming the model, the parameter and the step.
  void operator()(Trainer& trainer) override;
  std::string default_name() const override { return "FailOnNonNumber"; }
};

/// Options of ParameterStatistics.
struct ParameterStatisticsOptions {
  std::string prefix = "main";  ///< stands before the names
  bool report_params = true;    ///< the parameters: "main/l1/W/data/mean"
  bool report_grads = true;     ///< their gradients: "main/l1/W/grad/mean"
};

/// Reports mean, standard deviation, smallest and largest element of each parameter and of its
/// gradient: "main/l1/W/data/mean", "main/l1/W/grad/max"; "std", "min". Each epoch; waits for it.
class CUPYXX_API ParameterStatistics final : public Extension {
 public:
  /// Of all models of the updater, under their names there.
  ParameterStatistics() = default;
  /// Of one set of functions, which must live as long.
  explicit ParameterStatistics(FunctionSet& model, ParameterStatisticsOptions options = {})
      : model_(&model), options_(std::move(options)) {}

  void operator()(Trainer& trainer) override;
  std::string default_name() const override { return "ParameterStatistics"; }
  TriggerArg default_trigger() const override { return {1, "epoch"}; }
  int default_priority() const override { return kPriorityWriter; }

 private:
  FunctionSet* model_ = nullptr;
  ParameterStatisticsOptions options_;
};

}  // namespace chainerxx::training::extensions
