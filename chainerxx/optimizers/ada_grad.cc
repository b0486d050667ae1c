// SPDX-License-Identifier: MIT
#include "chainerxx/optimizers/ada_grad.h"

#include "chainerxx/internal/update_rule.h"

namespace chainerxx::optimizers {

std::optional<internal::UpdateRule> AdaGrad::rule() const {
  return internal::UpdateRule::of<internal::kernels::AdaGrad>(
      {.rate = options_.lr, .eps = options_.eps});
}

}  // namespace chainerxx::optimizers
