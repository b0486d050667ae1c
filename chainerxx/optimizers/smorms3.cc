// SPDX-License-Identifier: MIT
#include "chainerxx/optimizers/smorms3.h"

#include "chainerxx/internal/kernel_table.h"
#include "cupyxx/creation.h"

namespace chainerxx::optimizers {

State SMORMS3::init_state(const ndarray& param, const ndarray&) {
  return {cupyxx::ones_like(param), cupyxx::zeros_like(param), cupyxx::zeros_like(param)};
}

std::optional<internal::UpdateRule> SMORMS3::rule() const {
  return internal::UpdateRule{
      static_cast<int>(internal::KernelName::smorms3), 3, {options_.lr, options_.eps}};
}

}  // namespace chainerxx::optimizers
