// SPDX-License-Identifier: MIT
#include "chainerxx/optimizers/momentum_sgd.h"

#include "chainerxx/internal/update_rule.h"

namespace chainerxx::optimizers {

std::optional<internal::UpdateRule> MomentumSGD::rule() const {
  return internal::UpdateRule::of<internal::kernels::MomentumSgd>(
      {.rate = options_.lr, .momentum = options_.momentum});
}

}  // namespace chainerxx::optimizers
