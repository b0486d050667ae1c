// SPDX-License-Identifier: MIT
// `1 < a < 3`, which C++ reads as `(1 < a) < 3`, and `a & 1 == 0`, as `a & (1 == 0)`.
#pragma once

#include <concepts>
#include <type_traits>

#include "cupyxx/core/array_operands.h"
#include "cupyxx/export.h"
#include "cupyxx/ndarray.h"

namespace cupyxx::internal {

/// What `<` and its kin give, which remembers that.
CUPYXX_API ndarray compared(ndarray truths);
CUPYXX_API bool is_compared(const ndarray& x);
/// Throws ValueError unless y is a truth value, too: NumPy cannot tell whether `a < b < c` is true,
/// and C++ compares the truth values of `a < b` with c.
CUPYXX_API void refuse_chain(const char* operation, const ndarray& truths, const Operand& y);
/// Of two operands, of which the first is without a name where it is such a result.
template <class X, class Y>
void look_for_chain(const char* operation, const auto& x, const auto& y) {
  if constexpr (std::is_same_v<X, ndarray> && !std::is_same_v<std::remove_cvref_t<Y>, bool>) {
    if (is_compared(x)) refuse_chain(operation, x, y);
  }
}
/// Throws ValueError if `x` holds integers: `a & 1 == 0` is `a & false` in C++, and `a & b == b` is
/// `a & (b == b)`, since the comparison comes first.
CUPYXX_API void refuse_comparison(const char* operation, const ndarray& x);
/// Throws ValueError if `truths`, the result of a comparison, is joined with a number:
/// `0 == a & 1` is `(0 == a) & 1`.
CUPYXX_API void refuse_number(const char* operation, const ndarray& truths);
/// Of two operands; a comparison has no name, and a variable has one.
template <class X, class Y>
void look_for_comparison(const char* operation, const auto& x, const auto& y) {
  if constexpr (std::derived_from<std::remove_cvref_t<X>, ndarray>) {
    if constexpr (std::is_same_v<Y, bool>) {
      refuse_comparison(operation, x);
    } else if constexpr (std::is_same_v<Y, ndarray>) {
      if (!y.is_none() && y.dtype() == bool_) refuse_comparison(operation, x);
    }
  }
  if constexpr (std::is_same_v<X, ndarray> && std::integral<std::remove_cvref_t<Y>> &&
                !std::is_same_v<std::remove_cvref_t<Y>, bool>) {
    refuse_number(operation, x);
  }
}
template <class X, class Y>
concept OrderedOperands = ArrayOperands<std::remove_cvref_t<X>, std::remove_cvref_t<Y>>;

}  // namespace cupyxx::internal
