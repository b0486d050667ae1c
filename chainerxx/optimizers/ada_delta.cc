// SPDX-License-Identifier: MIT
#include "chainerxx/optimizers/ada_delta.h"

#include "chainerxx/internal/kernel_table.h"

namespace chainerxx::optimizers {

std::optional<internal::UpdateRule> AdaDelta::rule() const {
  return internal::UpdateRule{static_cast<int>(internal::KernelName::ada_delta),
                              2,
                              {options_.rho, 1 - options_.rho, options_.eps, 1}};
}

}  // namespace chainerxx::optimizers
