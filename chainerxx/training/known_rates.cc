// SPDX-License-Identifier: MIT
// The numbers of an optimizer that is known by its base alone, as one inside of a
// MultiNodeOptimizer.
#include "chainerxx/optimizers/optimizers.h"
#include "chainerxx/training/updater.h"

namespace chainerxx::training::internal {
namespace {

template <class... Known>
std::vector<NamedRate> rates_as(Optimizer& optimizer) {
  std::vector<NamedRate> rates;
  const auto look = [&]<class O>(O* known) {
    if (known == nullptr || !rates.empty()) return;
    rates = rates_of(*known);
  };
  (look(dynamic_cast<Known*>(&optimizer)), ...);
  return rates;
}

}  // namespace

std::vector<NamedRate> known_rates(Optimizer& optimizer) {
  using namespace optimizers;  // NOLINT: all of its algorithms
  return rates_as<AdaBound, AMSBound, AdaDelta, AdaGrad, Adam, AdamW, Adamax, AMSGrad,
                  CorrectedMomentumSGD, LAMB, LARS, MomentumSGD, MSVAG, NesterovAG, RAdam, RMSprop,
                  RMSpropGraves, SGD, SMORMS3>(optimizer);
}

}  // namespace chainerxx::training::internal
