// SPDX-License-Identifier: MIT
// What passes over the data end with.
#pragma once

#include <array>

#include "chainerxx/training/progress.h"

namespace examples {

using chainerxx::training::NamedValue;

/// What an epoch ended with.
struct EpochResult {
  double train_loss = 0;
  double train_accuracy = 0;
  double test_loss = 0;
  double test_accuracy = 0;

  std::array<NamedValue, 4> named() const {
    return {{{"loss", train_loss},
             {"accuracy", train_accuracy},
             {"test loss", test_loss},
             {"test accuracy", test_accuracy}}};
  }
};

}  // namespace examples
