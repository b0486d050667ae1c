// SPDX-License-Identifier: MIT
// float32 convolutions in oneDNN. All arrays are contiguous host arrays and not empty.
#pragma once

#include "chainerxx/internal/spatial/convolution.h"

namespace chainerxx::internal::cpu {

/// `b` may be null.
void convolution_forward(const ConvolutionShape& shape, const ndarray& x, const ndarray& W,
                         const ndarray& b, const ndarray& y);
void convolution_data(const ConvolutionShape& shape, const ndarray& W, const ndarray& gy,
                      const ndarray& gx);
/// Overwrites gW.
void convolution_weights(const ConvolutionShape& shape, const ndarray& x, const ndarray& gy,
                         const ndarray& gW);

}  // namespace chainerxx::internal::cpu
