// SPDX-License-Identifier: MIT
// Results of reductions beside what was reduced.
#pragma once

#include "chainerxx/functions/array/array.h"
#include "chainerxx/functions/array/copying.h"
#include "chainerxx/variable.h"
#include "cupyxx/shape.h"

namespace chainerxx::internal {

/// `shape` with 1 for the axes over which a reduction went.
inline cupyxx::Shape kept_shape(const cupyxx::Shape& shape, const cupyxx::Axes& axes) {
  const std::uint32_t reduced = axes.mask("reduction", shape.ndim());
  cupyxx::Shape kept = shape;
  for (int i = 0; i < shape.ndim(); ++i) {
    if ((reduced >> i & 1u) != 0) kept[i] = 1;
  }
  return kept;
}

/// A result of a reduction of an array of this shape, repeated along the reduced axes.
inline Variable spread(const Variable& y, const cupyxx::Shape& shape, const cupyxx::Axes& axes) {
  return functions::broadcast_to(functions::reshape(y, kept_shape(shape, axes)), shape);
}

}  // namespace chainerxx::internal
