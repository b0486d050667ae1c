// SPDX-License-Identifier: MIT
// The programs of the built-in operations, as the launchers, the bundle and the tests see them.
#pragma once

#include "cupyxx/internal/jit/elementwise_source.h"
#include "cupyxx/internal/jit/kernel.h"
#include "cupyxx/internal/op_info.h"

namespace cupyxx::internal::gpu {

/// The source of one loop for operands stored as `stored` (outputs first); `rank` 0 is the
/// contiguous form.
jit::ElementwiseSource elementwise_source(const OpInfo& op, int loop, const dtype* stored,
                                          unsigned immediate, int rank, bool wide, bool masked);
/// The program of that source, with a name for messages.
jit::Program elementwise_program(const OpInfo& op, const jit::ElementwiseSource& source);

/// Gathers units of `unit_bytes` (1, 2, 4, 8 or 16) by int32 or int64 positions.
jit::Program take_program(int unit_bytes, bool index64, bool wide);

}  // namespace cupyxx::internal::gpu
