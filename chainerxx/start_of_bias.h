// SPDX-License-Identifier: MIT
// The number at which a bias starts, as options of layers have it.
#pragma once

#include <concepts>

#include "chainerxx/argument_kinds.h"
#include "chainerxx/other_names.h"

namespace chainerxx {

/// A number. A bool, which says in PyTorch whether there is a bias, is a compile-time error.
class StartOfBias {
 public:
  template <class T>
  requires(std::is_arithmetic_v<T> && !std::same_as<T, bool>) constexpr StartOfBias(
      T value)  // NOLINT(google-explicit-constructor)
      : value_(static_cast<double>(value)) {}
  template <std::same_as<bool> B>
  constexpr StartOfBias(B) {  // NOLINT(google-explicit-constructor)
    static_assert(internal::kNever<B>,
                  "bias is the number at which it starts: write {.nobias = true} for none, and "
                  "nothing for one");
  }

  constexpr operator double() const { return value_; }  // NOLINT(google-explicit-constructor)

 private:
  double value_ = 0;
};

}  // namespace chainerxx
