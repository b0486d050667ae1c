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
  ndarray scale;  // s; float32 for float16, else of x's dtype
};
/// Across axis 1 of x.
ResponseNormalised response_norm(const ResponseNorm& how, const ndarray& x);
ndarray response_norm_grad(const ResponseNorm& how, const ndarray& x, const ndarray& scale,
                           const ndarray& gy);

struct LayerNormalised {
  ndarray y;
  ndarray moments;  // float64 (rows, 2): mean and 1 / sqrt(var + eps)
};
/// Over all axes of x but the first; gamma and beta have their shape.
LayerNormalised layer_norm(double eps, const ndarray& x, const ndarray& gamma, const ndarray& beta);

struct LayerNormGradients {
  ndarray gx, ggamma, gbeta;
};
LayerNormGradients layer_norm_grad(const ndarray& x, const ndarray& gamma, const ndarray& moments,
                                   const ndarray& gy);

}  // namespace chainerxx::internal
