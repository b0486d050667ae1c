// SPDX-License-Identifier: MIT
// The loops of update_rule.cc, once per instruction set.
#pragma once

#include <cstdint>

#include "chainerxx/internal/kernels/tensor_rules.h"
#include "cupyxx/extension/instruction_set.h"

namespace chainerxx::internal {

/// What a rule of kernels/tensor_rules.h does to n elements of one tensor; states that there are
/// not are null. Defined for float16, bfloat16, float32 and float64 and the rules below.
template <cupyxx::extension::Arch kArch, class T, template <class> class Rule>
struct RuleLoop {
  static void run(T* p, T* g, T* s0, T* s1, T* s2, std::int64_t n,
                  const Rule<kernels::Compute<T>>& rule);
};

/// All rules; without its line here one does not link.
#define CHAINERXX_FOR_RULES(DO) \
  DO(AdaBound)                  \
  DO(AdaDelta)                  \
  DO(AdaGrad)                   \
  DO(Adam)                      \
  DO(Adamax)                    \
  DO(AmsBound)                  \
  DO(AmsGrad)                   \
  DO(CorrectedMomentumSgd)      \
  DO(HardClipping)              \
  DO(Lasso)                     \
  DO(MomentumSgd)               \
  DO(Msvag)                     \
  DO(NesterovAg)                \
  DO(RAdam)                     \
  DO(RmsProp)                   \
  DO(RmsPropGraves)             \
  DO(ScaleGrad)                 \
  DO(Sgd)                       \
  DO(Smorms3)                   \
  DO(Unscale)                   \
  DO(WeightDecay)               \
  DO(ZeroGrad)

/// Defined for float16, bfloat16, float32 and float64.
template <cupyxx::extension::Arch kArch, class T>
struct SquaresLoop {
  /// The sum of n squares, in a fixed order.
  static double run(const T* g, std::int64_t n);
};

}  // namespace chainerxx::internal
