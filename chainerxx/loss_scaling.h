// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace chainerxx {

/// How Optimizer::scale_loss changes the factor of the loss.
struct LossScaling {
  double initial = 65536;
  double growth = 2;             ///< factor behind `interval` updates with finite gradients
  double backoff = 0.5;          ///< factor behind an update that was left out
  std::int64_t interval = 2000;  ///< at most 2 ** 24
};

}  // namespace chainerxx
