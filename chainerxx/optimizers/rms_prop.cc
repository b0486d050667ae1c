// SPDX-License-Identifier: MIT
#include "chainerxx/optimizers/rms_prop.h"

#include "chainerxx/internal/update_rule.h"

namespace chainerxx::optimizers {

std::optional<internal::UpdateRule> RMSprop::rule() const {
  return internal::UpdateRule::of<internal::kernels::RmsProp>(
      {.rate = options_.lr,
       .alpha = options_.alpha,
       .one_minus_alpha = 1 - options_.alpha,
       .eps = options_.eps});
}

}  // namespace chainerxx::optimizers
