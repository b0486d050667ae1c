// SPDX-License-Identifier: MIT
// 1-D loops that change the element type.
#pragma once

#include <array>

#include "cupyxx/internal/element_types.h"
#include "cupyxx/internal/op_info.h"

namespace cupyxx::internal::cpu {

/// The loop from one dtype to another (data and strides: target, source). Null for types without
/// loops.
LoopFn cast_loop(dtype from, dtype to);

/// The same where one of the two is complex.
LoopFn complex_cast_loop(dtype from, dtype to);

/// [from][to], of real types.
using CastTable = std::array<std::array<LoopFn, RealTypes::kCount>, RealTypes::kCount>;

/// The table of one instruction set.
template <Arch kArch>
struct CastLoops {
  static const CastTable table;
};

}  // namespace cupyxx::internal::cpu
