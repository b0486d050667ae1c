// SPDX-License-Identifier: MIT
// Loops of cheap operations whose results go past the caches at once. Through a buffer, as other
// operations do it, a core would wait for its loads while it stores.
#pragma once

#include "cupyxx/internal/op_info.h"

namespace cupyxx::internal::cpu {

/// The streaming loop of an operation over inputs of one dtype, whose result has it, too, or is
/// bool; null where there is none. It takes a contiguous result, and inputs that are contiguous or
/// one number.
LoopFn stream_loop(const OpInfo& op, dtype type, Arch arch);

/// The loops of one instruction set: internal/cpu/elementwise/loops_stream.cc.
template <Arch kArch>
struct StreamLoops {
  static LoopFn find(const OpInfo& op, dtype type);
};

}  // namespace cupyxx::internal::cpu
