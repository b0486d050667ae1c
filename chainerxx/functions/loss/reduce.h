// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>

namespace chainerxx::functions {

/// What becomes of the losses of single samples or places: their mean, their sum, or nothing.
enum class Reduce : std::uint8_t { mean, sum, no };

/// What becomes of losses, by name; the function's own default where it is not given.
struct ReduceOptions {
  std::optional<Reduce> reduce = {};
};
/// Options of losses with a margin, whose default is the function's own.
struct MarginOptions {
  std::optional<double> margin = {};
  Reduce reduce = Reduce::mean;
};

}  // namespace chainerxx::functions
