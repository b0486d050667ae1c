// SPDX-License-Identifier: MIT
// Reductions on the host. Results depend on neither the number of threads nor the processor.
#pragma once

#include "cupyxx/internal/reduction_plan.h"

namespace cupyxx::internal::cpu {

struct ReduceIsa;

/// Runs a planned reduction of at least one element per result.
void reduce(const Reduction& reduction);

/// The same with the loops of one instruction set, for tests.
void reduce(const Reduction& reduction, const ReduceIsa& isa);

}  // namespace cupyxx::internal::cpu
