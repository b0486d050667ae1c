// SPDX-License-Identifier: MIT
// What functions of several results give: `auto [c, h] = F::lstm(c, x)`.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

#include "chainerxx/variable.h"

namespace chainerxx {

namespace internal {
/// An element of what std::tie() gives, for a value.
template <class T, class Value>
concept TiedTo = std::same_as<T, Value&> || std::same_as<T, decltype(std::ignore)&>;
template <class T, class Value>
T tied(Value& value) {
  if constexpr (std::same_as<T, Value&>) {
    return value;
  } else {
    return std::ignore;
  }
}
}  // namespace internal

/// Variables by number, which names that are there already take, too:
///
///   std::tie(c, h) = F::lstm(c, x);
template <std::size_t kCount>
struct VariableArray : std::array<Variable, kCount> {
  template <internal::TiedTo<Variable>... T>
  requires(sizeof...(T) == kCount) operator std::tuple<T...>() && {  // NOLINT: for std::tie
    return [this]<std::size_t... I>(std::index_sequence<I...>) {
      return std::tuple<T...>(internal::tied<T, Variable>((*this)[I])...);
    }
    (std::make_index_sequence<kCount>());
  }
};

}  // namespace chainerxx

/// `auto [c, h] = F::lstm(c, x)`.
template <std::size_t kCount>
struct std::tuple_size<chainerxx::VariableArray<kCount>>
    : std::integral_constant<std::size_t, kCount> {};
/// Each is a Variable.
template <std::size_t kIndex, std::size_t kCount>
struct std::tuple_element<kIndex, chainerxx::VariableArray<kCount>> {
  /// The same for all.
  using type = chainerxx::Variable;
};
