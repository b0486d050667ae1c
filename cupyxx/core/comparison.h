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
/// Throws ValueError unless `x` holds truth values: `a & 1 == 0` is `a & false` in C++, where the
/// comparison comes first.
CUPYXX_API void refuse_comparison(const char* operation, const ndarray& x, bool y);
template <class X, class Y>
void look_for_comparison(const char* operation, const X& x, const Y& y) {
  if constexpr (std::derived_from<X, ndarray> && std::is_same_v<Y, bool>) {
    refuse_comparison(operation, x, y);
  }
}
template <class X, class Y>
concept OrderedOperands = ArrayOperands<std::remove_cvref_t<X>, std::remove_cvref_t<Y>>;

}  // namespace cupyxx::internal
