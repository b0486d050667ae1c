// SPDX-License-Identifier: MIT
#pragma once

#include "cupyxx/internal/cpu/reduce/loops.h"

namespace cupyxx::internal::cpu {

/// Reduces one result after the other, along the reduced axes.
void reduce_rows(const Reduction& r, const ReduceIsa& isa, const ReduceLoops& loops);

}  // namespace cupyxx::internal::cpu
