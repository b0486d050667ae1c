// SPDX-License-Identifier: MIT
// Running moments start at 0, and are too small by a factor that is known.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace chainerxx::internal {

/// The factor of a moment with memory beta in update t; before the first that of the first.
inline double moment_fix(double beta, std::int64_t t) {
  return 1 - std::pow(beta, static_cast<double>(std::max<std::int64_t>(t, 1)));
}

/// Adam's rate for moments that are not corrected. Options have alpha, beta1 and beta2.
template <class Options>
double corrected_rate(const Options& o, std::int64_t t) {
  return o.alpha * std::sqrt(moment_fix(o.beta2, t)) / moment_fix(o.beta1, t);
}

}  // namespace chainerxx::internal
