// SPDX-License-Identifier: MIT
// Forms that are found by their operands. Functions of variables and numbers of C++ go by the
// number's own type, as the operators do: see variable_arithmetic.h.
#pragma once

#include <concepts>
#include <vector>

#include "chainerxx/argument_kinds.h"
#include "chainerxx/functions/math/arithmetic.h"
#include "chainerxx/parameter_term.h"
#include "chainerxx/variable.h"
#include "cupyxx/scalar.h"

namespace chainerxx {

namespace internal {
/// Arrays as constants.
inline std::vector<Variable> constants(const std::vector<ndarray>& arrays) {
  std::vector<Variable> all;
  all.reserve(arrays.size());
  for (const ndarray& array : arrays) {
    const Variable constant = array;
    all.push_back(constant);
  }
  return all;
}
}  // namespace internal

namespace functions {
/// The functions below of a variable and a number of C++, which takes the variable's dtype, in both
/// orders.
#define CHAINERXX_NUMBER_FORMS(name)      \
  template <internal::Numeric T>          \
  Variable name(const Variable& x, T y) { \
    return name(x, cupyxx::Scalar(y));    \
  }                                       \
  template <internal::Numeric T>          \
  Variable name(T x, const Variable& y) { \
    return name(cupyxx::Scalar(x), y);    \
  }
CHAINERXX_NUMBER_FORMS(add)
CHAINERXX_NUMBER_FORMS(sub)
CHAINERXX_NUMBER_FORMS(mul)
CHAINERXX_NUMBER_FORMS(div)
CHAINERXX_NUMBER_FORMS(pow)
#undef CHAINERXX_NUMBER_FORMS
/// y - x, y / x and y ** x of a variable and a number of C++.
template <internal::Numeric T>
Variable rsub(const Variable& x, T y) {
  return rsub(x, cupyxx::Scalar(y));
}
template <internal::Numeric T>
Variable rdiv(const Variable& x, T y) {
  return rdiv(x, cupyxx::Scalar(y));
}
template <internal::Numeric T>
Variable rpow(const Variable& x, T y) {
  return rpow(x, cupyxx::Scalar(y));
}
}  // namespace functions

/// Found without a namespace, too: pow(x, 2), also of a layer's array, for C's a number.
using functions::abs;
using functions::absolute;
using functions::cos;
using functions::exp;
using functions::log;
using functions::pow;
using functions::sin;
#define CHAINERXX_OF_PARAMETER(name, function) \
  template <internal::ParameterLike P>         \
  Variable name(const P& x) {                  \
    return function(x);                        \
  }
CHAINERXX_OF_PARAMETER(abs, functions::absolute)
CHAINERXX_OF_PARAMETER(cos, functions::cos)
CHAINERXX_OF_PARAMETER(exp, functions::exp)
CHAINERXX_OF_PARAMETER(log, functions::log)
CHAINERXX_OF_PARAMETER(sin, functions::sin)
#undef CHAINERXX_OF_PARAMETER
template <internal::ParameterLike P, class Y>
requires internal::AsVariable<const Y&> || std::convertible_to<const Y&, cupyxx::Scalar> Variable
pow(const P& x, const Y& y) {
  if constexpr (internal::AsVariable<const Y&>) {
    const Variable base = x, exponent = y;
    return functions::pow(base, exponent);
  } else {
    const Variable base = x;
    return functions::pow(base, cupyxx::Scalar(y));
  }
}

// `printf("%f", loss)` would print what lies in memory: see cupyxx/core/no_printf.h.
using cupyxx::fprintf;
using cupyxx::printf;
using cupyxx::snprintf;
using cupyxx::sprintf;

}  // namespace chainerxx

template <std::derived_from<chainerxx::Variable> T>
inline constexpr bool cupyxx::internal::kNotForPrintf<T> = true;
