// SPDX-License-Identifier: MIT
#include "chainerxx/functions/activation/gated.h"

#include <vector>

#include "chainerxx/functions/activation/pointwise.h"
#include "chainerxx/functions/array/parts.h"
#include "chainerxx/internal/same_shape.h"
#include "cupyxx/error.h"

namespace chainerxx::functions {

Variable glu(const Variable& x, int axis) {
  internal::refuse_none("glu", {&x});
  const int along = cupyxx::normalize_axis("glu", axis, x.ndim());
  if (const std::int64_t extent = x.shape()[along]; extent % 2 != 0) {
    throw cupyxx::ValueError(
        cupyxx::message("glu: the extent of axis ", along, " is odd; ", x.shape()));
  }
  const std::vector<Variable> halves = split_axis(x, 2, along);
  return halves[0] * sigmoid(halves[1]);
}

}  // namespace chainerxx::functions
