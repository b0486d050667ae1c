// SPDX-License-Identifier: MIT
// Views: new shapes and strides over the same memory.
#include <algorithm>

#include "cupyxx/core/arrays.h"
#include "cupyxx/error.h"
#include "cupyxx/indexing.h"
#include "cupyxx/manipulation.h"

namespace cupyxx {

namespace {

ndarray view_of(const ndarray& a, const Shape& shape, const Strides& strides) {
  return internal::make_view(a, static_cast<char*>(a.elements()), a.dtype(), shape, strides);
}

}  // namespace

ndarray transpose(const ndarray& a) {
  internal::check_not_none("transpose", a);
  Shape shape = a.shape();
  Strides strides = a.strides();
  std::reverse(shape.begin(), shape.end());
  std::reverse(strides.begin(), strides.end());
  return view_of(a, shape, strides);
}

ndarray transpose(const ndarray& a, const Shape& axes) {
  internal::check_not_none("transpose", a);
  if (axes.ndim() != a.ndim()) {
    throw ValueError(message("transpose: axes ", axes, " don't match array of shape ", a.shape()));
  }
  Shape shape;
  Strides strides;
  std::uint32_t seen = 0;
  for (const std::int64_t axis : axes) {
    const int i = normalize_axis("transpose", axis, a.ndim());
    if ((seen >> i & 1u) != 0) throw ValueError(message("transpose: repeated axis; ", axes));
    seen |= 1u << i;
    shape.push_back(a.body()->shape[i]);
    strides.push_back(a.body()->strides[i]);
  }
  return view_of(a, shape, strides);
}

ndarray swapaxes(const ndarray& a, internal::Int axis1, internal::Int axis2) {
  internal::check_not_none("swapaxes", a);
  const int i = normalize_axis("swapaxes", axis1, a.ndim());
  const int j = normalize_axis("swapaxes", axis2, a.ndim());
  Shape shape = a.shape();
  Strides strides = a.strides();
  std::swap(shape[i], shape[j]);
  std::swap(strides[i], strides[j]);
  return view_of(a, shape, strides);
}

ndarray rollaxis(const ndarray& a, internal::Int axis, internal::Int start) {
  internal::check_not_none("rollaxis", a);
  const int from = normalize_axis("rollaxis", axis, a.ndim());
  int to = start < 0 ? start + a.ndim() : int{start};
  if (to < 0 || to > a.ndim()) {
    throw AxisError(
        message("rollaxis: start ", start, " is out of bounds for array of dimension ", a.ndim()));
  }
  if (from < to) --to;
  Shape axes;
  for (int i = 0; i < a.ndim(); ++i) {
    if (i != from) axes.push_back(i);
  }
  axes.insert(to, from);
  return transpose(a, axes);
}

ndarray expand_dims(const ndarray& a, const Axes& axes) {
  internal::check_not_none("expand_dims", a);
  const int rank = a.ndim() + axes.list().ndim();
  const std::uint32_t added = axes.is_all() ? 0 : axes.mask("expand_dims", rank);
  Shape shape;
  Strides strides;
  for (int i = 0, from = 0; i < rank; ++i) {
    const bool is_new = (added >> i & 1u) != 0;
    shape.push_back(is_new ? 1 : a.body()->shape[from]);
    strides.push_back(is_new ? 0 : a.body()->strides[from]);
    from += is_new ? 0 : 1;
  }
  return view_of(a, shape, strides);
}

ndarray squeeze(const ndarray& a, const Axes& axes) {
  internal::check_not_none("squeeze", a);
  const bool is_first = axes.list() == Shape{0} || axes.list() == Shape{-1};
  if (a.ndim() == 0 && is_first) return view_of(a, {}, {});  // as NumPy takes a 0-d array
  const std::uint32_t chosen = axes.mask("squeeze", a.ndim());
  Shape shape;
  Strides strides;
  for (int i = 0; i < a.ndim(); ++i) {
    const bool drop = (chosen >> i & 1u) != 0;
    if (drop && a.body()->shape[i] == 1) continue;
    if (drop && !axes.is_all()) {
      throw ValueError(message("squeeze: cannot select axis ", i,
                               " to squeeze out, which has size ", a.body()->shape[i],
                               " and not one; shape ", a.shape()));
    }
    shape.push_back(a.body()->shape[i]);
    strides.push_back(a.body()->strides[i]);
  }
  return view_of(a, shape, strides);
}

ndarray broadcast_to(const ndarray& a, const Shape& shape) {
  internal::check_not_none("broadcast_to", a);
  const int offset = shape.ndim() - a.ndim();
  Strides strides = shape;
  for (int i = 0; i < shape.ndim(); ++i) {
    const std::int64_t extent = i < offset ? 1 : a.body()->shape[i - offset];
    if (offset < 0 || shape[i] < 0 || (extent != shape[i] && extent != 1)) {
      throw ShapeError(
          message("broadcast_to: shape ", a.shape(), " cannot be broadcast to ", shape));
    }
    strides[i] = i < offset || extent == 1 ? 0 : a.body()->strides[i - offset];
  }
  if (offset < 0) {
    throw ShapeError(message("broadcast_to: shape ", a.shape(), " cannot be broadcast to ", shape));
  }
  shape.element_count();  // throws where the number of elements overflows
  ndarray result = view_of(a, shape, strides);
  result.set_writeable(false);
  return result;
}

Shape broadcast_shapes(std::span<const Shape> shapes) {
  Shape common;
  for (const Shape& shape : shapes) common = broadcast_shapes("broadcast_shapes", common, shape);
  return common;
}

bool may_share_memory(const ndarray& a, const ndarray& b) {
  internal::check_not_none("may_share_memory", a);
  internal::check_not_none("may_share_memory", b);
  return internal::may_overlap(a, b);
}

bool isfortran(const ndarray& a) {
  internal::check_not_none("isfortran", a);
  const auto flags = a.flags();
  return flags.f_contiguous && !flags.c_contiguous;
}

broadcast::broadcast(std::span<const ndarray> arrays) {
  for (const ndarray& a : arrays) {
    internal::check_not_none("broadcast", a);
    shape_ = broadcast_shapes("broadcast", shape_, a.shape());
  }
  for (const ndarray& a : arrays) values_.push_back(broadcast_to(a, shape_));
}

Arrays broadcast_arrays(std::span<const ndarray> arrays) {
  for (const ndarray& a : arrays) internal::check_not_none("broadcast_arrays", a);
  return broadcast(arrays).values();
}

ndarray diagonal(const ndarray& a, internal::Int offset, internal::Int axis1, internal::Int axis2) {
  internal::check_not_none("diagonal", a);
  if (a.ndim() < 2) {
    throw ValueError(
        message("diagonal: requires an array of at least two dimensions, not ", a.shape()));
  }
  const int i = normalize_axis("diagonal", axis1, a.ndim());
  const int j = normalize_axis("diagonal", axis2, a.ndim());
  if (i == j) {
    throw ValueError(
        message("diagonal: axis1 and axis2 cannot be the same; ", axis1, " and ", axis2));
  }
  Shape shape;
  Strides strides;
  for (int k = 0; k < a.ndim(); ++k) {
    if (k == i || k == j) continue;
    shape.push_back(a.body()->shape[k]);
    strides.push_back(a.body()->strides[k]);
  }
  const std::int64_t rows = a.body()->shape[i] + std::min<int>(offset, 0);
  const std::int64_t columns = a.body()->shape[j] - std::max<int>(offset, 0);
  const auto length = std::max<std::int64_t>(0, std::min(rows, columns));
  char* data = static_cast<char*>(a.elements());
  if (length > 0) {
    data += offset < 0 ? -offset * a.body()->strides[i] : offset * a.body()->strides[j];
  }
  shape.push_back(length);
  strides.push_back(a.body()->strides[i] + a.body()->strides[j]);
  return internal::make_view(a, data, a.dtype(), shape, strides);
}

ndarray internal::reduced_view(const ndarray& a, dtype type) {
  const ndarray reduced = a.reduced_view();
  return type ? reduced.view(type) : reduced;
}

ndarray ndarray::T() const {
  internal::check_not_none("T", *this);
  return cupyxx::transpose(*this);
}
ndarray ndarray::mT() const {
  const internal::Body* b = body_of("mT");
  if (b->ndim < 2) throw ValueError(message("mT: takes at least two axes; ", shape()));
  return swapaxes(-1, -2);
}
ndarray ndarray::transpose() const { return cupyxx::transpose(*this); }
ndarray ndarray::transpose(const Shape& axes) const { return cupyxx::transpose(*this, axes); }
ndarray ndarray::swapaxes(internal::Int axis1, internal::Int axis2) const {
  return cupyxx::swapaxes(*this, axis1, axis2);
}
ndarray ndarray::squeeze(const Axes& axes) const { return cupyxx::squeeze(*this, axes); }
ndarray ndarray::diagonal(internal::Int offset, internal::Int axis1, internal::Int axis2) const {
  return cupyxx::diagonal(*this, offset, axis1, axis2);
}
ndarray ndarray::reduced_view(cupyxx::dtype dtype) const {
  internal::check_not_none("reduced_view", *this);
  return internal::reduced_view(*this, dtype);
}
ndarray ndarray::reduced_view() const {
  internal::check_not_none("reduced_view", *this);
  Shape shape;
  Strides strides;
  for (int axis = 0; axis < ndim(); ++axis) {
    const std::int64_t extent = body_->shape[axis], stride = body_->strides[axis];
    if (extent == 1) continue;
    const int last = shape.ndim() - 1;
    if (last >= 0 && strides[last] == extent * stride) {
      shape[last] *= extent;
      strides[last] = stride;
    } else {
      shape.push_back(extent);
      strides.push_back(stride);
    }
  }
  return internal::make_view(*this, body_->data, dtype(), shape, strides);
}

// Of lists.

ndarray transpose(const ArrayLike& a) { return transpose(a.array()); }

ndarray broadcast_to(const ArrayLike& a, const Shape& shape) {
  return broadcast_to(a.array(), shape);
}

}  // namespace cupyxx
