// SPDX-License-Identifier: MIT
// Sorting and partitioning of rows.
#pragma once

#include <cstdint>
#include <vector>

#include "cupyxx/core/rows.h"
#include "cupyxx/ndarray.h"

namespace cupyxx::internal {

/// Sorted values, sorting places or both of the rows; stable, NaN last.
ndarray sorted_rows(const char* operation, const Rows& rows);
ndarray sorting_places(const char* operation, const Rows& rows);
/// Rows that need to be in order at the places `kth` only, or the positions that make them so:
/// negative places count from the end. On a device, and for complex numbers, all is in order.
ndarray partitioned_rows(const char* operation, const Rows& rows, std::vector<std::int64_t> kth);
ndarray partitioning_places(const char* operation, const Rows& rows, std::vector<std::int64_t> kth);
/// Sorts a 1-D array and says where the elements stood.
ndarray sort_with_places(const char* operation, const ndarray& a, ndarray& places);

}  // namespace cupyxx::internal
