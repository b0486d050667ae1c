// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "cupyxx/values/choice.h"

namespace chainerxx::functions {

/// What becomes of the losses of single samples or places: their mean, their sum, or nothing.
enum class Reduce : std::uint8_t { mean, sum, no };

}  // namespace chainerxx::functions

namespace cupyxx::internal {
template <>
struct Choices<chainerxx::functions::Reduce> {
  using Reduce = chainerxx::functions::Reduce;
  static constexpr std::string_view kWhat = "reduce";
  static constexpr NamedValue<Reduce> kAll[] = {
      {"mean", Reduce::mean}, {"sum", Reduce::sum}, {"no", Reduce::no}};
};
}  // namespace cupyxx::internal

namespace chainerxx::functions {

/// Reduce by value or by Chainer's text for it: `{.reduce = "no"}`.
using ReduceChoice = cupyxx::Choice<Reduce>;

/// What becomes of losses, by name; the function's own default where it is not given.
struct ReduceOptions {
  std::optional<ReduceChoice> reduce = {};
};
/// Options of losses with a margin, whose default is the function's own.
struct MarginOptions {
  std::optional<double> margin = {};
  ReduceChoice reduce = Reduce::mean;
};

}  // namespace chainerxx::functions
