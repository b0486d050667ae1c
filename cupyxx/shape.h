// SPDX-License-Identifier: MIT
// Shapes, strides and lists of axes: short sequences of integers that never allocate.
#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <iosfwd>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "cupyxx/export.h"
#include "cupyxx/values/integer.h"

namespace cupyxx {

struct None;  // see core/index.h
class ndarray;
class Shape;

/// The highest rank of an array.
inline constexpr int kMaxNdim = 32;
static_assert((kMaxNdim & (kMaxNdim - 1)) == 0);

namespace internal {
/// An array, or a Scalar, in the place of a shape.
template <class T>
concept ExtentArray = IntegerClass<T> && !kInteger<T>;
/// What may stand for one extent among several.
template <class T>
concept OneExtent = ExtentNumber<T> || IntegerClass<T>;
template <class T>
concept AxisIterator = requires(T it) {
  requires AxisNumber<std::remove_cvref_t<decltype(*it)>>;
  ++it;
};
CUPYXX_API Shape extents_of(const ndarray& extents);
/// Integers one after the other: std::vector<int>, std::array<std::int64_t, 2>, std::span.
template <class T>
concept AxisNumbers = requires(const T& list) {
  requires AxisNumber<std::remove_cvref_t<decltype(*list.data())>>;
  list.size();
};
}  // namespace internal

/// Extents of an array, one per axis; prints as a Python tuple: `(2, 3)`, `(4,)`, `()`. A number
/// stands for one axis: `zeros(10)` is `zeros({10})`.
// The constructors are templates, here and in Axes, because g++ 12 drops the names of a brace list
// such as `{.keepdims = true}` and hands the values to any constructor that is not one.
class Shape {
 public:
  using value_type = std::int64_t;
  using const_iterator = const std::int64_t*;

  Shape() = default;
  /// Throws ValueError when there are more than kMaxNdim extents.
  template <internal::ExtentNumber... I>
  requires(sizeof...(I) > 0) Shape(I... dims) {  // NOLINT(google-explicit-constructor)
    const std::int64_t list[] = {static_cast<std::int64_t>(dims)...};
    assign(list, sizeof...(I));
  }
  /// Arrays of one element among them: `zeros({a.max() + 1, 3})`.
  template <internal::OneExtent... I>
  requires(sizeof...(I) > 1 && !(internal::ExtentNumber<I> && ...))
      Shape(const I&... dims)  // NOLINT
      : Shape(internal::Int64(dims)...) {}
  /// The extents that stand in an array of integers, or the only one: `zeros(a.max())`. Throws
  /// TypeError for another dtype, ValueError for more than one axis. Synchronises.
  template <internal::ExtentArray A>
  Shape(const A& dims) {  // NOLINT(google-explicit-constructor)
    if constexpr (std::derived_from<A, ndarray>) {
      *this = internal::extents_of(dims);
    } else {
      push_back(internal::Int64(dims));
    }
  }
  template <internal::NoInteger F>
  Shape(F an_extent_is_an_integer) = delete;  // NOLINT(google-explicit-constructor)
  template <internal::AxisNumbers V>
  Shape(const V& dims) {  // NOLINT(google-explicit-constructor)
    for (const auto extent : dims) push_back(static_cast<std::int64_t>(extent));
  }
  /// `Shape(v.begin(), v.end())`.
  template <internal::AxisIterator It>
  Shape(It first, It last) {
    for (; first != last; ++first) push_back(static_cast<std::int64_t>(*first));
  }
  Shape(const std::int64_t* dims, std::size_t ndim) { assign(dims, ndim); }
  Shape(const Shape& other) noexcept { *this = other; }
  // NOLINTNEXTLINE(bugprone-unhandled-self-assignment)
  Shape& operator=(const Shape& other) noexcept {
    ndim_ = other.ndim_;
    for (int i = 0; i < ndim_; ++i) dims_[i] = other.dims_[i];
    return *this;
  }

  /// Number of axes.
  int ndim() const { return ndim_; }
  std::size_t size() const { return static_cast<std::size_t>(ndim_); }
  bool empty() const { return ndim_ == 0; }

  /// The extent of an axis, from the end where negative, as of Python's tuple: `a.shape()[-1]`. Of
  /// a shape without a name it throws IndexError beyond the axes.
  std::int64_t operator[](int axis) const& { return dims_[place_of(axis)]; }
  std::int64_t& operator[](int axis) & { return dims_[place_of(axis)]; }
  std::int64_t operator[](int axis) const&& {
    if (axis < -ndim_ || axis >= ndim_) throw_out_of_range(axis);
    return dims_[place_of(axis)];
  }
  std::int64_t front() const { return dims_[0]; }
  std::int64_t back() const { return dims_[ndim_ - 1]; }

  const std::int64_t* begin() const& { return dims_; }
  const std::int64_t* end() const& { return dims_ + ndim_; }
  std::int64_t* begin() & { return dims_; }
  std::int64_t* end() & { return dims_ + ndim_; }
  /// `a.shape().begin()` and `a.shape().end()` would belong to two shapes that are gone already.
  template <class give_the_shape_a_name = void>  // NOLINT(readability-identifier-naming)
  const std::int64_t* begin() const&& = delete;
  template <class give_the_shape_a_name = void>  // NOLINT(readability-identifier-naming)
  const std::int64_t* end() const&& = delete;
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
  // Found for shapes alone: with `using namespace cupyxx` an std::atomic<long>, a bit of a
  // std::bitset or any other class that is an integer would be printed as a shape, too.
  friend CUPYXX_API std::ostream& operator<<(std::ostream& os, const Shape& shape);

