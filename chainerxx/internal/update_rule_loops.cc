// SPDX-License-Identifier: MIT
#include "chainerxx/internal/update_rule_loops.h"

#include "chainerxx/internal/cpu/element_types.h"

namespace chainerxx::internal {

using cupyxx::extension::Arch;
using kernels::Compute;
using kernels::kMaxStates;

template <Arch kArch, class T, template <class> class Rule>
void RuleLoop<kArch, T, Rule>::run(T* __restrict p, T* __restrict g, T* __restrict s0,
                                   T* __restrict s1, T* __restrict s2, std::int64_t n,
                                   const Rule<Compute<T>>& given) {
  using C = Compute<T>;
  constexpr kernels::Touches kTouches = Rule<C>::kTouches;
  const Rule<C> rule = given;  // which the loop does not write
  T* const states[kMaxStates] = {s0, s1, s2};
  for (std::int64_t i = 0; i < n; ++i) {
    C pv = 0, gv = 0, sv[kMaxStates] = {};
    if constexpr (kTouches.reads_param) pv = static_cast<C>(p[i]);
    if constexpr (kTouches.reads_grad) gv = static_cast<C>(g[i]);
    for (int k = 0; k < kTouches.states; ++k) sv[k] = static_cast<C>(states[k][i]);
    rule.apply(pv, gv, sv);
    if constexpr (kTouches.writes_param) p[i] = T(pv);
    if constexpr (kTouches.writes_grad) g[i] = T(gv);
    for (int k = 0; k < kTouches.states; ++k) states[k][i] = T(sv[k]);
  }
}

template <Arch kArch, class T>
double SquaresLoop<kArch, T>::run(const T* g, std::int64_t n) {
  constexpr std::int64_t kLanes = 16;  // independent sums, in a fixed order
  double sums[kLanes] = {};
  std::int64_t i = 0;
  for (; i + kLanes <= n; i += kLanes) {
    for (std::int64_t l = 0; l < kLanes; ++l) {
      const auto value = static_cast<double>(static_cast<Compute<T>>(g[i + l]));
      sums[l] += value * value;
    }
  }
  for (; i < n; ++i) {
    const auto value = static_cast<double>(static_cast<Compute<T>>(g[i]));
    sums[i % kLanes] += value * value;
  }
  double sum = 0;
  for (const double s : sums) sum += s;
  return sum;
}

#define CHAINERXX_RULE_LOOPS(Rule)                                              \
  template struct RuleLoop<Arch::CUPYXX_ARCH, cupyxx::half, kernels::Rule>;     \
  template struct RuleLoop<Arch::CUPYXX_ARCH, cupyxx::bfloat16, kernels::Rule>; \
  template struct RuleLoop<Arch::CUPYXX_ARCH, float, kernels::Rule>;            \
  template struct RuleLoop<Arch::CUPYXX_ARCH, double, kernels::Rule>;
CHAINERXX_FOR_RULES(CHAINERXX_RULE_LOOPS)
#undef CHAINERXX_RULE_LOOPS

CHAINERXX_FOR_ELEMENT_TYPES(SquaresLoop)

}  // namespace chainerxx::internal
