// SPDX-License-Identifier: MIT
// Elements one by one. NumPy's "Iterating over arrays", for loops over ranges. Included by
// indexing.h.
//
//   for (auto [index, value] : cupyxx::ndenumerate(a)) std::cout << index << " " << value << "\n";
//   for (auto index : cupyxx::ndindex({2, 3})) ...
//   for (auto [x, y] : cupyxx::nditer({a, b})) x.fill(2 * y.item<double>());
//
// What they give are 0-d views, which write through. They are for host arrays and short ones: each
// element costs a view, and each element of a device array that is read a copy and a wait; `get()`
// first. The order is C: rows first.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <utility>

#include "cupyxx/indexing.h"
#include "cupyxx/ndarray.h"
#include "cupyxx/shape.h"

namespace cupyxx {

namespace internal {
/// The 0-d view of an element.
CUPYXX_API ndarray element_view(const ndarray& a, const Shape& index);
/// The arrays in their common shape, those that have it already themselves. Throws ShapeError and
/// TypeError for null ones.
CUPYXX_API Shape iterated(std::span<ndarray> arrays);
/// Throws ValueError for negative extents and more than 64 bits of them.
CUPYXX_API std::int64_t count_indices(const Shape& shape);
/// Goes to the next index of a shape in C order.
CUPYXX_API void advance(Shape& index, const Shape& shape);
/// Throws TypeError for a null array.
CUPYXX_API Shape enumerated(const ndarray& a);
}  // namespace internal

/// The indices of an array of a shape: (0, 0), (0, 1), ... as Shapes.
class ndindex {
 public:
  /// Throws ValueError for negative extents.
  explicit ndindex(const Shape& shape) : shape_(shape), count_(internal::count_indices(shape)) {}
  /// `ndindex({2, 3})`: with the next one alone it would be a copy, too.
  explicit ndindex(std::initializer_list<std::int64_t> shape)
      : ndindex(Shape(shape.begin(), shape.end())) {}
  /// `ndindex(2, 3)`
  template <internal::AxisNumber I, internal::AxisNumber... More>
  requires(sizeof...(More) > 0) ndindex(I first, More... more) : ndindex(Shape(first, more...)) {}

  class Iterator {
   public:
    Iterator(const Shape& shape, std::int64_t at) : shape_(&shape), at_(at) {
      for (int i = 0; i < shape.ndim(); ++i) index_.push_back(0);
    }
    const Shape& operator*() const { return index_; }
    Iterator& operator++() {
      internal::advance(index_, *shape_);
      ++at_;
      return *this;
    }
    friend bool operator==(const Iterator& x, const Iterator& y) { return x.at_ == y.at_; }

   private:
    const Shape* shape_;
    Shape index_;
    std::int64_t at_;
  };
  Iterator begin() const { return {shape_, 0}; }
  Iterator end() const { return {shape_, count_}; }
  std::int64_t size() const { return count_; }

 private:
  Shape shape_;
  std::int64_t count_;
};

/// Pairs of an index and the 0-d view of its element.
class ndenumerate {
 public:
  /// Throws TypeError for a null array.
  explicit ndenumerate(ndarray a) : array_(std::move(a)), indices_(internal::enumerated(array_)) {}

  class Iterator {
   public:
    Iterator(const ndarray& a, ndindex::Iterator at) : array_(&a), at_(std::move(at)) {}
    std::pair<Shape, ndarray> operator*() const {
      return {*at_, internal::element_view(*array_, *at_)};
    }
    Iterator& operator++() {
      ++at_;
      return *this;
    }
    friend bool operator==(const Iterator& x, const Iterator& y) { return x.at_ == y.at_; }

   private:
    const ndarray* array_;
    ndindex::Iterator at_;
  };
  Iterator begin() const { return {array_, indices_.begin()}; }
  Iterator end() const { return {array_, indices_.end()}; }

 private:
  ndarray array_;
  ndindex indices_;
};

/// The elements of one array, or of several that broadcast, side by side: `nditer(a)` gives 0-d
/// views, `nditer({a, b})` arrays of them for `auto [x, y]`. Views of an array that had to be
/// broadcast are read-only.
template <std::size_t kCount>
class nditer {
 public:
  /// Throws ShapeError for shapes that do not broadcast, TypeError for null arrays.
  explicit nditer(const ndarray (&arrays)[kCount]) : nditer(std::span(arrays)) {}
  template <class... A>
  requires(sizeof...(A) == kCount && (std::convertible_to<const A&, ndarray> && ...))  //
      explicit nditer(const A&... arrays)
      : nditer(std::span<const ndarray>(std::array<ndarray, kCount>{arrays...})) {}

  class Iterator {
   public:
    Iterator(const std::array<ndarray, kCount>& arrays, ndindex::Iterator at)
        : arrays_(&arrays), at_(std::move(at)) {}
    auto operator*() const {
      if constexpr (kCount == 1) {
        return internal::element_view((*arrays_)[0], *at_);
      } else {
        std::array<ndarray, kCount> views;
        for (std::size_t i = 0; i < kCount; ++i) {
          views[i] = internal::element_view((*arrays_)[i], *at_);
        }
        return views;
      }
    }
    /// NumPy's `multi_index`.
    const Shape& multi_index() const { return *at_; }
    Iterator& operator++() {
      ++at_;
      return *this;
    }
    friend bool operator==(const Iterator& x, const Iterator& y) { return x.at_ == y.at_; }

   private:
    const std::array<ndarray, kCount>* arrays_;
    ndindex::Iterator at_;
  };
  Iterator begin() const { return {arrays_, indices_.begin()}; }
  Iterator end() const { return {arrays_, indices_.end()}; }
  /// The common shape.
  const Shape& shape() const { return shape_; }

 private:
  explicit nditer(std::span<const ndarray> arrays)
      : arrays_(held(arrays)), shape_(internal::iterated(arrays_)), indices_(shape_) {}
  static std::array<ndarray, kCount> held(std::span<const ndarray> arrays) {
    std::array<ndarray, kCount> all;
    for (std::size_t i = 0; i < kCount; ++i) all[i] = arrays[i];
    return all;
  }

  std::array<ndarray, kCount> arrays_;
  Shape shape_;
  ndindex indices_;
};
template <std::size_t kCount>
nditer(const ndarray (&)[kCount]) -> nditer<kCount>;
template <class... A>
requires(std::convertible_to<const A&, ndarray>&&...) nditer(const A&...)
->nditer<sizeof...(A)>;

}  // namespace cupyxx
