// SPDX-License-Identifier: MIT
// The programs that gather, for the bundle and the tests.
#pragma once

#include "cupyxx/internal/jit/kernel.h"

namespace cupyxx::internal::gpu {

/// Moves units of `unit_bytes` (1, 2, 4, 8 or 16) by int32 or int64 positions.
jit::Program take_program(int unit_bytes, bool index64, bool wide);

}  // namespace cupyxx::internal::gpu
