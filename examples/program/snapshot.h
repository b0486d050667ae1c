// SPDX-License-Identifier: MIT
// What a training needs to go on as if it had never stopped, in one npz file: the arrays of the
// model and of the optimizer by their names, the place within the data, the random numbers. For
// programs with a loop of their own; a Trainer's is extensions::snapshot.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "chainerxx/function_set.h"
#include "chainerxx/optimizer.h"
#include "cupyxx/ndarray.h"
#include "examples/program/means.h"
#include "examples/program/results.h"

namespace examples {

/// What decides the course of a training: where it is not the same, a snapshot is refused.
struct TrainingSettings {
  std::string program;  ///< begins the names in the file: "train_mnist/epoch"
  std::vector<std::pair<std::string, std::string>> flags;  ///< {"units", "100"}
  std::string data;                                        ///< where the images come from
  std::int64_t images = 0;                                 ///< how many there are
};

/// Where a training stands, between two steps. All else that changes is in the model, the optimizer
/// and the random numbers.
struct TrainingState {
  std::int64_t epoch = 0;     // the one under way, from 0
  std::int64_t position = 0;  // images of it that were seen
  cupyxx::ndarray order;      // of the images in this epoch
  LossAndAccuracy means;      // over this epoch so far
  std::vector<EpochResult> history;

  /// The numbers of the next `batchsize` of all images, or of those left in this epoch, which then
  /// count as seen. At the start of an epoch draws its order.
  cupyxx::ndarray next_batch(std::int64_t images, std::int64_t batchsize);
  /// Adds the epoch to the history, with the means over what it is tested with; the next one
  /// starts.
  void finish_epoch(const LossAndAccuracy& test);
};

/// Writes the file.
void save_snapshot(const std::string& path, const TrainingSettings& settings,
                   const TrainingState& state, chainerxx::FunctionSet& model,
                   chainerxx::Optimizer& optimizer);

/// Reads it: fills the model and the optimizer, sets the random numbers of the current device and
/// returns where the training stood. Throws UserError when the file is no snapshot, one of other
/// settings, or one in an epoch beyond the `epochs` wanted, and as load_state when it is damaged;
/// then nothing has changed.
TrainingState load_snapshot(const std::string& path, const TrainingSettings& settings,
                            std::int64_t epochs, chainerxx::FunctionSet& model,
                            chainerxx::Optimizer& optimizer);

}  // namespace examples
