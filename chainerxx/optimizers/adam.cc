// SPDX-License-Identifier: MIT
#include "chainerxx/optimizers/adam.h"

#include "chainerxx/internal/moment_fix.h"
#include "chainerxx/internal/update_rule.h"
#include "cupyxx/error.h"
#include "cupyxx/scalar.h"

namespace chainerxx::optimizers {

double Adam::lr() const {
  if (t() > 0) return internal::corrected_rate(options_, t());
  throw cupyxx::ValueError(cupyxx::message(
      "Adam.lr: there has been no update yet, whose number it depends on; alpha is ",
      cupyxx::Scalar(options_.alpha)));
}

std::optional<internal::UpdateRule> Adam::rule() const {
  return internal::UpdateRule::of<internal::kernels::Adam>(
      {.rate = internal::corrected_rate(options_, t()),
       .one_minus_beta1 = 1 - options_.beta1,
       .one_minus_beta2 = 1 - options_.beta2,
       .eps = options_.eps});
}

}  // namespace chainerxx::optimizers
