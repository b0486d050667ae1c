// SPDX-License-Identifier: MIT
#include "chainerxx/optimizers/msvag.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "chainerxx/internal/update_rule.h"

namespace chainerxx::optimizers {

std::optional<internal::UpdateRule> MSVAG::rule() const {
  const auto steps = static_cast<double>(std::max<std::int64_t>(t(), 1));
  const double kept = options_.beta, power = std::pow(kept, steps);
  const double fix = 1 - power;
  // The share of the variance of one gradient that the mean has.
  const double share =
      (1 - kept) * (1 - kept) * (1 - power * power) / (fix * fix * (1 - kept * kept));
  const double rho = std::min(share, 0.9999);
  return internal::UpdateRule::of<internal::kernels::Msvag>(
      {.rate = options_.eta * options_.lr,
       .one_minus_beta = 1 - kept,
       .inverse_fix = 1 / fix,
       .noise = rho / (1 - rho),
       .decay = options_.eta * options_.weight_decay_rate});
}

}  // namespace chainerxx::optimizers
