// SPDX-License-Identifier: MIT
// Transposed copies between lines that are in the caches.
#pragma once

#include <cstdint>

#include "cupyxx/internal/op_info.h"

namespace cupyxx::internal::cpu {

/// Element j of input line i goes to place i of output line j; steps are bytes from line to line.
using TurnFn = void (*)(char* out, std::int64_t out_step, const char* in, std::int64_t in_step,
                        std::int64_t rows, std::int64_t columns);

/// The loops of one instruction set: internal/cpu/elementwise/loops_transpose.cc.
template <Arch kArch>
struct TurnLoops {
  /// For elements of `size` bytes; null where there is none.
  static TurnFn find(std::int64_t size);
};

}  // namespace cupyxx::internal::cpu
