// SPDX-License-Identifier: MIT
// Arrays of one number, which keep its type as lists of numbers do.
#pragma once

#include <concepts>

#include "cupyxx/core/list_types.h"
#include "cupyxx/creation.h"

namespace cupyxx {

namespace internal {
template <ListNumber T>
cupyxx::dtype type_of_full(T value) {
  if constexpr (std::same_as<T, float>) {
    if (value - value != 0) return float64;  // infinite or NaN: C's INFINITY and NAN
  }
  return dtype_of<Element<T>>();
}
}  // namespace internal

/// `array(2.0f)`: see creation.h.
template <internal::ListNumber T>
ndarray array(T value, cupyxx::dtype dtype = {}, const ArrayOptions& options = {}) {
  return array(internal::listed(value), dtype, options);
}
template <internal::ListNumber T, std::same_as<ArrayOptions> O = ArrayOptions>
ndarray array(T value, const O& options) {
  return array(internal::listed(value), {}, options);
}

/// `full({2, 3}, 0.5f)` is float32 as `array(0.5f)` is; but `full({2, 3}, INFINITY)`, a float in C,
/// is float64, and so is one of NaN. Integers of any type give int64.
template <class None = void, internal::ListNumber T>
requires(std::same_as<None, void> && !std::integral<T>)  //
    ndarray full(const Shape& shape, T value) {
  return full(shape, internal::listed(value), internal::type_of_full(value));
}
template <class None = void, internal::ListNumber T, std::same_as<NewOptions> O = NewOptions>
requires(std::same_as<None, void> && !std::integral<T>)  //
    ndarray full(const Shape& shape, T value, const O& options) {
  return full(shape, internal::listed(value),
              options.dtype ? options.dtype : internal::type_of_full(value), options.order);
}
template <internal::Character T>
ndarray full(const Shape& shape, T write_a_number_instead_of_a_character,
             cupyxx::dtype dtype = {}) = delete;

}  // namespace cupyxx
