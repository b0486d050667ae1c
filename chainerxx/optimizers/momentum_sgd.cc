// SPDX-License-Identifier: MIT
#include "chainerxx/optimizers/momentum_sgd.h"

#include "chainerxx/internal/kernel_table.h"

namespace chainerxx::optimizers {

std::optional<internal::UpdateRule> MomentumSGD::rule() const {
  return internal::UpdateRule{
      static_cast<int>(internal::KernelName::momentum_sgd), 1, {options_.lr, options_.momentum}};
}

}  // namespace chainerxx::optimizers
