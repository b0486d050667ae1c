// SPDX-License-Identifier: MIT
// The gradients of convolutions and deconvolutions as functions of variables. Each gives null for
// an input that is null.
#pragma once

#include <vector>

#include "chainerxx/functions/connection/convolution_2d.h"
#include "chainerxx/variable.h"

namespace chainerxx::functions {

/// The correlation of images with gy: the gradient by W, which has this shape.
Variable convolution_weights(const ConvolutionOptions& options, const cupyxx::Shape& W,
                             const Variable& image, const Variable& gy);

/// The gradients of convolution_2d by x, W and a bias.
std::vector<Variable> convolution_gradients(const ConvolutionOptions& options, const Variable& x,
                                            const Variable& W, const Variable& gy);
/// Those of deconvolution_2d.
std::vector<Variable> deconvolution_gradients(const ConvolutionOptions& options, const Variable& x,
                                              const Variable& W, const Variable& gy);

}  // namespace chainerxx::functions
