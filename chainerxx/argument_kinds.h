// SPDX-License-Identifier: MIT
// What an argument in the place of a variable may be.
#pragma once

#include <concepts>
#include <cstddef>
#include <limits>
#include <type_traits>

#include "cupyxx/half.h"
#include "cupyxx/ndarray.h"
#include "cupyxx/scalar.h"
#include "cupyxx/shape.h"

namespace chainerxx {

using cupyxx::ndarray;

class Variable;

namespace internal {

/// Arrays and what stands for one, as parts of arrays do.
template <class A>
concept ArrayLike = std::derived_from<A, ndarray> ||
    (std::is_class_v<A> && !std::derived_from<A, Variable> &&
     !std::derived_from<A, cupyxx::Shape> && std::is_convertible_v<const A&, ndarray>);
/// None of Python: a variable that is not there.
template <class N>
concept NoneLike = std::same_as<N, std::nullptr_t> || std::same_as<N, cupyxx::None>;
/// C++ numbers.
template <class T>
concept Numeric = std::is_arithmetic_v<T> || std::same_as<T, cupyxx::Scalar> ||
    std::same_as<T, cupyxx::half> || std::same_as<T, cupyxx::bfloat16>;

/// What stands for a variable; not a number, though the constant 0.0 makes one (see Variable).
template <class X>
concept AsVariable =
    std::convertible_to<X, Variable> && !std::is_arithmetic_v<std::remove_cvref_t<X>>;

/// What variables are made with in other libraries.
struct LaterOptions {
  bool requires_grad = true;
  const char* name = nullptr;
};
/// What the literal 0 turns into by itself, and nothing else that has a name.
class LiteralZeroOnly;
using LiteralZero = int LiteralZeroOnly::*;
/// What the compiler names where another constant than 0.0 stands for a variable.
inline void a_variable_is_made_of_an_array_or_of_0() {}
/// A number on one side and None on the other.
template <class Low, class High>
concept OneBound = (NoneLike<Low> && std::is_arithmetic_v<High>) ||
                   (std::is_arithmetic_v<Low> && NoneLike<High>);
/// A bound, or with None the infinity of a sign.
template <class T>
double bound(T value, int sign) {
  if constexpr (std::is_arithmetic_v<T>) {
    return static_cast<double>(value);
  } else {
    return sign * std::numeric_limits<double>::infinity();
  }
}

}  // namespace internal
}  // namespace chainerxx
