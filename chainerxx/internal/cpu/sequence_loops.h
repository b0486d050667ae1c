// SPDX-License-Identifier: MIT
// The loops of sequence.cc, once per instruction set.
#pragma once

#include <cstdint>

#include "chainerxx/internal/kernels/lstm.h"
#include "cupyxx/extension/instruction_set.h"

namespace chainerxx::internal::cpu {

/// Defined for float16, bfloat16, float32 and float64.
template <cupyxx::extension::Arch kArch, class T>
struct SequenceLoops {
  /// The cells [begin, end).
  static void lstm(const kernels::LstmArgs& args, std::int64_t begin, std::int64_t end);
  static void lstm_grad(const kernels::LstmGradArgs& args, std::int64_t begin, std::int64_t end);
};

}  // namespace chainerxx::internal::cpu
