// SPDX-License-Identifier: MIT
// Fewer axes for the same elements.
#pragma once

#include <cstdint>

#include "cupyxx/shape.h"

namespace cupyxx::internal {

/// Drops axes of extent 1, orders the axes by the first operand's strides and merges neighbours
/// that all operands walk as one; returns the number of axes left. With `keep_order` axes are not
/// sorted, so that elements keep their numbers.
int collapse_axes(int rank, std::int64_t* shape, std::int64_t (*strides)[kMaxNdim], int operands,
                  bool keep_order);

}  // namespace cupyxx::internal
