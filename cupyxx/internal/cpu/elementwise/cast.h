// SPDX-License-Identifier: MIT
// 1-D loops that change the element type.
#pragma once

#include "cupyxx/internal/op_info.h"

namespace cupyxx::internal::cpu {

/// The loop from one dtype to another (data and strides: target, source). Null for types without
/// loops.
LoopFn cast_loop(dtype from, dtype to);

/// The same where one of the two is complex.
LoopFn complex_cast_loop(dtype from, dtype to);

/// Types before the complex ones.
inline constexpr int kRealCount = 13;
static_assert(dtype::Code::complex64 == static_cast<dtype::Code>(kRealCount));

/// The table of one instruction set, [from][to].
template <Arch kArch>
struct CastLoops {
  static const LoopFn table[kRealCount][kRealCount];
};

}  // namespace cupyxx::internal::cpu
