// SPDX-License-Identifier: MIT
#include "chainerxx/optimizers/rms_prop_graves.h"

#include "chainerxx/internal/kernel_table.h"

namespace chainerxx::optimizers {

std::optional<internal::UpdateRule> RMSpropGraves::rule() const {
  return internal::UpdateRule{
      static_cast<int>(internal::KernelName::rms_prop_graves),
      3,
      {options_.lr, options_.alpha, 1 - options_.alpha, options_.momentum, options_.eps}};
}

}  // namespace chainerxx::optimizers
