// SPDX-License-Identifier: MIT
#include <cstdint>

#include "cupyxx/core/arrays.h"
#include "cupyxx/core/body.h"
#include "cupyxx/core/foreign_storage.h"
#include "cupyxx/error.h"
#include "cupyxx/indexing.h"

namespace cupyxx {

ndarray as_strided(const ndarray& x, const Shape& shape, const Strides& strides,
                   const AsStridedOptions& options) {
  constexpr const char* kName = "as_strided";
  internal::check_not_none(kName, x);
  internal::check_extents(kName, shape);
  const std::int64_t itemsize = x.itemsize();
  const internal::Extent extent = internal::extent_of(kName, shape, strides, itemsize);
  const internal::Storage& memory = *x.body()->storage;
  const std::int64_t before = x.body()->data - memory.data;
  const std::int64_t after = static_cast<std::int64_t>(memory.nbytes) - before;
  if (extent.low != extent.high && (extent.low < -before || extent.high > after)) {
    throw ValueError(message(kName, ": shape ", shape, " with strides ", strides, " takes bytes ",
                             extent.low, " to ", extent.high,
                             " from the first element; the memory has ", -before, " to ", after));
  }
  internal::check_aligned(kName, x.body()->data, x.dtype(), shape, strides);
  ndarray view = internal::make_view(x, x.body()->data, x.dtype(), shape, strides);
  if (!options.writeable) view.set_writeable(false);
  return view;
}

ndarray as_strided(const ndarray& x, const Shape& shape) {
  internal::check_not_none("as_strided", x);
  internal::check_extents("as_strided", shape);
  return as_strided(x, shape,
                    x.flags().c_contiguous ? contiguous_strides(shape, x.itemsize()) : x.strides());
}

ndarray as_strided(const ndarray& x) {
  internal::check_not_none("as_strided", x);
  return as_strided(x, x.shape(), x.strides());
}

ndarray sliding_window_view(const ndarray& x, const Shape& window_shape, const Axes& axis,
                            const SlidingWindowOptions& options) {
  constexpr const char* kName = "sliding_window_view";
  internal::check_not_none(kName, x);
  for (const std::int64_t extent : window_shape) {
    if (extent < 0) {
      throw ValueError(
          message(kName, ": window_shape cannot contain negative values; ", window_shape));
    }
  }
  if (axis.is_all() && window_shape.ndim() != x.ndim()) {
    throw ValueError(message(kName,
                             ": without an axis the window needs an extent for each axis of x; ",
                             window_shape, " for ", x.shape()));
  }
  if (!axis.is_all() && window_shape.ndim() != axis.list().ndim()) {
    throw ValueError(message(kName, ": window_shape and axis differ in length; ", window_shape,
                             " and ", axis.list()));
  }
  Shape shape = x.shape();
  Strides strides = x.strides();
  for (int i = 0; i < window_shape.ndim(); ++i) {
    const int along = axis.is_all() ? i : normalize_axis(kName, axis.list()[i], x.ndim());
    if (shape[along] < window_shape[i]) {
      throw ValueError(
          message(kName, ": the window ", window_shape, " is larger than the array ", x.shape()));
    }
    shape[along] -= window_shape[i] - 1;
    strides.push_back(x.strides()[along]);
  }
  for (const std::int64_t extent : window_shape) shape.push_back(extent);
  ndarray view = internal::make_view(x, x.body()->data, x.dtype(), shape, strides);
  if (!options.writeable) view.set_writeable(false);
  return view;
}

}  // namespace cupyxx
