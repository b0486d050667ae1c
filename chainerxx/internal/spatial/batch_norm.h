// SPDX-License-Identifier: MIT
// Batch normalisation over all axes but the channels, on the device of the arguments.
#pragma once

#include "chainerxx/internal/spatial/windows.h"

namespace chainerxx::internal {

/// The channels are the axes of gamma, which follow the first axis of x.
struct BatchNorm {
  double eps = 1e-5;
  double decay = 0.9;  // weight of the old running statistics
  bool relu = false;   // negative results become 0
};

struct Normalised {
  ndarray y;
  ndarray moments;  // float64 (channels, 2): mean and 1 / sqrt(var + eps)
};
/// Normalises by the batch's own moments, then adds `added`, if not null, of x's shape.
/// `running_mean` and `running_var` are updated in place, or null. An empty batch has an empty
/// result and updates nothing.
Normalised batch_norm(const BatchNorm& how, const ndarray& x, const ndarray& gamma,
                      const ndarray& beta, const ndarray& running_mean, const ndarray& running_var,
                      const ndarray& added = {});
/// Normalises by given moments.
Normalised fixed_batch_norm(const BatchNorm& how, const ndarray& x, const ndarray& gamma,
                            const ndarray& beta, const ndarray& mean, const ndarray& var,
                            const ndarray& added = {});

/// What the gradient of a ReLU asks for: the result, or on devices, when nothing was added, beta.
struct BatchNormRelu {
  ndarray y{};
  ndarray beta{};
};
struct BatchNormGradients {
  ndarray x;
  ndarray added;  // null without a ReLU whose result was given: gy itself, or not asked for
};
/// Those by gamma and beta are added to `ggamma` and `gbeta`. `fixed` says that the moments did not
/// depend on x.
BatchNormGradients batch_norm_grad(bool fixed, const ndarray& x, const ndarray& gamma,
                                   const ndarray& moments, const ndarray& gy, const ndarray& ggamma,
                                   const ndarray& gbeta, const BatchNormRelu& relu = {});

}  // namespace chainerxx::internal
