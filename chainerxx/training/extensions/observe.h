// SPDX-License-Identifier: MIT
// Extensions that report a value.
#pragma once

#include <string>
#include <utility>

#include "chainerxx/iterators/iterator.h"
#include "chainerxx/training/callback.h"
#include "chainerxx/training/extension.h"

namespace chainerxx::training::extensions {

/// Reports a number under a name, each epoch.
class CUPYXX_API Observe final : public Extension {
 public:
  /// `check`, if given, is called before the first update.
  Observe(std::string name, std::string key, Callback<double(Trainer&)> function,
          Callback<void(Trainer&)> check = {})
      : name_(std::move(name)),
        key_(std::move(key)),
        function_(std::move(function)),
        check_(std::move(check)) {}
  void operator()(Trainer& trainer) override;
  std::string default_name() const override { return name_; }
  TriggerArg default_trigger() const override { return {1, "epoch"}; }
  int default_priority() const override { return kPriorityWriter; }
  void initialize(Trainer& trainer) override;

 private:
  std::string name_, key_;
  Callback<double(Trainer&)> function_;
  Callback<void(Trainer&)> check_;
};

/// Reports what a function of the trainer returns.
CUPYXX_API Observe observe_value(std::string observation_key, Callback<double(Trainer&)> function);
/// Reports the learning rate of an optimizer: its `lr`, as Adam computes it for the present step,
/// or else `alpha`. An optimizer without both, such as AdaDelta, is a ValueError before the
/// training.
CUPYXX_API Observe observe_lr(std::string optimizer_name = "main",
                              std::string observation_key = "lr");
/// Reports the share of the time, in percent, in which the training stood still because an iterator
/// had no batch ready: since the latest report, or the beginning of the run.
CUPYXX_API Observe observe_waiting(const iterators::Iterator& iterator,
                                   std::string observation_key = "waiting");

}  // namespace chainerxx::training::extensions
