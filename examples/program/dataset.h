// SPDX-License-Identifier: MIT
// Images and labels as arrays.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cupyxx/ndarray.h"

namespace examples {

/// Images and what they show, on the device that was the current one when they were read.
struct Dataset {
  cupyxx::ndarray images;  // (n, pixels) float32, from 0 to 1
  cupyxx::ndarray labels;  // (n,) int32

  std::int64_t size() const { return images.shape()[0]; }
  std::int64_t pixels() const { return images.shape()[1]; }

  /// Copies of those with the given numbers, an array of integers.
  Dataset take(const cupyxx::ndarray& numbers) const;
  /// All of them, so many at a time, as views.
  std::vector<Dataset> batches(std::int64_t batchsize) const;
};

/// Reads a part of a folder, "train" or "t10k", as read_labelled_images does. Throws UserError when
/// there is no such folder, and for images of another size where `side` says that they are squares
/// of so many pixels.
Dataset read_dataset(const std::string& folder, const std::string& part, int classes,
                     std::int64_t side = 0);

/// What is trained with and what is tested with, "train" and "t10k" of a folder.
struct TrainingData {
  /// Throws UserError when the images of the two parts differ in size, and where read_dataset does.
  TrainingData(const std::string& folder, int classes, std::int64_t side = 0);

  /// Throws UsageError when there are fewer images to train with.
  void check_batchsize(std::int64_t batchsize) const;

  std::string folder;
  Dataset train;
  Dataset test;
};

}  // namespace examples
