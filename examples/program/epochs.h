// SPDX-License-Identifier: MIT
// The plainest training: pass after pass over labelled images, with a line for each.
#pragma once

#include <cstdint>
#include <functional>
#include <iosfwd>

#include "chainerxx/variable.h"
#include "cupyxx/ndarray.h"
#include "examples/program/dataset.h"

namespace examples {

/// A classifier that learns, wherever its parts live.
struct Learner {
  /// Learns from a batch and returns its mean loss, a single element on the current device.
  std::function<cupyxx::ndarray(const Dataset& batch)> learn;
  /// The scores of the classes of images, (n, classes).
  std::function<chainerxx::Variable(const cupyxx::ndarray& images)> predict;
};

/// Makes `epochs` passes in a random order, where a last batch that is not full is left out. After
/// each prints its mean loss, and the share of the test images that are recognised.
void train_epochs(const Learner& learner, const TrainingData& data, std::int64_t epochs,
                  std::int64_t batchsize, std::ostream& out);

}  // namespace examples
