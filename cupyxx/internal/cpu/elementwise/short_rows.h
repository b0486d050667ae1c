// SPDX-License-Identifier: MIT
// Arrays whose innermost rows are short: a call of a loop for each row costs more than the row.
#pragma once

#include <cstdint>

#include "cupyxx/internal/elementwise.h"

namespace cupyxx::internal::cpu {

/// Does a copy of short rows within one dtype; false where that is not what `call` is.
bool copy_short_rows(const ElementwiseCall& call);

/// Whether the rows are short and the results lie side by side, so that operands are worth bringing
/// together: their loop then runs over many rows at once.
bool joins_short_rows(const ElementwiseCall& call);

/// Runs the loop of such a call, which takes all operands in place, over the rows [begin, end).
void run_joined(const ElementwiseCall& call, LoopFn loop, std::int64_t begin, std::int64_t end);

}  // namespace cupyxx::internal::cpu
