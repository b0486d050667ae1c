// SPDX-License-Identifier: MIT
#include "chainerxx/optimizers/ams_grad.h"

#include "chainerxx/internal/moment_fix.h"
#include "chainerxx/internal/update_rule.h"

namespace chainerxx::optimizers {

std::optional<internal::UpdateRule> AMSGrad::rule() const {
  return internal::UpdateRule::of<internal::kernels::AmsGrad>(
      {.rate = internal::corrected_rate(options_, t()),
       .one_minus_beta1 = 1 - options_.beta1,
       .one_minus_beta2 = 1 - options_.beta2,
       .eps = options_.eps});
}

}  // namespace chainerxx::optimizers
