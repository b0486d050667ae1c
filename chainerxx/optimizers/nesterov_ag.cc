// SPDX-License-Identifier: MIT
#include "chainerxx/optimizers/nesterov_ag.h"

#include "chainerxx/internal/update_rule.h"

namespace chainerxx::optimizers {

std::optional<internal::UpdateRule> NesterovAG::rule() const {
  return internal::UpdateRule::of<internal::kernels::NesterovAg>(
      {.rate = options_.lr, .momentum = options_.momentum});
}

}  // namespace chainerxx::optimizers
