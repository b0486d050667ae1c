// SPDX-License-Identifier: MIT
// Views with other strides. NumPy's `lib.stride_tricks`.
//
//   auto means = cupyxx::sliding_window_view(a, {3}).mean(-1);   // of three neighbours
#pragma once

#include "cupyxx/ndarray.h"

namespace cupyxx {

/// Options of as_strided.
struct AsStridedOptions {
  bool writeable = true;  ///< false: a read-only view; a view of a read-only array always is
};
/// A view of x's memory with any shape and strides in bytes, from x's first element on; without
/// strides those of a C-contiguous array where `x` is one, else x's. Elements may overlap. Unlike
/// NumPy's it is checked: throws ValueError where an element would lie outside of the memory under
/// `x`, and for strides that are no multiple of the element's alignment.
CUPYXX_API ndarray as_strided(const ndarray& x, const Shape& shape, const Strides& strides,
                              const AsStridedOptions& options = {});
CUPYXX_API ndarray as_strided(const ndarray& x, const Shape& shape);
/// The view in x's own shape with other strides.
CUPYXX_API ndarray as_strided(const ndarray& x);

/// Options of sliding_window_view.
struct SlidingWindowOptions {
  bool writeable = false;
};
/// All windows of a shape that lie within `x`: the axes of the positions, then those of the window.
/// An extent of the window for each axis of `x`, or for each of the given axes, of which one may
/// occur several times. A read-only view unless asked. Throws ValueError for windows that are
/// negative or larger than `x`, and for another number of axes; AxisError.
CUPYXX_API ndarray sliding_window_view(const ndarray& x, const Shape& window_shape,
                                       const Axes& axis = {},
                                       const SlidingWindowOptions& options = {});

/// NumPy's place of these names.
namespace lib::stride_tricks {
using cupyxx::as_strided;
using cupyxx::sliding_window_view;
}  // namespace lib::stride_tricks

}  // namespace cupyxx
