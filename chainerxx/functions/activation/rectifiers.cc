// SPDX-License-Identifier: MIT
#include "chainerxx/functions/activation/rectifiers.h"

#include "chainerxx/functions/activation/pointwise.h"
#include "chainerxx/functions/array/array.h"
#include "chainerxx/functions/array/parts.h"
#include "chainerxx/functions/math/arithmetic.h"
#include "chainerxx/internal/same_shape.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/math.h"
#include "cupyxx/random.h"
#include "cupyxx/scalar.h"

namespace chainerxx::functions {

Variable crelu(const Variable& x, int axis) {
  internal::refuse_none("crelu", {&x});
  return concat({relu(x), relu(-x)}, axis);
}

Variable relu6(const Variable& x) { return clipped_relu(x, 6); }

Variable rrelu(const Variable& x, double lower, double upper, bool train) {
  internal::refuse_none("rrelu", {&x});
  if (!(lower >= 0 && lower <= upper && upper < 1)) {
    throw cupyxx::ValueError(cupyxx::message("rrelu: the slopes are not 0 <= lower <= upper < 1; ",
                                             cupyxx::Scalar(lower), " and ",
                                             cupyxx::Scalar(upper)));
  }
  if (!train) return leaky_relu(x, (lower + upper) / 2);
  const cupyxx::DeviceScope device(x.device());
  const ndarray drawn =
      cupyxx::random::uniform(x.shape(), {.low = lower, .high = upper, .dtype = cupyxx::float32});
  const Variable slopes = drawn.astype(x.dtype(), false);
  return where(x.data() >= 0, x, x * slopes);
}

}  // namespace chainerxx::functions
