// SPDX-License-Identifier: MIT
#include "chainerxx/optimizers/hooks.h"

#include <cmath>

#include "cupyxx/error.h"
#include "cupyxx/scalar.h"

namespace chainerxx {

GradientNoise::GradientNoise(double the_eta) : eta(the_eta) {
  if (eta >= 0 && std::isfinite(eta)) return;
  throw cupyxx::ValueError(
      cupyxx::message("GradientNoise: eta is negative or not finite; ", cupyxx::Scalar(eta)));
}

void GradientNoise::operator()(Optimizer& optimizer) const {
  optimizer.add_noise(std::sqrt(eta / std::pow(1 + static_cast<double>(optimizer.t()), 0.55)));
}

}  // namespace chainerxx
