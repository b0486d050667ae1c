// SPDX-License-Identifier: MIT
// What a training needs to go on as if it had never stopped.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "chainerxx/function_set.h"
#include "chainerxx/optimizer.h"
#include "cupyxx/ndarray.h"
#include "examples/mnist/options.h"
#include "examples/mnist/progress.h"

namespace mnist {

/// Sums of loss and accuracy over images, kept on the device: adding does not wait for it, the
/// means do.
class Totals {
 public:
  Totals();
  Totals(const cupyxx::ndarray& sums, std::int64_t count);

  /// Adds the means over a batch of `count` images.
  void add(const cupyxx::ndarray& loss, const cupyxx::ndarray& accuracy, std::int64_t count);
  double mean_loss() const;
  double mean_accuracy() const;

  /// Both sums, on the host. Waits.
  cupyxx::ndarray sums() const;
  std::int64_t count() const { return count_; }

 private:
  cupyxx::ndarray loss_;
  cupyxx::ndarray accuracy_;
  std::int64_t count_ = 0;
};

/// Where a training stands, between two steps.
struct TrainingState {
  std::int64_t epoch = 0;     // the one under way, from 0
  std::int64_t position = 0;  // images of it that were seen
  cupyxx::ndarray order;      // of the images in this epoch
  Totals totals;              // over this epoch so far
  std::vector<EpochResult> history;

  void start_next_epoch() {
    ++epoch;
    position = 0;
    totals = Totals();
  }
};

/// Writes `<out>/snapshot.npz` and returns its path.
std::string save_snapshot(const Options& options, std::int64_t images, const TrainingState& state,
                          chainerxx::FunctionSet& model, chainerxx::Optimizer& optimizer);

/// Reads the snapshot of --resume: fills the model and the optimizer, sets the random numbers and
/// returns where the training stood. Throws UserError when the file is no snapshot, or one of
/// other settings.
TrainingState load_snapshot(const Options& options, std::int64_t images,
                            chainerxx::FunctionSet& model, chainerxx::Optimizer& optimizer);

}  // namespace mnist
