// SPDX-License-Identifier: MIT
// The loop of dropout.cc, once per instruction set.
#pragma once

#include <cstdint>

#include "chainerxx/internal/kernels/dropout.h"
#include "cupyxx/extension/instruction_set.h"

namespace chainerxx::internal::cpu {

/// Elements are taken in spans of so many.
inline constexpr int kDropoutSpan = 64;

/// Defined for float16, bfloat16, float32 and float64.
template <cupyxx::extension::Arch kArch, class T>
struct DropoutLoops {
  /// The spans [begin, end), and of the last one what the size leaves. A dropped element is 0 even
  /// where x is infinite.
  static void run(const kernels::DropoutArgs& args, std::int64_t begin, std::int64_t end);
};

}  // namespace chainerxx::internal::cpu
