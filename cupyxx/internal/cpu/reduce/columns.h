// SPDX-License-Identifier: MIT
#pragma once

#include "cupyxx/internal/cpu/reduce/loops.h"

namespace cupyxx::internal::cpu {

/// Reduces many results side by side, along the last kept axis.
void reduce_columns(const Reduction& r, const ReduceIsa& isa, const ReduceLoops& loops);

}  // namespace cupyxx::internal::cpu
