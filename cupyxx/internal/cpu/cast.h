// SPDX-License-Identifier: MIT
// 1-D loops that change the element type.
#pragma once

#include "cupyxx/internal/op_info.h"

namespace cupyxx::internal::cpu {

/// The loop from one dtype to another (data and strides: target, source). Null for types without
/// loops.
LoopFn cast_loop(dtype from, dtype to);

/// The table of one instruction set, [from][to].
template <Arch kArch>
struct CastLoops {
  static const LoopFn table[dtype::kComputeCount][dtype::kComputeCount];
};

}  // namespace cupyxx::internal::cpu
