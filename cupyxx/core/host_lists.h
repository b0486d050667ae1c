// SPDX-License-Identifier: MIT
// What `array` makes arrays of: lists of numbers, nested as deep as one likes, and containers of
// the host. Included by creation.h.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <span>
#include <type_traits>
#include <vector>

#include "cupyxx/core/list_types.h"
#include "cupyxx/ndarray.h"

namespace cupyxx {

namespace internal {

/// Copies host elements of type `from` to a new array of `shape` on the current device.
CUPYXX_API ndarray from_host(const void* elements, cupyxx::dtype from, const Shape& shape,
                             cupyxx::dtype dtype);
[[noreturn]] CUPYXX_API void throw_ragged(std::int64_t expected, std::int64_t found);

/// An entry of a list whose entries are not of one type: a number, an array, or another list.
class ListItem {
 public:
  template <ListNumber T>
  ListItem(T value)  // NOLINT(google-explicit-constructor)
      : number_(Scalar(value)), type_(dtype_of<Element<T>>()) {}
  ListItem(const Scalar& value)  // NOLINT(google-explicit-constructor)
      : number_(value), type_(value.own_dtype()) {}
  ListItem(const ndarray& array) : array_(array) {}    // NOLINT(google-explicit-constructor)
  ListItem(const Selection& array) : array_(array) {}  // NOLINT(google-explicit-constructor)
  ListItem(std::initializer_list<ListItem> items)      // NOLINT(google-explicit-constructor)
      : is_list_(true), items_(items) {}

  bool is_list() const { return is_list_; }
  bool is_array() const { return !array_.is_none(); }
  const Scalar& number() const { return number_; }
  /// The dtype that a number has in a list.
  cupyxx::dtype type() const { return type_; }
  const ndarray& array() const { return array_; }
  CUPYXX_API std::span<const ListItem> items() const;

 private:
  bool is_list_ = false;
  Scalar number_;
  cupyxx::dtype type_;
  ndarray array_;
  std::initializer_list<ListItem> items_;  // lives as long as the call
};

/// The array of a mixed list: the common dtype of its numbers and arrays.
CUPYXX_API ndarray from_items(std::initializer_list<ListItem> list, cupyxx::dtype dtype);
/// Arrays as slices along a new first axis.
CUPYXX_API ndarray from_arrays(const std::vector<ndarray>& arrays, cupyxx::dtype dtype);

template <class T>
struct Nested {
  using type = T;
  static void measure(const T&, Shape&, int) {}
  template <class E>
  static void append(const T& value, const Shape&, int, std::vector<E>& out) {
    out.push_back(static_cast<E>(value));
  }
};
/// A list or a container: its extent, then those of its first entry.
template <class List, class T>
struct NestedRange {
  static void measure(const List& list, Shape& shape, int axis) {
    const auto count = static_cast<std::int64_t>(std::size(list));
    shape.push_back(count);
    if (count == 0) return;
    const T& first = *std::begin(list);
    Nested<T>::measure(first, shape, axis + 1);
  }
  template <class E>
  static void append(const List& list, const Shape& shape, int axis, std::vector<E>& out) {
    const auto found = static_cast<std::int64_t>(std::size(list));
    if (found != shape[axis]) throw_ragged(shape[axis], found);
    for (const T& item : list) Nested<T>::append(item, shape, axis + 1, out);
  }
};
template <class T>
struct Nested<std::initializer_list<T>> : NestedRange<std::initializer_list<T>, T> {
  using type = typename Nested<T>::type;
};
template <HostList R>
struct Nested<R> : NestedRange<R, HostValue<R>> {
  using type = typename HostElement<R>::type;
};

template <class Stored, class List>
ndarray from_nested(const List& list, cupyxx::dtype dtype) {
  // vector<bool> has no array of bool inside.
  using Kept = std::conditional_t<std::is_same_v<Stored, bool>, std::uint8_t, Stored>;
  Shape shape;
  Nested<List>::measure(list, shape, 0);
  std::vector<Kept> values;
  values.reserve(static_cast<std::size_t>(shape.element_count()));
  Nested<List>::append(list, shape, 0, values);
  return from_host(values.data(), dtype_of<Stored>(), shape, dtype);
}
/// Integer literals become int64.
template <class List>
ndarray from_list(const List& list, cupyxx::dtype dtype) {
  return from_nested<Element<typename Nested<List>::type>>(list, dtype);
}
/// Elements keep the container's type.
template <HostList R>
ndarray from_range(const R& values, cupyxx::dtype dtype) {
  using T = HostValue<R>;
  if constexpr (ContiguousList<R> && ListNumber<T> && !std::is_same_v<T, long double>) {
    return from_host(std::data(values), dtype_of<T>(),
                     {static_cast<std::int64_t>(std::size(values))}, dtype);
  } else {
    return from_nested<typename HostElement<R>::type>(values, dtype);
  }
}

}  // namespace internal

}  // namespace cupyxx
