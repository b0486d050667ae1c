// SPDX-License-Identifier: MIT
// What passes over the data end with.
#pragma once

#include <array>
#include <string_view>

namespace examples {

/// A number with the name that it has in a line of progress.
struct NamedValue {
  std::string_view name;
  double value;
};

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
