// SPDX-License-Identifier: MIT
// Rows that index arrays name, sorted.
#pragma once

#include <cstdint>

#include "cupyxx/internal/scatter.h"
#include "cupyxx/ndarray.h"

namespace cupyxx::internal {

/// Sorts the numbers of rows (int64, on a device) of as many as `row_count` with the places where
/// they stood; those out of range come first.
RowOrder order_rows(const char* operation, const ndarray& rows, std::int64_t row_count);

}  // namespace cupyxx::internal
