// SPDX-License-Identifier: MIT
// Shapes, strides and lists of axes: short sequences of integers that never allocate.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <iosfwd>
#include <string>
#include <vector>

#include "cupyxx/export.h"

namespace cupyxx {

/// The highest rank of an array.
inline constexpr int kMaxNdim = 32;

/// Extents of an array, one per axis; prints as a Python tuple: `(2, 3)`, `(4,)`, `()`.
class Shape {
 public:
  Shape() = default;
  /// Throws ValueError when there are more than kMaxNdim extents.
  Shape(std::initializer_list<std::int64_t> dims) : Shape(dims.begin(), dims.size()) {}
  CUPYXX_API Shape(const std::int64_t* dims, std::size_t ndim);
  Shape(const std::vector<std::int64_t>& dims)  // NOLINT(google-explicit-constructor)
      : Shape(dims.data(), dims.size()) {}
  Shape(const Shape& other) { *this = other; }
  Shape& operator=(const Shape& other) {
    ndim_ = other.ndim_;
    for (int i = 0; i < ndim_; ++i) dims_[i] = other.dims_[i];
    return *this;
  }

  /// Number of axes.
  int ndim() const { return ndim_; }
  std::size_t size() const { return static_cast<std::size_t>(ndim_); }
  bool empty() const { return ndim_ == 0; }

  std::int64_t operator[](int axis) const { return dims_[axis]; }
  std::int64_t& operator[](int axis) { return dims_[axis]; }
  std::int64_t back() const { return dims_[ndim_ - 1]; }

  const std::int64_t* begin() const { return dims_; }
  const std::int64_t* end() const { return dims_ + ndim_; }
  std::int64_t* begin() { return dims_; }
  std::int64_t* end() { return dims_ + ndim_; }
  const std::int64_t* data() const { return dims_; }

  /// Appends an axis; throws ValueError beyond kMaxNdim.
  CUPYXX_API void push_back(std::int64_t extent);
  /// Inserts an axis before `axis` in [0, ndim].
  CUPYXX_API void insert(int axis, std::int64_t extent);
  CUPYXX_API void erase(int axis);

  /// Product of the extents; 1 for rank 0. Throws ValueError when it exceeds 64 bits.
  CUPYXX_API std::int64_t element_count() const;

  /// "(2, 3)".
  CUPYXX_API std::string str() const;

  friend bool operator==(const Shape& a, const Shape& b) {
    if (a.ndim_ != b.ndim_) return false;
    for (int i = 0; i < a.ndim_; ++i) {
      if (a.dims_[i] != b.dims_[i]) return false;
    }
    return true;
  }

 private:
  int ndim_ = 0;
  std::int64_t dims_[kMaxNdim];  // the first ndim_ are set
};

/// Distances in bytes between neighbours along each axis.
using Strides = Shape;

CUPYXX_API std::ostream& operator<<(std::ostream& os, const Shape& shape);

/// The shape to which all broadcast; throws ShapeError naming `operation` and both shapes.
CUPYXX_API Shape broadcast_shapes(const char* operation, const Shape& a, const Shape& b);

/// Strides of a C-contiguous array.
CUPYXX_API Strides contiguous_strides(const Shape& shape, std::int64_t itemsize);

/// `axis` counted from the front; throws AxisError naming `operation` outside of [-ndim, ndim).
CUPYXX_API int normalize_axis(const char* operation, std::int64_t axis, int ndim);

/// One axis, several axes, or `{}`: all of them.
class Axes {
 public:
  Axes() = default;
  Axes(int axis) : all_(false), axes_{axis} {}  // NOLINT(google-explicit-constructor)
  Axes(std::initializer_list<std::int64_t> axes) : all_(axes.size() == 0), axes_(axes) {}
  Axes(const std::vector<std::int64_t>& axes)  // NOLINT(google-explicit-constructor)
      : all_(false), axes_(axes) {}

  /// The empty tuple: no axis at all (a reduction over it changes nothing but the dtype).
  static Axes none() {
    Axes axes;
    axes.all_ = false;
    return axes;
  }

  bool is_all() const { return all_; }
  const Shape& list() const { return axes_; }

  /// A bit per axis of an array of rank `ndim`; throws AxisError outside of the rank and
  /// ValueError for an axis given twice, both naming `operation`.
  CUPYXX_API std::uint32_t mask(const char* operation, int ndim) const;

 private:
  bool all_ = true;
  Shape axes_;
};

}  // namespace cupyxx
