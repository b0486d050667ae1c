// SPDX-License-Identifier: MIT
// Convolutions in cuDNN, which is opened on first use. All arrays are without gaps, in the layout
// of the shape, of one dtype, on one device and not empty. Each returns false, or nothing, when
// cuDNN has no algorithm for it that always gives the same bits.
#pragma once

#include "chainerxx/internal/gpu/cudnn_available.h"
#include "chainerxx/internal/spatial/convolution.h"

namespace chainerxx::internal::gpu {

/// What convolution_forward has done.
enum class Forward { nothing, convolved, convolved_with_bias, convolved_with_bias_and_relu };

/// y = the convolution, plus b where the library can do so in one pass, and through a ReLU where
/// `relu` asks for it and the library can; b may be null.
Forward convolution_forward(const ConvolutionShape& shape, const ndarray& x, const ndarray& W,
                            const ndarray& b, const ndarray& y, bool relu = false);
bool convolution_data(const ConvolutionShape& shape, const ndarray& W, const ndarray& gy,
                      const ndarray& gx);
/// gW = the gradient, or, to `accumulate`, gW += the gradient.
bool convolution_weights(const ConvolutionShape& shape, const ndarray& x, const ndarray& gy,
                         const ndarray& gW, bool accumulate);

}  // namespace chainerxx::internal::gpu
