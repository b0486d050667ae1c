// SPDX-License-Identifier: MIT
// Which lists and containers of the host become arrays. Included by ndarray.h.
#pragma once

#include <concepts>
#include <cstdint>
#include <iterator>
#include <string_view>
#include <type_traits>
#include <utility>

#include "cupyxx/dtype.h"
#include "cupyxx/scalar.h"

namespace cupyxx {

class ndarray;

namespace internal {

class ListItem;

/// C++ numbers that can be elements.
template <class T>
concept ListNumber =
    std::is_arithmetic_v<T> || std::same_as<T, half> || std::same_as<T, bfloat16> || ComplexLike<T>;

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

}  // namespace internal

}  // namespace cupyxx
