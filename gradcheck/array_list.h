// SPDX-License-Identifier: MIT
// One array, or several between braces.
#pragma once

#include <concepts>
#include <initializer_list>
#include <tuple>
#include <utility>
#include <vector>

#include "cupyxx/ndarray.h"

namespace gradcheck {

/// The arrays that a check takes: `x`, `{x, w}`, or a vector. A null array stands for None.
class ArrayList {
 public:
  ArrayList() = default;
  ArrayList(const cupyxx::ndarray& array) : arrays_{array} {}  // NOLINT
  ArrayList(std::initializer_list<cupyxx::ndarray> arrays) : arrays_(arrays) {}
  ArrayList(std::vector<cupyxx::ndarray> arrays) : arrays_(std::move(arrays)) {}  // NOLINT

  const std::vector<cupyxx::ndarray>& arrays() const { return arrays_; }
  std::size_t size() const { return arrays_.size(); }
  bool empty() const { return arrays_.empty(); }
  const cupyxx::ndarray& operator[](std::size_t i) const { return arrays_[i]; }
  auto begin() const { return arrays_.begin(); }
  auto end() const { return arrays_.end(); }

 private:
  std::vector<cupyxx::ndarray> arrays_;
};

namespace internal {

/// A T, or something that holds one as its `data()`.
template <class R, class T>
concept Single = std::convertible_to<const R&, const T&> || requires(const R& r) {
  { r.data() } -> std::convertible_to<const T&>;
};

/// Calls `take` with each T of what a function returned: one, a range, a tuple or a pair.
template <class T, class Result, class Take>
void for_each_result(const Result& result, Take&& take) {
  if constexpr (std::convertible_to<const Result&, const T&>) {
    take(static_cast<const T&>(result));
  } else if constexpr (Single<Result, T>) {
    take(result.data());
  } else if constexpr (requires { std::tuple_size<Result>::value; }) {
    std::apply([&](const auto&... items) { (for_each_result<T>(items, take), ...); }, result);
  } else {
    for (const auto& item : result) for_each_result<T>(item, take);
  }
}

}  // namespace internal
}  // namespace gradcheck
