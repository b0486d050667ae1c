// SPDX-License-Identifier: MIT
// Device-safe. What becomes of the scale of a loss behind an update.
#pragma once

#include "chainerxx/internal/kernels/tensors.h"

namespace chainerxx::internal::kernels {

struct LossScaleArgs {
  float* state;  // kLossScaleSize numbers
  float growth, backoff, interval;
};

/// Lowers the scale behind an update that was left out, raises it behind `interval` that were not.
CUPYXX_FN void advance_loss_scale(const LossScaleArgs& args) {
  float* const s = args.state;
  if (s[kNotFinite] != 0) {
    s[kScale] *= args.backoff;
    s[kSinceChange] = 0;
    s[kSkipped] += 1;
    s[kNotFinite] = 0;
  } else if (++s[kSinceChange] >= args.interval) {
    s[kScale] *= args.growth;
    s[kSinceChange] = 0;
  }
  s[kInverseOfScale] = 1 / s[kScale];
}

}  // namespace chainerxx::internal::kernels
