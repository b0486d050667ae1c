// SPDX-License-Identifier: MIT
// What may stand beside what in the operators of arrays (math.h), for libraries that add to them.
#pragma once

#include <concepts>

#include "cupyxx/core/list_types.h"
#include "cupyxx/ndarray.h"
#include "cupyxx/scalar.h"

namespace cupyxx::internal {

template <class T>
concept ArrayOrScalar = std::derived_from<T, ndarray> || std::same_as<T, Scalar>;
/// An array, and beside it a vector of the program, std::array or plain array.
template <class X, class Y>
concept ArrayBesideList = (std::derived_from<X, ndarray> && HostNumbers<Y>) ||
                          (HostNumbers<X> && std::derived_from<Y, ndarray>);
/// An array or Scalar, and beside it another, or a C++ number; or an array and a list.
template <class X, class Y>
concept ArrayOperands =
    (ArrayOrScalar<X> && (ArrayOrScalar<Y> || std::convertible_to<const Y&, Scalar>)) ||
    (ArrayOrScalar<Y> && std::convertible_to<const X&, Scalar>) || ArrayBesideList<X, Y>;

/// Whether beside an operand of this type a temporary array may end in a result: not beside arrays
/// of layers, whose operators leave a graph.
template <class T>
concept BesideTemporary = !std::derived_from<T, ndarray> || std::same_as<T, ndarray> ||
                          std::same_as<T, View> || std::same_as<T, Selection>;

/// Whether a type stands for arrays while cupyxx::fuse() records (fuse.h).
template <class T>
inline constexpr bool is_recorded = false;
/// Operands of which at least one is a stand-in.
template <class... T>
concept Recorded = (is_recorded<T> || ...);
/// Or such an array: `record_fused` beside them takes the calls of elementwise operations.
template <class... T>
concept TakingCalls = ((is_recorded<T> || is_term<T>) || ...);

}  // namespace cupyxx::internal
