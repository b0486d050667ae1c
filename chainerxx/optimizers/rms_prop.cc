// SPDX-License-Identifier: MIT
#include "chainerxx/optimizers/rms_prop.h"

#include "chainerxx/internal/kernel_table.h"

namespace chainerxx::optimizers {

std::optional<internal::UpdateRule> RMSprop::rule() const {
  return internal::UpdateRule{static_cast<int>(internal::KernelName::rms_prop),
                              1,
                              {options_.lr, options_.alpha, 1 - options_.alpha, options_.eps}};
}

}  // namespace chainerxx::optimizers
