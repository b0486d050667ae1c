// SPDX-License-Identifier: MIT
#include "chainerxx/optimizers/rms_prop_graves.h"

#include "chainerxx/internal/update_rule.h"

namespace chainerxx::optimizers {

std::optional<internal::UpdateRule> RMSpropGraves::rule() const {
  return internal::UpdateRule::of<internal::kernels::RmsPropGraves>(
      {.rate = options_.lr,
       .alpha = options_.alpha,
       .one_minus_alpha = 1 - options_.alpha,
       .momentum = options_.momentum,
       .eps = options_.eps});
}

}  // namespace chainerxx::optimizers
