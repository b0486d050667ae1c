// SPDX-License-Identifier: MIT
// Images and labels as arrays.
#pragma once

#include <cstdint>
#include <string>

#include "cupyxx/ndarray.h"

namespace mnist {

/// One part of a data set, on the current device.
struct Dataset {
  /// Reads a part, "train" or "t10k", as read_labelled_images does.
  Dataset(const std::string& folder, const std::string& part);

  std::int64_t size() const { return images.shape()[0]; }
  std::int64_t pixels() const { return images.shape()[1]; }

  cupyxx::ndarray images;  // (n, pixels) float32, from 0 to 1
  cupyxx::ndarray labels;  // (n) int32
};

/// What is trained with and what is tested with.
struct Data {
  /// Throws UserError when the images of the two parts differ in size.
  explicit Data(const std::string& folder);

  Dataset train;
  Dataset test;
};

}  // namespace mnist
