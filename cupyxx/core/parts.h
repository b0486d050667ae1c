// SPDX-License-Identifier: MIT
// The parts of a result by their places, as of Python's tuples: `svd(a)[1]`.
#pragma once

#include <initializer_list>

#include "cupyxx/export.h"
#include "cupyxx/ndarray.h"

namespace cupyxx::internal {

/// The part at a place, from the end where negative. What was not asked for is null and no part:
/// `unique(a, {.return_counts = true})[1]` are the counts. Throws IndexError that names
/// `operation`.
CUPYXX_API ndarray part_of(const char* operation, std::initializer_list<const ndarray*> parts,
                           Int place);

}  // namespace cupyxx::internal
