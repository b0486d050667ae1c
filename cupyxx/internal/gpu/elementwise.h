// SPDX-License-Identifier: MIT
// The programs of elementwise operations, as the launcher, the bundle and the tests see them.
#pragma once

#include "cupyxx/internal/elementwise.h"
#include "cupyxx/internal/jit/elementwise_source.h"
#include "cupyxx/internal/jit/kernel.h"

namespace cupyxx::internal::gpu {

/// The source of one loop for operands stored as `stored` (outputs first); `rank` 0 is the
/// contiguous form.
jit::ElementwiseSource elementwise_source(const OpInfo& op, int loop, const dtype* stored,
                                          unsigned immediate, int rank, bool wide, bool masked);
/// The program of that source, with a name for messages.
jit::Program elementwise_program(const OpInfo& op, const jit::ElementwiseSource& source);

}  // namespace cupyxx::internal::gpu
