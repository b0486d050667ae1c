// SPDX-License-Identifier: MIT
// Batch normalisation over all axes but the channels, on the device of the arguments.
#pragma once

#include "chainerxx/internal/spatial/windows.h"

namespace chainerxx::internal {

/// The channels are the axes of gamma, which follow the first axis of x.
struct BatchNorm {
  double eps = 1e-5;
  double decay = 0.9;  // weight of the old running statistics
};

struct Normalised {
  ndarray y;
  ndarray moments;  // float64 (channels, 2): mean and 1 / sqrt(var + eps)
};
/// Normalises by the batch's own moments. `running_mean` and `running_var` are updated in place, or
/// null. An empty batch has an empty result and updates nothing.
Normalised batch_norm(const BatchNorm& how, const ndarray& x, const ndarray& gamma,
                      const ndarray& beta, const ndarray& running_mean, const ndarray& running_var);
/// Normalises by given moments.
Normalised fixed_batch_norm(const BatchNorm& how, const ndarray& x, const ndarray& gamma,
                            const ndarray& beta, const ndarray& mean, const ndarray& var);
/// The gradient by x; those by gamma and beta are added to `ggamma` and `gbeta`. `fixed` says that
/// the moments did not depend on x.
ndarray batch_norm_grad(bool fixed, const ndarray& x, const ndarray& gamma, const ndarray& moments,
                        const ndarray& gy, const ndarray& ggamma, const ndarray& gbeta);

}  // namespace chainerxx::internal
