// SPDX-License-Identifier: MIT
#include "chainerxx/optimizers/nesterov_ag.h"

#include "chainerxx/internal/kernel_table.h"

namespace chainerxx::optimizers {

std::optional<internal::UpdateRule> NesterovAG::rule() const {
  return internal::UpdateRule{
      static_cast<int>(internal::KernelName::nesterov_ag), 1, {options_.lr, options_.momentum}};
}

}  // namespace chainerxx::optimizers
