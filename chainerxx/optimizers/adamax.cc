// SPDX-License-Identifier: MIT
#include "chainerxx/optimizers/adamax.h"

#include "chainerxx/internal/moment_fix.h"
#include "chainerxx/internal/update_rule.h"

namespace chainerxx::optimizers {

std::optional<internal::UpdateRule> Adamax::rule() const {
  return internal::UpdateRule::of<internal::kernels::Adamax>(
      {.rate = options_.alpha / internal::moment_fix(options_.beta1, t()),
       .one_minus_beta1 = 1 - options_.beta1,
       .beta2 = options_.beta2,
       .eps = options_.eps});
}

}  // namespace chainerxx::optimizers
