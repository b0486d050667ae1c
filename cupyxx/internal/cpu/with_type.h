// SPDX-License-Identifier: MIT
// From a dtype to a C++ type, for loops over elements that have an order.
#pragma once

#include <cstdint>
#include <type_traits>

#include "cupyxx/internal/element_types.h"

namespace cupyxx::internal::cpu {

/// Calls `f` with a null pointer to the element type; bool counts as uint8, whose order it has.
/// Types without an order are refused before.
template <class F>
void with_type(dtype type, F&& f) {
  with_type_of(RealTypes{}, type, [&]<class T>() {
    f(static_cast<std::conditional_t<std::is_same_v<T, bool>, std::uint8_t, T>*>(nullptr));
  });
}

}  // namespace cupyxx::internal::cpu
