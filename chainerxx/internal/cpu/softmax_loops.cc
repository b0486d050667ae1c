// SPDX-License-Identifier: MIT
#include "chainerxx/internal/cpu/softmax_loops.h"

#include "chainerxx/internal/cpu/element_types.h"

namespace chainerxx::internal::cpu {

using cupyxx::extension::Arch;

template <Arch kArch, class T>
void SoftmaxLoops<kArch, T>::exponentials(const T* __restrict x, C* __restrict e,
                                          std::int64_t classes, std::int64_t inner, C max) {
  namespace m = kernels::m;
  if (inner == 1) {
#pragma omp simd
    for (std::int64_t c = 0; c < classes; ++c) e[c] = m::exp(static_cast<C>(x[c]) - max);
    return;
  }
  for (std::int64_t c = 0; c < classes; ++c) e[c] = m::exp(static_cast<C>(x[c * inner]) - max);
}

template <Arch kArch, class T>
auto SoftmaxLoops<kArch, T>::sum_of(const C* values, std::int64_t n) -> C {
  constexpr std::int64_t kLanes = 8;
  C lanes[kLanes] = {};
  std::int64_t i = 0;
  for (; i + kLanes <= n; i += kLanes) {
    for (std::int64_t l = 0; l < kLanes; ++l) lanes[l] += values[i + l];
  }
  C sum = 0;
  for (; i < n; ++i) sum += values[i];
  for (const C lane : lanes) sum += lane;
  return sum;
}

CHAINERXX_FOR_ELEMENT_TYPES(SoftmaxLoops)

}  // namespace chainerxx::internal::cpu
