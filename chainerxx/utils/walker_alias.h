// SPDX-License-Identifier: MIT
// Samples of a discrete distribution in constant time.
#pragma once

#include <vector>

#include "cupyxx/device.h"
#include "cupyxx/export.h"
#include "cupyxx/ndarray.h"

namespace chainerxx::utils {

/// Draws numbers 0, 1, ... with given probabilities by the alias method (Walker, 1974): one uniform
/// number and two reads each, on the device of its table.
class CUPYXX_API WalkerAlias {
 public:
  /// `probs` need not sum to 1. Throws ValueError for none, for negative or non-finite ones, and
  /// when all are 0. The table is made on the host.
  explicit WalkerAlias(const std::vector<double>& probs);

  /// int32 numbers of a shape, from the device's global random state.
  cupyxx::ndarray sample(const cupyxx::Shape& shape) const;
  /// Moves the table.
  WalkerAlias& to_cpu();
  /// To the current CUDA device, or a given one; throws ValueError for the host.
  WalkerAlias& to_gpu();
  WalkerAlias& to_gpu(int device);
  WalkerAlias& to_gpu(cupyxx::Device device);
  cupyxx::Device device() const { return threshold_.device(); }

 private:
  cupyxx::ndarray threshold_;  // (n,): the share of slot i that belongs to values[i, 0]
  cupyxx::ndarray values_;     // (2 n,): the two numbers of each slot
};

}  // namespace chainerxx::utils
