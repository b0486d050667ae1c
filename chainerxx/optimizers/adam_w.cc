// SPDX-License-Identifier: MIT
#include "chainerxx/optimizers/adam_w.h"

#include "chainerxx/internal/moment_fix.h"
#include "chainerxx/internal/update_rule.h"

namespace chainerxx::optimizers {

std::optional<internal::UpdateRule> AdamW::rule() const {
  return internal::UpdateRule::of<internal::kernels::Adam>(
      {.rate = internal::corrected_rate(options_, t()),
       .one_minus_beta1 = 1 - options_.beta1,
       .one_minus_beta2 = 1 - options_.beta2,
       .eps = options_.eps,
       .decay = options_.alpha * options_.weight_decay});
}

}  // namespace chainerxx::optimizers
