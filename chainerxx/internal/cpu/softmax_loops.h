// SPDX-License-Identifier: MIT
// The loops of softmax.cc, once per instruction set.
#pragma once

#include <cstdint>

#include "chainerxx/internal/kernels/types.h"
#include "cupyxx/extension/instruction_set.h"

namespace chainerxx::internal::cpu {

/// Defined for float16, bfloat16, float32 and float64.
template <cupyxx::extension::Arch kArch, class T>
struct SoftmaxLoops {
  using C = kernels::Compute<T>;
  /// e[c] = exp(x[c * inner] - max).
  static void exponentials(const T* x, C* e, std::int64_t classes, std::int64_t inner, C max);
  /// The sum in a fixed order that is not one long chain.
  static C sum_of(const C* values, std::int64_t n);
};

}  // namespace chainerxx::internal::cpu