 private:
  CUPYXX_API void assign(const std::int64_t* dims, std::size_t ndim);
  [[noreturn]] CUPYXX_API void throw_out_of_range(int axis) const;
  // Always one of dims_: compilers warn of what an index that follows from ndim_ could be.
  int place_of(int axis) const { return (axis < 0 ? axis + ndim_ : axis) & (kMaxNdim - 1); }

  int ndim_ = 0;                 // for the axes one by one: auto [h, w] = a.shape<2>();
  std::int64_t dims_[kMaxNdim];  // the first ndim_ are set
};

namespace internal {
/// What constructors of other classes take as a shape, as templates with Shape as default: of
/// `const Shape&` and `F({3})` a compiler could make a copy of F from the number 3, too.
template <class S>
concept ShapeArgument =
    std::convertible_to<const S&, Shape> && !std::integral<S> && !IntegerClass<S>;
}  // namespace internal

/// Distances in bytes between neighbours along each axis.
using Strides = Shape;

/// The shape to which all broadcast; throws ShapeError naming `operation` and both shapes.
CUPYXX_API Shape broadcast_shapes(const char* operation, const Shape& a, const Shape& b);

namespace internal {
// Braced lists as spans. Functions of the library, here and in ndarray.h: what std::span asks of an
// iterator is a hundredth of a second in each user's file.
CUPYXX_API std::span<const std::int64_t> as_span(std::initializer_list<std::int64_t> list);
CUPYXX_API std::span<const Shape> as_span(std::initializer_list<Shape> list);
}  // namespace internal

/// Strides of a C-contiguous array.
CUPYXX_API Strides contiguous_strides(const Shape& shape, std::int64_t itemsize);

/// `axis` counted from the front; throws AxisError naming `operation` outside of [-ndim, ndim).
CUPYXX_API int normalize_axis(const char* operation, std::int64_t axis, int ndim);

/// One axis, several axes, or `{}` or `none`: all of them.
class Axes {
 public:
  Axes() = default;
  template <std::same_as<None> N>
  Axes(const N& /*all*/) {}  // NOLINT(google-explicit-constructor)
  template <internal::ExtentNumber... I>
  requires(sizeof...(I) > 0) Axes(I... axes)  // NOLINT(google-explicit-constructor)
      : kind_(Kind::some), axes_(axes...) {}
  template <internal::NoInteger F>
  Axes(F an_axis_is_an_integer) = delete;  // NOLINT(google-explicit-constructor)
  template <internal::AxisNumbers V>
  Axes(const V& axes)  // NOLINT(google-explicit-constructor)
      : kind_(Kind::some), axes_(axes) {}

  /// The empty tuple: no axis at all (a reduction over it changes nothing but the dtype).
  static Axes none() { return Axes(Kind::some); }
  /// Not given: what the `axis` of options is unless the call sets it.
  static Axes missing() { return Axes(Kind::missing); }

  bool is_all() const { return kind_ == Kind::all; }
  bool is_missing() const { return kind_ == Kind::missing; }
  const Shape& list() const { return axes_; }

  /// A bit per axis of an array of rank `ndim`; throws AxisError outside of the rank and
  /// ValueError for an axis given twice, both naming `operation`.
  CUPYXX_API std::uint32_t mask(const char* operation, int ndim) const;
  /// "None", "1" or "(0, 1)".
  CUPYXX_API std::string str() const;

 private:
  enum class Kind : std::uint8_t { all, some, missing };

  template <std::same_as<Kind> K>
  explicit Axes(K kind) : kind_(kind) {}

  Kind kind_ = Kind::all;
  Shape axes_;
};

/// A shape as an option that may be left out: `{.shape = {2, 3}}`.
class OptionalShape : public std::optional<Shape> {
 public:
  OptionalShape() = default;
  // Templates for the reason given at Shape.
  template <std::same_as<None> N>
  OptionalShape(N) {}  // NOLINT(google-explicit-constructor)
  /// Braces alone: a plain number would make options of two numbers in the place of a shape.
  template <internal::AxisNumber I>
  OptionalShape(std::initializer_list<I> extents) : optional(Shape()) {  // NOLINT
    for (const I extent : extents) (*this)->push_back(static_cast<std::int64_t>(extent));
  }
  template <std::same_as<Shape> S>
  OptionalShape(const S& shape) : optional(shape) {}  // NOLINT(google-explicit-constructor)
};

/// The axis of a call that gives only one, by name: `stack({a, b}, {.axis = 1})`.
struct AxisOptions {
  Axes axis = Axes::missing();
};

namespace internal {

/// The axis that options name, or `otherwise`; takes it out of the options.
inline Axes take_axis(Axes& named, const Axes& otherwise = {}) {
  const Axes axis = named.is_missing() ? otherwise : named;
  named = Axes::missing();
  return axis;
}
/// The same for routines with exactly one axis; throws TypeError, naming `operation`, for several.
CUPYXX_API int take_axis(const char* operation, Axes& named, int otherwise);
/// Throws TypeError, naming `operation`, where an axis was given by position and by name.
CUPYXX_API void check_axis_once(const char* operation, const Axes& axis, const Axes& named);

}  // namespace internal

}  // namespace cupyxx
