// SPDX-License-Identifier: MIT
// Operators of variables, which are the functions of chainerxx/functions/math/arithmetic.h.
#pragma once

#include "chainerxx/argument_kinds.h"
#include "chainerxx/functions/math/arithmetic.h"
#include "cupyxx/dtype.h"
#include "cupyxx/scalar.h"

namespace chainerxx::internal {

/// Numbers beside a variable, complex ones, too.
template <class T>
concept NumberOperand = Numeric<T> || cupyxx::internal::ComplexLike<T>;

/// A base of V. Its operators are found for variables only, so that arrays keep theirs. Numbers go
/// by their own type: the literal 0 is a variable, too (see Variable), and would fit both the forms
/// for variables and those for numbers.
template <class V>
class VariableArithmetic {
  friend V operator-(const V& x) { return functions::neg(x); }
  friend V operator+(const V& x) { return functions::pos(x); }

  friend V operator+(const V& x, const V& y) { return functions::add(x, y); }
  template <NumberOperand T>
  friend V operator+(const V& x, const T& y) {
    return functions::add(x, cupyxx::Scalar(y));
  }
  template <NumberOperand T>
  friend V operator+(const T& x, const V& y) {
    return functions::add(cupyxx::Scalar(x), y);
  }

  friend V operator-(const V& x, const V& y) { return functions::sub(x, y); }
  template <NumberOperand T>
  friend V operator-(const V& x, const T& y) {
    return functions::sub(x, cupyxx::Scalar(y));
  }
  template <NumberOperand T>
  friend V operator-(const T& x, const V& y) {
    return functions::sub(cupyxx::Scalar(x), y);
  }

  friend V operator*(const V& x, const V& y) { return functions::mul(x, y); }
  template <NumberOperand T>
  friend V operator*(const V& x, const T& y) {
    return functions::mul(x, cupyxx::Scalar(y));
  }
  template <NumberOperand T>
  friend V operator*(const T& x, const V& y) {
    return functions::mul(cupyxx::Scalar(x), y);
  }

  friend V operator/(const V& x, const V& y) { return functions::div(x, y); }
  template <NumberOperand T>
  friend V operator/(const V& x, const T& y) {
    return functions::div(x, cupyxx::Scalar(y));
  }
  template <NumberOperand T>
  friend V operator/(const T& x, const V& y) {
    return functions::div(cupyxx::Scalar(x), y);
  }

  /// These rebind the name, as in Python; a null variable counts as 0, so that a sum may start from
  /// `Variable loss;`.
  friend V& operator+=(V& x, const V& y) {
    return x = x.is_none() ? functions::pos(y) : functions::add(x, y);
  }
  friend V& operator-=(V& x, const V& y) {
    return x = x.is_none() ? functions::neg(y) : functions::sub(x, y);
  }
  friend V& operator*=(V& x, const V& y) { return x = functions::mul(x, y); }
  friend V& operator/=(V& x, const V& y) { return x = functions::div(x, y); }
  template <NumberOperand T>
  friend V& operator+=(V& x, const T& y) {
    return x = x + y;
  }
  template <NumberOperand T>
  friend V& operator-=(V& x, const T& y) {
    return x = x - y;
  }
  template <NumberOperand T>
  friend V& operator*=(V& x, const T& y) {
    return x = x * y;
  }
  template <NumberOperand T>
  friend V& operator/=(V& x, const T& y) {
    return x = x / y;
  }
};

}  // namespace chainerxx::internal
