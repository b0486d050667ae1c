// SPDX-License-Identifier: MIT
// Means over what comes in batches.
#pragma once

#include <array>
#include <cstdint>

#include "cupyxx/dtype.h"
#include "cupyxx/ndarray.h"
#include "examples/program/results.h"

namespace examples {

/// A mean over what comes in batches. Its sum stays on the device: adding does not wait for that,
/// reading does.
class RunningMean {
 public:
  RunningMean() : RunningMean(cupyxx::float64) {}
  explicit RunningMean(cupyxx::dtype sums_in);
  RunningMean(const cupyxx::ndarray& sum, std::int64_t count);

  /// Adds the mean over `count` items, a single element.
  void add(const cupyxx::ndarray& mean, std::int64_t count = 1);
  double value() const;
  double sum() const;
  std::int64_t count() const { return count_; }

 private:
  cupyxx::ndarray sum_;
  std::int64_t count_ = 0;
};

/// The two means that say how well a classifier does.
struct LossAndAccuracy {
  RunningMean loss;
  RunningMean accuracy;

  void add(const cupyxx::ndarray& batch_loss, const cupyxx::ndarray& batch_accuracy,
           std::int64_t count) {
    loss.add(batch_loss, count);
    accuracy.add(batch_accuracy, count);
  }

  /// Waits for both.
  std::array<NamedValue, 2> named() const {
    return {{{"loss", loss.value()}, {"accuracy", accuracy.value()}}};
  }
};

}  // namespace examples
