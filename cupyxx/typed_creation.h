// SPDX-License-Identifier: MIT
// New arrays of a C++ type: `zeros<float>({2, 3})` is `zeros({2, 3}, float32)`. Included by
// creation.h.
#pragma once

#include "cupyxx/core/list_types.h"
#include "cupyxx/creation.h"
#include "cupyxx/dtype.h"
#include "cupyxx/ndarray.h"

namespace cupyxx {

/// Unset elements of a C++ type, zeros and ones.
template <internal::ListNumber T>
ndarray empty(const Shape& shape, Choice<Order> order = Order::C) {
  return empty(shape, dtype_of<T>(), order);
}
template <internal::ListNumber T>
ndarray zeros(const Shape& shape, Choice<Order> order = Order::C) {
  return zeros(shape, dtype_of<T>(), order);
}
template <internal::ListNumber T>
ndarray ones(const Shape& shape, Choice<Order> order = Order::C) {
  return ones(shape, dtype_of<T>(), order);
}
/// Every element set to `value`, as a C++ type has it. Throws as full().
template <internal::ListNumber T>
ndarray full(const Shape& shape, const Operand& value, Choice<Order> order = Order::C) {
  return full(shape, value, dtype_of<T>(), order);
}
/// arange() of a C++ type: `arange<float>(5)`.
template <internal::ListNumber T>
ndarray arange(const Scalar& stop) {
  return arange(stop, dtype_of<T>());
}
template <internal::ListNumber T>
ndarray arange(const Scalar& start, const Scalar& stop, const Scalar& step = 1) {
  return arange(start, stop, step, dtype_of<T>());
}

}  // namespace cupyxx
