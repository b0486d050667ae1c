// SPDX-License-Identifier: MIT
#include "cupyxx/shape.h"

#include <algorithm>
#include <ostream>

#include "cupyxx/error.h"

namespace cupyxx {

namespace {

[[noreturn]] void throw_too_many_axes(std::size_t ndim) {
  throw ValueError(message("shape: an array has at most ", kMaxNdim, " axes; ", ndim));
}

}  // namespace

void internal::throw_not_held(std::int64_t value) {
  const bool is_wide = value > INT32_MAX || value < INT32_MIN;
  throw OverflowError(message("argument: ", value,
                              is_wide ? " is beyond the integers of 32 bits"
                                      : " is negative; a seed or a count is 0 or more"));
}

void Shape::assign(const std::int64_t* dims, std::size_t ndim) {
  if (ndim > kMaxNdim) throw_too_many_axes(ndim);
  ndim_ = static_cast<int>(ndim);
  std::copy_n(dims, ndim, dims_);
}

std::span<const std::int64_t> internal::as_span(std::initializer_list<std::int64_t> list) {
  return {list.begin(), list.size()};
}

std::span<const Shape> internal::as_span(std::initializer_list<Shape> list) {
  return {list.begin(), list.size()};
}

void Shape::throw_out_of_range(int axis) const {
  throw IndexError(message("shape: index ", axis, " is out of range for ", str()));
}

void Shape::push_back(std::int64_t extent) { insert(ndim_, extent); }

void Shape::insert(int axis, std::int64_t extent) {
  if (ndim_ == kMaxNdim) throw_too_many_axes(size() + 1);
  std::copy_backward(dims_ + axis, dims_ + ndim_, dims_ + ndim_ + 1);
  dims_[axis] = extent;
  ++ndim_;
}

void Shape::erase(int axis) {
  std::copy(dims_ + axis + 1, dims_ + ndim_, dims_ + axis);
  --ndim_;
}

std::int64_t Shape::element_count() const {
  std::int64_t count = 1;
  bool overflow = false;
  for (std::int64_t extent : *this) {
    if (extent == 0) return 0;
    overflow = __builtin_mul_overflow(count, extent, &count) || overflow;
  }
  if (overflow) throw ValueError(message("shape: the number of elements exceeds 64 bits; ", str()));
  return count;
}

std::string Shape::str() const {
  std::string text = "(";
  for (int i = 0; i < ndim_; ++i) {
    if (i > 0) text += ", ";
    text += std::to_string(dims_[i]);
  }
  return text + (ndim_ == 1 ? ",)" : ")");
}

std::ostream& operator<<(std::ostream& os, const Shape& shape) { return os << shape.str(); }

Shape broadcast_shapes(const char* operation, const Shape& a, const Shape& b) {
  const Shape& longer = a.ndim() >= b.ndim() ? a : b;
  const Shape& shorter = a.ndim() >= b.ndim() ? b : a;
  const int lead = longer.ndim() - shorter.ndim();
  Shape result = longer;
  for (int i = 0; i < shorter.ndim(); ++i) {
    std::int64_t& extent = result[lead + i];
    if (extent == shorter[i] || shorter[i] == 1) continue;
    if (extent != 1) {
      throw ShapeError(message(operation, ": operands could not be broadcast together with shapes ",
                               a, " and ", b));
    }
    extent = shorter[i];
  }
  return result;
}

Strides contiguous_strides(const Shape& shape, std::int64_t itemsize) {
  Strides strides = shape;
  auto step = static_cast<std::uint64_t>(itemsize);  // may wrap where another extent is zero
  for (int i = shape.ndim() - 1; i >= 0; --i) {
    strides[i] = static_cast<std::int64_t>(step);
    if (shape[i] != 0) step *= static_cast<std::uint64_t>(shape[i]);
  }
  return strides;
}

int normalize_axis(const char* operation, std::int64_t axis, int ndim) {
  if (axis < -ndim || axis >= ndim) {
    throw AxisError(
        message(operation, ": axis ", axis, " is out of bounds for array of dimension ", ndim));
  }
  return static_cast<int>(axis < 0 ? axis + ndim : axis);
}

std::uint32_t Axes::mask(const char* operation, int ndim) const {
  if (ndim > kMaxNdim) throw_too_many_axes(static_cast<std::size_t>(ndim));
  if (kind_ != Kind::some) return static_cast<std::uint32_t>((std::uint64_t{1} << ndim) - 1);
  std::uint32_t mask = 0;
  for (std::int64_t axis : axes_) {
    const std::uint32_t bit = std::uint32_t{1} << normalize_axis(operation, axis, ndim);
    if ((mask & bit) != 0) {
      throw ValueError(message(operation, ": duplicate value in 'axis'; ", axes_));
    }
    mask |= bit;
  }
  return mask;
}

std::string Axes::str() const {
  if (kind_ != Kind::some) return "None";
  return axes_.ndim() == 1 ? std::to_string(axes_[0]) : axes_.str();
}

namespace internal {

int take_axis(const char* operation, Axes& named, int otherwise) {
  const Axes axis = take_axis(named, otherwise);
  if (axis.is_all() || axis.list().ndim() != 1) {
    throw TypeError(message(operation, ": takes one axis; ", axis));
  }
  return static_cast<int>(axis.list()[0]);
}

void check_axis_once(const char* operation, const Axes& axis, const Axes& named) {
  if (named.is_missing()) return;
  throw TypeError(message(operation, ": the axis is given twice, by position (", axis,
                          ") and by name (", named, ")"));
}

}  // namespace internal

}  // namespace cupyxx
