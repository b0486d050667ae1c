// SPDX-License-Identifier: MIT
#include "chainerxx/optimizers/sgd.h"

#include "chainerxx/internal/kernel_table.h"

namespace chainerxx::optimizers {

std::optional<internal::UpdateRule> SGD::rule() const {
  return internal::UpdateRule{static_cast<int>(internal::KernelName::sgd), 0, {options_.lr}};
}

}  // namespace chainerxx::optimizers
