// SPDX-License-Identifier: MIT
// Local response and layer normalisation, on the device of the arguments.
#pragma once

#include "chainerxx/internal/spatial/windows.h"

namespace chainerxx::internal {

/// y = x * s^-beta where s = k + alpha * (the sum of the squares of the channels around one).
struct ResponseNorm {
  std::int64_t half = 2;  // channels on each side
  double k = 2;
  double alpha = 1e-4;
  double beta = 0.75;
};

struct ResponseNormalised {
  ndarray y;
  ndarray scale;  // s; float32 for narrow types, else of x's dtype. None where the gradient
                  // computes it again
};
/// Across axis 1 of x; the result lies as x does, and so does the gradient.
ResponseNormalised response_norm(const ResponseNorm& how, const ndarray& x);
ndarray response_norm_grad(const ResponseNorm& how, const ndarray& x, const ndarray& scale,
                           const ndarray& gy);

struct LayerNormalised {
  ndarray y;
  ndarray moments;  // float64 (rows, 2): mean and 1 / sqrt(var + eps)
};
/// Over all axes of x but the first; gamma and beta have their shape, and the dtype of x or
/// float32.
LayerNormalised layer_norm(double eps, const ndarray& x, const ndarray& gamma, const ndarray& beta);

struct LayerNormGradients {
  ndarray gx, ggamma, gbeta;  // in the dtypes of x and gamma
};
/// `gsum`, which may be None, is added to gx: the gradient that reaches x itself.
LayerNormGradients layer_norm_grad(const ndarray& x, const ndarray& gamma, const ndarray& moments,
                                   const ndarray& gy, const ndarray& gsum = ndarray());
/// gx; the gradients of gamma and beta are added to `ggamma` and `gbeta`, of their shape and dtype.
ndarray add_layer_norm_grad(const ndarray& x, const ndarray& gamma, const ndarray& moments,
                            const ndarray& gy, const ndarray& gsum, const ndarray& ggamma,
                            const ndarray& gbeta);

struct AddLayerNormalised {
  ndarray sum;  // x + y in their dtype
  LayerNormalised normalised;
};
/// x + y, and that normalised; in one pass over them where rows lie in registers.
AddLayerNormalised add_layer_norm(double eps, const ndarray& x, const ndarray& y,
                                  const ndarray& gamma, const ndarray& beta);

}  // namespace chainerxx::internal
