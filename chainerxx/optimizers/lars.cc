// SPDX-License-Identifier: MIT
#include "chainerxx/optimizers/lars.h"

#include "chainerxx/internal/kernels/trust_rules.h"
#include "chainerxx/internal/update_rule.h"

namespace chainerxx::optimizers {

std::optional<internal::UpdateRule> LARS::rule() const {
  return internal::UpdateRule::of<internal::kernels::Lars>(
      {.rate = options_.lr,
       .momentum = options_.momentum,
       .decay = options_.weight_decay,
       .coefficient = options_.trust_coefficient,
       .eps = options_.eps});
}

}  // namespace chainerxx::optimizers
