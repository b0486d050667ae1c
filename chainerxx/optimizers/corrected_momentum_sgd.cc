// SPDX-License-Identifier: MIT
#include "chainerxx/optimizers/corrected_momentum_sgd.h"

#include "chainerxx/internal/update_rule.h"

namespace chainerxx::optimizers {

std::optional<internal::UpdateRule> CorrectedMomentumSGD::rule() const {
  return internal::UpdateRule::of<internal::kernels::CorrectedMomentumSgd>(
      {.rate = options_.lr, .momentum = options_.momentum});
}

}  // namespace chainerxx::optimizers
