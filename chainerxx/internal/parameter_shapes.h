// SPDX-License-Identifier: MIT
// Parameters that the user has replaced, `layer.W = w`, must still fit one another.
#pragma once

#include "cupyxx/error.h"
#include "cupyxx/ndarray.h"
#include "cupyxx/shape.h"

namespace chainerxx::internal {

/// Throws ShapeError unless a parameter has a number of axes.
inline void expect_rank(const char* layer, const char* name, const ndarray& array, int ndim) {
  if (array.ndim() == ndim) return;
  throw cupyxx::ShapeError(cupyxx::message(layer, ": ", name, " has shape ", array.shape(), "; ",
                                           ndim, ndim == 1 ? " axis is" : " axes are", " needed"));
}

/// Throws ShapeError or DtypeError unless `array`, which may be null, fits the parameter W: it has
/// a shape and W's dtype.
inline void expect_beside(const char* layer, const char* weights, const ndarray& W,
                          const char* name, const ndarray& array, const cupyxx::Shape& shape) {
  if (array.is_none()) return;
  if (array.shape() != shape) {
    throw cupyxx::ShapeError(cupyxx::message(layer, ": ", name, " has shape ", array.shape(),
                                             " beside ", weights, " of shape ", W.shape(), "; ",
                                             shape, " is needed"));
  }
  if (array.dtype() == W.dtype()) return;
  throw cupyxx::DtypeError(cupyxx::message(layer, ": ", name, " is ", array.dtype().name(),
                                           " beside ", weights, " of ", W.dtype().name()));
}

}  // namespace chainerxx::internal
