// SPDX-License-Identifier: MIT
// Convolutions whose filters move: each place has its own, or looks where it is told.
#pragma once

#include "chainerxx/utils/size_2d.h"
#include "chainerxx/variable.h"
#include "cupyxx/export.h"

namespace chainerxx::functions {

/// A convolution with other filters at each place: x (n, c, h, w), W (out, oh, ow, c, kh, kw) and
/// b (out, oh, ow), which may be None, give (n, out, oh, ow). Windows lie within the image. Throws
/// ShapeError for arrays that do not fit, ValueError for a stride that is not positive.
CUPYXX_API Variable local_convolution_2d(const Variable& x, const Variable& W,
                                         const Variable& b = {}, const Size2D& stride = 1);

/// A convolution whose windows are bent (Dai et al., 2017): element (i, j) of the window at each
/// place of the result is read where `offset` (n, 2 kh kw, oh, ow) moves it, its first kh kw
/// channels to the right, the others down, in pixels and bilinearly; what lies outside of the image
/// is 0. x is (n, c, h, w), W (out, c, kh, kw), b (out,) or None, the result (n, out, oh, ow). It
/// has gradients by all of them. Throws ShapeError for arrays that do not fit, ValueError for a
/// stride that is not positive and a negative pad.
CUPYXX_API Variable deformable_convolution_2d_sampler(const Variable& x, const Variable& offset,
                                                      const Variable& W, const Variable& b = {},
                                                      const Size2D& stride = 1,
                                                      const Size2D& pad = 0);

}  // namespace chainerxx::functions
