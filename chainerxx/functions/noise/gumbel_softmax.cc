// SPDX-License-Identifier: MIT
#include "chainerxx/functions/noise/gumbel_softmax.h"

#include "chainerxx/functions/activation/activation.h"
#include "chainerxx/functions/math/arithmetic.h"
#include "chainerxx/internal/same_shape.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/math.h"
#include "cupyxx/random.h"
#include "cupyxx/scalar.h"

namespace chainerxx::functions {

Variable gumbel_softmax(const Variable& log_pi, double tau, int axis) {
  internal::refuse_none("gumbel_softmax", {&log_pi});
  if (!(tau > 0)) {
    throw cupyxx::ValueError(
        cupyxx::message("gumbel_softmax: tau is not positive; ", cupyxx::Scalar(tau)));
  }
  const cupyxx::DeviceScope device(log_pi.device());
  // Away from 0 and 1, whose logarithms are infinite.
  const ndarray drawn = cupyxx::random::uniform(
      log_pi.shape(), {.low = 1e-7, .high = 1 - 1e-7, .dtype = cupyxx::float32});
  const bool is_wide = log_pi.dtype() == cupyxx::float64;
  const ndarray u = is_wide ? drawn.astype(cupyxx::float64) : drawn;
  const ndarray gumbel = -cupyxx::log(-cupyxx::log(u));
  const Variable noise = gumbel.astype(log_pi.dtype(), false);
  return softmax((log_pi + noise) * (1 / tau), axis);
}

}  // namespace chainerxx::functions
