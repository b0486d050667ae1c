// SPDX-License-Identifier: MIT
// Forms that are found by their operands. Arithmetic between variables and numbers of C++ goes by
// the number's own type: the literal 0 is a variable, too (see Variable), and would fit both the
// forms for variables and those for numbers.
#pragma once

#include <concepts>

#include "chainerxx/argument_kinds.h"
#include "chainerxx/functions/math/arithmetic.h"
#include "chainerxx/parameter_term.h"
#include "chainerxx/variable.h"
#include "cupyxx/scalar.h"

namespace chainerxx {

namespace functions {
/// x + y of a variable and a number of C++, which takes its dtype.
template <internal::Numeric T>
Variable add(const Variable& x, T y) {
  return add(x, cupyxx::Scalar(y));
}
template <internal::Numeric T>
Variable add(T x, const Variable& y) {
  return add(cupyxx::Scalar(x), y);
}
/// x - y, as add.
template <internal::Numeric T>
Variable sub(const Variable& x, T y) {
  return sub(x, cupyxx::Scalar(y));
}
template <internal::Numeric T>
Variable sub(T x, const Variable& y) {
  return sub(cupyxx::Scalar(x), y);
}
/// x * y, as add.
template <internal::Numeric T>
Variable mul(const Variable& x, T y) {
  return mul(x, cupyxx::Scalar(y));
}
template <internal::Numeric T>
Variable mul(T x, const Variable& y) {
  return mul(cupyxx::Scalar(x), y);
}
/// x / y, as add.
template <internal::Numeric T>
Variable div(const Variable& x, T y) {
  return div(x, cupyxx::Scalar(y));
}
template <internal::Numeric T>
Variable div(T x, const Variable& y) {
  return div(cupyxx::Scalar(x), y);
}
/// x to the power of y, as add.
template <internal::Numeric T>
Variable pow(const Variable& x, T y) {
  return pow(x, cupyxx::Scalar(y));
}
template <internal::Numeric T>
Variable pow(T x, const Variable& y) {
  return pow(cupyxx::Scalar(x), y);
}
/// y - x, y / x and y ** x, as add.
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

/// The operators are functions::add and its kin.
template <internal::Numeric T>
Variable operator+(const Variable& x, T y) {
  return functions::add(x, cupyxx::Scalar(y));
}
template <internal::Numeric T>
Variable operator+(T x, const Variable& y) {
  return functions::add(cupyxx::Scalar(x), y);
}
template <internal::Numeric T>
Variable operator-(const Variable& x, T y) {
  return functions::sub(x, cupyxx::Scalar(y));
}
template <internal::Numeric T>
Variable operator-(T x, const Variable& y) {
  return functions::sub(cupyxx::Scalar(x), y);
}
template <internal::Numeric T>
Variable operator*(const Variable& x, T y) {
  return functions::mul(x, cupyxx::Scalar(y));
}
template <internal::Numeric T>
Variable operator*(T x, const Variable& y) {
  return functions::mul(cupyxx::Scalar(x), y);
}
template <internal::Numeric T>
Variable operator/(const Variable& x, T y) {
  return functions::div(x, cupyxx::Scalar(y));
}
template <internal::Numeric T>
Variable operator/(T x, const Variable& y) {
  return functions::div(cupyxx::Scalar(x), y);
}
/// Rebind the name, as in Python.
template <internal::Numeric T>
Variable& operator+=(Variable& x, T y) {
  return x = functions::add(x, cupyxx::Scalar(y));
}
template <internal::Numeric T>
Variable& operator-=(Variable& x, T y) {
  return x = functions::sub(x, cupyxx::Scalar(y));
}
template <internal::Numeric T>
Variable& operator*=(Variable& x, T y) {
  return x = functions::mul(x, cupyxx::Scalar(y));
}
template <internal::Numeric T>
Variable& operator/=(Variable& x, T y) {
  return x = functions::div(x, cupyxx::Scalar(y));
}

/// Found without a namespace, too: pow(x, 2), also of a layer's array, for C's a number.
using functions::abs;
using functions::absolute;
using functions::cos;
using functions::exp;
using functions::log;
using functions::pow;
using functions::sin;
template <internal::ParameterLike P>
Variable abs(const P& x) {
  return functions::absolute(x);
}
template <internal::ParameterLike P>
Variable cos(const P& x) {
  return functions::cos(x);
}
template <internal::ParameterLike P>
Variable exp(const P& x) {
  return functions::exp(x);
}
template <internal::ParameterLike P>
Variable log(const P& x) {
  return functions::log(x);
}
template <internal::ParameterLike P>
Variable sin(const P& x) {
  return functions::sin(x);
}
template <internal::ParameterLike P, class Y>
requires std::convertible_to<const Y&, Variable> || std::convertible_to<const Y&, cupyxx::Scalar>
    Variable pow(const P& x, const Y& y) {
  if constexpr (std::convertible_to<const Y&, Variable>) {
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
