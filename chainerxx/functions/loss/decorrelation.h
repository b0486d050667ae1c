// SPDX-License-Identifier: MIT
// A loss that keeps the units of a layer from saying the same.
#pragma once

#include <cstdint>

#include "chainerxx/variable.h"
#include "cupyxx/export.h"

namespace chainerxx::functions {

/// What decov makes of the covariances.
enum class DeCovReduce : std::uint8_t { half_squared_sum, no };

/// sum(C^2) / 2 with C = (h - mean(h))^T (h - mean(h)) / n, the covariances of the columns of
/// h (n, units) without the diagonal (Cogswell et al., 2016). DeCovReduce::no gives C itself,
/// (units, units). Throws ShapeError for what is no matrix.
CUPYXX_API Variable decov(const Variable& h, DeCovReduce reduce = DeCovReduce::half_squared_sum);

}  // namespace chainerxx::functions
