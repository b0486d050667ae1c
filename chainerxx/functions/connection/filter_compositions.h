// SPDX-License-Identifier: MIT
// Convolutions of images under the names that Chainer has for their options.
#pragma once

#include "chainerxx/utils/size_2d.h"
#include "chainerxx/variable.h"
#include "cupyxx/export.h"

namespace chainerxx::functions {

/// Each channel of x (n, c, h, w) separately with `multiplier` filters, W (multiplier, c, kh, kw),
/// plus b (c multiplier,) unless it is None: channel i gives channels i multiplier, i multiplier +
/// 1, ... of the result. Throws ShapeError for W of other axes or channels, else as convolution_2d.
CUPYXX_API Variable depthwise_convolution_2d(const Variable& x, const Variable& W,
                                             const Variable& b = {}, const Size2D& stride = 1,
                                             const Size2D& pad = 0);
/// convolution_2d with `dilate` between the elements of a window.
CUPYXX_API Variable dilated_convolution_2d(const Variable& x, const Variable& W,
                                           const Variable& b = {}, const Size2D& stride = 1,
                                           const Size2D& pad = 0, const Size2D& dilate = 1);

}  // namespace chainerxx::functions
