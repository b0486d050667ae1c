// SPDX-License-Identifier: MIT
// Options that are one value or several.
#pragma once

#include <concepts>
#include <initializer_list>
#include <type_traits>
#include <utility>
#include <vector>

namespace cupyxx {

namespace internal {
/// One value, or a list of them in braces.
template <class T>
class OneOrMore : public std::vector<T> {
 public:
  OneOrMore() = default;
  OneOrMore(std::initializer_list<T> list) : std::vector<T>(list) {}
  OneOrMore(std::vector<T> list) : std::vector<T>(std::move(list)) {}  // NOLINT
  template <class V>
  requires(std::convertible_to<const V&, T> && !std::derived_from<V, std::vector<T>> &&
           (!std::is_integral_v<T> || std::is_integral_v<V>))
      OneOrMore(const V& value)  // NOLINT(google-explicit-constructor)
      : std::vector<T>{T(value)} {}
};
}  // namespace internal

}  // namespace cupyxx
