// SPDX-License-Identifier: MIT
// A loss that keeps the units of a layer from saying the same.
#pragma once

#include <cstdint>
#include <string_view>

#include "chainerxx/variable.h"
#include "cupyxx/export.h"
#include "cupyxx/values/choice.h"

namespace chainerxx::functions {

/// What decov makes of the covariances.
enum class DeCovReduce : std::uint8_t { half_squared_sum, no };

}  // namespace chainerxx::functions

namespace cupyxx::internal {
template <>
struct Choices<chainerxx::functions::DeCovReduce> {
  using Reduce = chainerxx::functions::DeCovReduce;
  static constexpr std::string_view kWhat = "reduce";
  static constexpr NamedValue<Reduce> kAll[] = {{"half_squared_sum", Reduce::half_squared_sum},
                                                {"no", Reduce::no}};
};
}  // namespace cupyxx::internal

namespace chainerxx::functions {

/// sum(C^2) / 2 with C = (h - mean(h))^T (h - mean(h)) / n, the covariances of the columns of
/// h (n, units) without the diagonal (Cogswell et al., 2016). DeCovReduce::no, or "no", gives C
/// itself, (units, units). Throws ShapeError for what is no matrix.
CUPYXX_API Variable decov(const Variable& h,
                          cupyxx::Choice<DeCovReduce> reduce = DeCovReduce::half_squared_sum);

}  // namespace chainerxx::functions
