// SPDX-License-Identifier: MIT
#include "chainerxx/optimizers/sgd.h"

#include "chainerxx/internal/update_rule.h"

namespace chainerxx::optimizers {

std::optional<internal::UpdateRule> SGD::rule() const {
  return internal::UpdateRule::of<internal::kernels::Sgd>({.rate = options_.lr});
}

}  // namespace chainerxx::optimizers
