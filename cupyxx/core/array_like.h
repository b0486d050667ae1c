// SPDX-License-Identifier: MIT
// What routines take where NumPy takes array_like and a number is none: an array, or a list.
#pragma once

#include <concepts>
#include <cstddef>
#include <initializer_list>
#include <iterator>
#include <span>
#include <type_traits>
#include <vector>

#include "cupyxx/core/host_lists.h"
#include "cupyxx/core/list_types.h"
#include "cupyxx/ndarray.h"

namespace cupyxx {

/// An array or a list of numbers in an argument list: `{1, 2.5}`, `{5}`, `{{1, 2}, {3, 4}}`, or a
/// container of numbers. Lists become arrays on the device of the arrays beside them, else on the
/// current one. Refers to an array given as lvalue or temporary for the length of the call only.
class ArrayLike {
 public:
  // Templates for the reason given at Shape, and no std::initializer_list: see random::SizeList.
  template <std::derived_from<ndarray> A>
  ArrayLike(const A& a) : array_(&a) {}  // NOLINT(google-explicit-constructor)
  // From a plain number to an ArrayLike that is two conversions.
  template <class T = void>
  ArrayLike(internal::ListedNumber only)  // NOLINT(google-explicit-constructor)
      : held_(internal::array_of(&only.number, 1)), array_(&held_), is_list_(true) {}
  template <internal::ListNumber T, internal::ListNumber U, internal::ListNumber... More>
  ArrayLike(T first, U second, More... more) : array_(&held_), is_list_(true) {  // NOLINT
    const Scalar list[] = {internal::listed(first), internal::listed(second),
                           internal::listed(more)...};
    held_ = internal::array_of(list, sizeof...(More) + 2);
  }
  template <internal::ListNumber... T, std::size_t... N>
  requires(sizeof...(N) > 1) ArrayLike(const T (&... rows)[N])  // NOLINT
      : held_(internal::array_of_rows(rows...)), array_(&held_), is_list_(true) {}
  template <std::size_t... N>
  requires(sizeof...(N) > 1) ArrayLike(const internal::ListedNumber (&... rows)[N])  // NOLINT
      : held_(internal::array_of_rows(rows...)), array_(&held_), is_list_(true) {}
  /// Arrays of one shape, stacked along a new first axis: `mean({a, b}, 0)`. Of one alone it is
  /// that array.
  template <std::derived_from<ndarray> A, std::derived_from<ndarray> B,
            std::derived_from<ndarray>... More>
  ArrayLike(const A& first, const B& second, const More&... more)
      : held_(internal::from_arrays({first, second, more...}, {})), array_(&held_) {}
  // One row. One of a single number is an array, as a ListedRow of it would be the number.
  template <class T = void>
  ArrayLike(const internal::ListedRow& row)  // NOLINT(google-explicit-constructor)
      : held_(internal::array_of_row(row)), array_(&held_), is_list_(true) {}
  template <internal::ListNumber T>
  ArrayLike(T (&&row)[1])  // NOLINT(google-explicit-constructor)
      : held_(internal::array_of_rows(row)), array_(&held_), is_list_(true) {}
  template <internal::HostNumbers R>
  ArrayLike(const R& list)  // NOLINT(google-explicit-constructor)
      : held_(internal::array_of(std::data(list), dtype_of<internal::HostValue<R>>(),
                                 std::size(list))),
        array_(&held_),
        is_list_(true) {}
  ArrayLike(const ArrayLike&) = delete;
  ArrayLike& operator=(const ArrayLike&) = delete;

  bool is_list() const { return is_list_; }
  /// The array; of a list the one on the current device.
  const ndarray& array() const { return *array_; }
  /// The same for a call with another operand: a list comes to that one's device.
  const ndarray& beside(const ArrayLike& other) const {
    if (is_list_ && !other.is_list_ && !other.array().is_none()) {
      held_ = held_.to(other.array().device());
    }
    return *array_;
  }

