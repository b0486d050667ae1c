// SPDX-License-Identifier: MIT
// Arrays of one number, which keep its type as lists of numbers do.
#pragma once

#include <concepts>

#include "cupyxx/core/list_types.h"
#include "cupyxx/creation.h"

namespace cupyxx {

/// `array(2.0f)`: see creation.h.
template <internal::ListNumber T>
ndarray array(T value, cupyxx::dtype dtype = {}, const ArrayOptions& options = {}) {
  return array(internal::listed(value), dtype, options);
}
template <internal::ListNumber T, std::same_as<ArrayOptions> O = ArrayOptions>
ndarray array(T value, const O& options) {
  return array(internal::listed(value), {}, options);
}

}  // namespace cupyxx
