// SPDX-License-Identifier: MIT
// Which lists and containers of the host become arrays. Included by ndarray.h.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "cupyxx/dtype.h"
#include "cupyxx/export.h"
#include "cupyxx/scalar.h"

namespace cupyxx {

class ndarray;

namespace internal {

class ListItem;

/// Whether arrays of a type, another library's, know what they were computed from.
template <class T>
inline constexpr bool is_term = false;
/// Arrays that do not: routines have forms of their own for those that do.
template <class A>
concept PlainArray = std::derived_from<A, ndarray> && !is_term<A>;

/// C++ numbers that can be elements.
template <class T>
concept ListNumber =
    std::is_arithmetic_v<T> || std::same_as<T, half> || std::same_as<T, bfloat16> || ComplexLike<T>;

/// A flag that has a name in the call: only lists that name it become options with it.
struct NamedFlag {
  bool value;
  template <std::integral B>
  NamedFlag(B flag) : value(static_cast<bool>(flag)) {}  // NOLINT(google-explicit-constructor)
};

// Integer literals are Python integers: int64.
template <class T>
using Element =
    std::conditional_t<std::is_same_v<T, int> || std::is_same_v<T, long long>, std::int64_t,
                       std::conditional_t<std::is_same_v<T, long double>, double, T>>;

/// std::vector, std::array, std::span, `double[2][3]` and their like. Not std::sized_range:
/// <ranges> is a tenth of what a user's file waits for.
template <class T>
concept HostRange = requires(const T& list) {
  std::begin(list) != std::end(list);
  std::size(list);
}
&&!std::convertible_to<const T&, ndarray> && !std::convertible_to<const T&, std::string_view>;
/// What such a list holds.
template <class R>
using HostValue = std::remove_cvref_t<decltype(*std::begin(std::declval<const R&>()))>;
/// What people give to array() that is no list of numbers: a text, a list of texts, a pair or
/// tuple, an address with a count.
template <class T>
inline constexpr bool kTuple = false;
template <class... T>
inline constexpr bool kTuple<std::tuple<T...>> = true;
template <class T, class U>
inline constexpr bool kTuple<std::pair<T, U>> = true;
template <class T, class... More>
concept NoNumbers = std::convertible_to<const T&, std::string_view> || kTuple<T> ||
                    (std::is_pointer_v<std::decay_t<T>> && !std::is_array_v<T> &&
                     (std::integral<More> && ...)) ||
                    (HostRange<T> && requires(const T& list) {
                      requires std::convertible_to<decltype(*std::begin(list)), std::string_view>;
                    });
/// Whether its entries lie one after the other from std::data on.
template <class R>
concept ContiguousList = requires(const R& list) {
  requires std::same_as<std::remove_cvref_t<decltype(*std::data(list))>, HostValue<R>>;
};

template <class T>
struct HostElement {};
template <ListNumber T>
struct HostElement<T> {
  using type = std::conditional_t<std::is_same_v<T, long double>, double, T>;
};
template <HostRange R>
struct HostElement<R> : HostElement<HostValue<R>> {};

/// Containers, nested or not, that end in numbers.
template <class R>
concept HostList = HostRange<R> && requires {
  typename HostElement<R>::type;
};

/// Numbers one after the other that may stand for an array in an argument list: std::vector,
/// std::array, std::span, `double[3]`, Shape. Asked of whatever an argument may be, so without what
/// std::begin costs.
template <class T>
concept ElementOfList =
    ListNumber<T> && !std::is_same_v<T, char> && !std::is_same_v<T, long double>;
template <class R>
concept HostNumbers = requires(const R& list) {
  requires ElementOfList<std::remove_cvref_t<decltype(*list.data())>>;
  list.size();
}
|| (std::is_bounded_array_v<R> && ElementOfList<std::remove_cv_t<std::remove_extent_t<R>>>);

/// A number of a list in braces, with the dtype that it has there.
template <ListNumber T>
Scalar listed(T value) {
  if constexpr (std::is_same_v<T, half> || std::is_same_v<T, bfloat16>) {
    return Scalar(static_cast<float>(value), dtype_of<T>());
  } else {
    return Scalar(value, dtype_of<Element<T>>());
  }
}
/// A row in braces, alone in a list: `{{1, 2.5}}`. No array with a name converts to it.
struct ListedRow {
  template <ListNumber... T>
  requires(sizeof...(T) > 1) ListedRow(T... values)  // NOLINT(google-explicit-constructor)
      : numbers{listed(values)...} {}

  std::vector<Scalar> numbers;
};
/// Lists in argument lists as arrays on the current device: numbers in braces in their common
/// dtype, rows of such numbers one after the other, and the elements of containers.
CUPYXX_API ndarray array_of(const Scalar* numbers, std::size_t count);
CUPYXX_API ndarray array_of(const Scalar* numbers, const std::size_t* lengths, std::size_t rows);
CUPYXX_API ndarray array_of_row(const ListedRow& row);
CUPYXX_API ndarray array_of(const void* elements, dtype type, std::size_t count);
/// The numbers of a list of one type as they are put into an array.
template <ListNumber T>
auto list_of(std::initializer_list<T> list) {
  return std::vector<Element<T>>(list.begin(), list.end());
}
/// A number of a row whose numbers are of several types: `{{1, 2.5}, {3, 4}}`.
struct ListedNumber {
  template <ListNumber T>
  ListedNumber(T value) : number(listed(value)) {}  // NOLINT(google-explicit-constructor)

  Scalar number;
};
inline const Scalar& listed(const ListedNumber& value) { return value.number; }
template <class... T, std::size_t... N>
auto array_of_rows(const T (&... rows)[N]) {
  const std::size_t lengths[] = {N...};
  Scalar numbers[(N + ...)];
  std::size_t at = 0;
  const auto add = [&](const auto& row) {
    for (const auto& number : row) numbers[at++] = listed(number);
  };
  (add(rows), ...);
  return array_of(numbers, lengths, sizeof...(N));
}

}  // namespace internal

}  // namespace cupyxx
