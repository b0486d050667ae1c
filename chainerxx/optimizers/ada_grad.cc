// SPDX-License-Identifier: MIT
#include "chainerxx/optimizers/ada_grad.h"

#include "chainerxx/internal/kernel_table.h"

namespace chainerxx::optimizers {

std::optional<internal::UpdateRule> AdaGrad::rule() const {
  return internal::UpdateRule{
      static_cast<int>(internal::KernelName::ada_grad), 1, {options_.lr, options_.eps}};
}

}  // namespace chainerxx::optimizers