 private:
  mutable ndarray held_;
  const ndarray* array_ = nullptr;
  bool is_list_ = false;
};

namespace internal {
/// An array of a list of arrays, `concatenate({a, b})`; not one that knows what it was computed
/// from (is_term), for lists of which its library has forms of its own.
class ListedArray : public ndarray {
 public:
  ListedArray() = default;
  template <class A>
  requires(std::convertible_to<const A&, ndarray> && !is_term<A>) ListedArray(const A& a)  // NOLINT
      : ndarray(a) {}
};
static_assert(sizeof(ListedArray) == sizeof(ndarray));
inline std::span<const ndarray> as_span(std::initializer_list<ListedArray> list) {
  return {static_cast<const ndarray*>(list.begin()), list.size()};
}
}  // namespace internal

/// An array or a list of numbers as an option, `{.weights = {1, 2, 1}}`; None unless given. A list
/// lies on the current device until it is used beside an array.
class ArrayOption {
 public:
  ArrayOption() = default;
  // Templates for the reason given at Shape; none from a plain number, of which an options struct
  // could be made in the place of a list.
  template <std::derived_from<ndarray> A>
  ArrayOption(const A& a) : array_(a) {}  // NOLINT(google-explicit-constructor)
  template <internal::HostNumbers R>
  ArrayOption(const R& list)  // NOLINT(google-explicit-constructor)
      : array_(ArrayLike(list).array()), moves_(true) {}
  template <internal::ListNumber T, internal::ListNumber U, internal::ListNumber... More>
  ArrayOption(T first, U second, More... more)  // NOLINT(google-explicit-constructor)
      : array_(ArrayLike(first, second, more...).array()), moves_(true) {}

  bool is_none() const { return array_.is_none(); }
  /// The array as it is.
  const ndarray& array() const { return array_; }
  /// The array, what is none brought to the device of `a`.
  ndarray beside(const ndarray& a) const { return moves_ ? array_.to(a.device()) : array_; }

 protected:
  explicit ArrayOption(const Scalar& number)
      : array_(internal::array_of(&number, 1).reshape(Shape())), moves_(true) {}

 private:
  ndarray array_;
  bool moves_ = false;
};

/// The same, or a number: `{.prepend = 0}`.
class ArrayValue : public ArrayOption {
 public:
  using ArrayOption::ArrayOption;
  // A template for the reason given at Shape.
  template <internal::ListNumber T>
  ArrayValue(T number) : ArrayOption(internal::listed(number)) {}  // NOLINT
};

namespace internal {
/// A list of truth values; one alone has no axes.
CUPYXX_API ndarray mask_of(std::initializer_list<bool> list);
CUPYXX_API ndarray mask_of(const std::vector<bool>& list);
}  // namespace internal

/// A mask as an option, `{.where = a > 0}`, `{.where = {true, false}}`; None unless given, a number
/// without axes: `{.where = true}`.
class MaskOption : public ndarray {
 public:
  MaskOption() = default;
  // Templates for the reason given at Shape.
  template <std::derived_from<ndarray> A>
  MaskOption(const A& mask) : ndarray(mask) {}  // NOLINT(google-explicit-constructor)
  template <std::same_as<bool>... B>
  requires(sizeof...(B) > 0) MaskOption(B... list)  // NOLINT(google-explicit-constructor)
      : ndarray(internal::mask_of({list...})) {}
  template <std::same_as<bool>... B, std::size_t... N>
  requires(sizeof...(N) > 1) MaskOption(const B (&... rows)[N])  // NOLINT
      : ndarray(internal::array_of_rows(rows...)) {}
  template <std::same_as<std::vector<bool>> V>
  MaskOption(const V& list)
      : ndarray(internal::mask_of(list)) {}  // NOLINT(google-explicit-constructor)
};

namespace internal {
/// A list of extents or axes.
template <AxisNumber I>
Shape shape_of(std::initializer_list<I> list) {
  Shape shape;
  for (const I extent : list) shape.push_back(static_cast<std::int64_t>(extent));
  return shape;
}
/// What stands in an argument list as an array: a number as a 0-d array on the current device, None
/// as None.
CUPYXX_API ndarray as_array(const Operand& a);
/// Arrays and lists of a list, which come to the device of the first array.
CUPYXX_API std::vector<ndarray> arrays_of(std::initializer_list<ArrayLike> list);
/// The same as an argument, which yields to lists of arrays alone.
struct MixedList {
  MixedList(std::initializer_list<ArrayLike> list)  // NOLINT(google-explicit-constructor)
      : arrays(arrays_of(list)) {}
  std::vector<ndarray> arrays;
};
/// A list, or the array that stands in its place, on the device of another array.
inline ndarray beside(const ArrayLike& list, const ndarray& a) {
  return list.is_list() ? list.array().to(a.device()) : list.array();
}
/// A list of numbers of one type on the device of an array; on the current one beside None.
template <ListNumber T>
ndarray list_beside(std::initializer_list<T> list, const ndarray& a) {
  const auto make = [&]() -> ndarray {
    if constexpr (std::is_same_v<T, bool>) {
      return array_of(list.begin(), bool_, list.size());
    } else {
      const auto values = list_of(list);
      return array_of(values.data(), dtype_of<Element<T>>(), values.size());
    }
  };
  return a.is_none() ? make() : make().to(a.device());
}
}  // namespace internal

}  // namespace cupyxx
