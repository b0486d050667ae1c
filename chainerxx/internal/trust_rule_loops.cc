// SPDX-License-Identifier: MIT
#include "chainerxx/internal/trust_rule_loops.h"

#include <algorithm>

namespace chainerxx::internal {

using cupyxx::extension::Arch;
using kernels::Compute;

namespace {

constexpr std::int64_t kBlock = 512, kLanes = 16;

/// The sum of n squares in independent sums, n a multiple of kLanes.
template <class C>
double sum_of_squares(const C* values, std::int64_t n) {
  double sums[kLanes] = {};
  for (std::int64_t i = 0; i < n; i += kLanes) {
    for (std::int64_t l = 0; l < kLanes; ++l) {
      const auto value = static_cast<double>(values[i + l]);
      sums[l] += value * value;
    }
  }
  double sum = 0;
  for (const double s : sums) sum += s;
  return sum;
}

}  // namespace

template <Arch kArch, class T, template <class> class Rule>
TrustSums TrustLoop<kArch, T, Rule>::norms(const TrustElements<T>& at, const Rule<C>& given) {
  const Rule<C> rule = given;  // which the loop does not write
  const T* __restrict const p = at.p;
  const T* __restrict const g = at.g;
  C* __restrict const s0 = at.s0;
  C* __restrict const s1 = at.s1;
  TrustSums sums;
  for (std::int64_t begin = 0; begin < at.n; begin += kBlock) {
    const std::int64_t n = std::min(kBlock, at.n - begin),
                       whole = (n + kLanes - 1) / kLanes * kLanes;
    C values[kBlock], steps[kBlock];
    for (std::int64_t k = n; k < whole; ++k) values[k] = steps[k] = 0;
    for (std::int64_t k = 0; k < n; ++k) {
      const std::int64_t i = begin + k;
      C s[2] = {};
      if constexpr (Rule<C>::kPrepare.reads_states) {
        s[0] = s0[i];
        if constexpr (Rule<C>::kStates > 1) s[1] = s1[i];
      }
      values[k] = static_cast<C>(p[i]);
      steps[k] = rule.prepare(values[k], static_cast<C>(g[i]), s);
      if constexpr (Rule<C>::kPrepare.writes_states) {
        s0[i] = s[0];
        if constexpr (Rule<C>::kStates > 1) s1[i] = s[1];
      }
    }
    sums.of_p += sum_of_squares(values, whole);
    sums.of_step += sum_of_squares(steps, whole);
  }
  return sums;
}

template <Arch kArch, class T, template <class> class Rule>
void TrustLoop<kArch, T, Rule>::step(const TrustElements<T>& at, const Rule<C>& given, C by) {
  const Rule<C> rule = given;
  T* __restrict const p = at.p;
  const T* __restrict const g = at.g;
  C* __restrict const s0 = at.s0;
  C* __restrict const s1 = at.s1;
  for (std::int64_t i = 0; i < at.n; ++i) {
    C pv = static_cast<C>(p[i]), gv = 0, s[2] = {s0[i], 0};
    if constexpr (Rule<C>::kApply.reads_grad) gv = static_cast<C>(g[i]);
    if constexpr (Rule<C>::kStates > 1) s[1] = s1[i];
    rule.apply(pv, gv, s, by);
    p[i] = T(pv);
    if constexpr (Rule<C>::kApply.writes_states) {
      s0[i] = s[0];
      if constexpr (Rule<C>::kStates > 1) s1[i] = s[1];
    }
  }
}

#define CHAINERXX_TRUST_LOOPS(Rule)                                              \
  template struct TrustLoop<Arch::CUPYXX_ARCH, cupyxx::half, kernels::Rule>;     \
  template struct TrustLoop<Arch::CUPYXX_ARCH, cupyxx::bfloat16, kernels::Rule>; \
  template struct TrustLoop<Arch::CUPYXX_ARCH, float, kernels::Rule>;            \
  template struct TrustLoop<Arch::CUPYXX_ARCH, double, kernels::Rule>;
CHAINERXX_FOR_TRUST_RULES(CHAINERXX_TRUST_LOOPS)
#undef CHAINERXX_TRUST_LOOPS

}  // namespace chainerxx::internal
