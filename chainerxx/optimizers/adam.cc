// SPDX-License-Identifier: MIT
#include "chainerxx/optimizers/adam.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "chainerxx/internal/update_rule.h"
#include "cupyxx/error.h"
#include "cupyxx/scalar.h"

namespace chainerxx::optimizers {

double Adam::corrected_rate() const {
  const auto steps = static_cast<double>(std::max<std::int64_t>(t(), 1));
  const double fix1 = 1 - std::pow(options_.beta1, steps);
  const double fix2 = 1 - std::pow(options_.beta2, steps);
  return options_.alpha * std::sqrt(fix2) / fix1;
}

double Adam::lr() const {
  if (t() > 0) return corrected_rate();
  throw cupyxx::ValueError(cupyxx::message(
      "Adam.lr: there has been no update yet, whose number it depends on; alpha is ",
      cupyxx::Scalar(options_.alpha)));
}

std::optional<internal::UpdateRule> Adam::rule() const {
  return internal::UpdateRule::of<internal::kernels::Adam>({.rate = corrected_rate(),
                                                            .one_minus_beta1 = 1 - options_.beta1,
                                                            .one_minus_beta2 = 1 - options_.beta2,
                                                            .eps = options_.eps});
}

}  // namespace chainerxx::optimizers
