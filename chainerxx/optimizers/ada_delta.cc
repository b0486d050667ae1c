// SPDX-License-Identifier: MIT
#include "chainerxx/optimizers/ada_delta.h"

#include "chainerxx/internal/update_rule.h"

namespace chainerxx::optimizers {

std::optional<internal::UpdateRule> AdaDelta::rule() const {
  return internal::UpdateRule::of<internal::kernels::AdaDelta>(
      {.rho = options_.rho, .one_minus_rho = 1 - options_.rho, .eps = options_.eps});
}

}  // namespace chainerxx::optimizers
