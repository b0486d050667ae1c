// SPDX-License-Identifier: MIT
// The loops of trust_rule.cc, once per instruction set.
#pragma once

#include <cstdint>

#include "chainerxx/internal/kernels/trust_rules.h"
#include "cupyxx/extension/instruction_set.h"

namespace chainerxx::internal {

/// n elements of one tensor; states that there are not are null.
template <class T>
struct TrustElements {
  T* p;
  const T* g;
  kernels::Compute<T>* s0;
  kernels::Compute<T>* s1;
  std::int64_t n;
};

/// Sums of squares of a parameter and of what is measured beside it.
struct TrustSums {
  double of_p = 0, of_step = 0;
};

/// The two passes of a rule of kernels/trust_rules.h. Defined for float16, bfloat16, float32 and
/// float64 and the rules below.
template <cupyxx::extension::Arch kArch, class T, template <class> class Rule>
struct TrustLoop {
  using C = kernels::Compute<T>;
  /// The sums are added in a fixed order.
  static TrustSums norms(const TrustElements<T>& at, const Rule<C>& rule);
  static void step(const TrustElements<T>& at, const Rule<C>& rule, C by);
};

/// All rules; without its line here one does not link.
#define CHAINERXX_FOR_TRUST_RULES(DO) \
  DO(Lamb)                            \
  DO(Lars)

}  // namespace chainerxx::internal
