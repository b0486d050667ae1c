// SPDX-License-Identifier: MIT
// For tests: steps that only count.
#pragma once

#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "chainerxx/training/trainer.h"

namespace chainerxx::training {

/// Steps of which `per_epoch` are one epoch. Reports a value in each, "value", as long as there are
/// some, and throws at step `fails_at`.
class CountingUpdater final : public Updater {
 public:
  explicit CountingUpdater(double per_epoch, std::vector<double> values = {})
      : per_epoch_(per_epoch), values_(std::move(values)) {}

  void update() override {
    ++iteration_;
    if (iteration_ == fails_at) throw cupyxx::ValueError("the step fails");
    if (static_cast<std::size_t>(iteration_) <= values_.size()) {
      report({{"value", values_[static_cast<std::size_t>(iteration_ - 1)]}});
    }
  }
  std::int64_t iteration() const override { return iteration_; }
  std::int64_t epoch() const override {
    return static_cast<std::int64_t>(std::floor(epoch_detail() + 1e-9));
  }
  double epoch_detail() const override { return static_cast<double>(iteration_) / per_epoch_; }
  bool is_new_epoch() const override {
    return std::floor(static_cast<double>(iteration_ - 1) / per_epoch_) !=
           std::floor(epoch_detail());
  }
  void serialize(const Serializer& s) override {
    std::int64_t iteration = iteration_;
    s("iteration", iteration);
    if (s.commits()) iteration_ = iteration;
  }

  std::int64_t fails_at = 0;

 private:
  double per_epoch_;
  std::vector<double> values_;
  std::int64_t iteration_ = 0;
};

}  // namespace chainerxx::training
