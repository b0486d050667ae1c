// SPDX-License-Identifier: MIT
#include "chainerxx/optimizers/smorms3.h"

#include "chainerxx/internal/update_rule.h"
#include "cupyxx/creation.h"

namespace chainerxx::optimizers {

State SMORMS3::init_state(const ndarray& param, const ndarray&) {
  return {cupyxx::ones_like(param), cupyxx::zeros_like(param), cupyxx::zeros_like(param)};
}

std::optional<internal::UpdateRule> SMORMS3::rule() const {
  return internal::UpdateRule::of<internal::kernels::Smorms3>(
      {.rate = options_.lr, .eps = options_.eps});
}

}  // namespace chainerxx::optimizers
