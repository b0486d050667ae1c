// SPDX-License-Identifier: MIT
#include "cupyxx/internal/cpu/cast.h"

#include "cupyxx/internal/cpu/arch.h"

namespace cupyxx::internal::cpu {

template <>
const LoopFn CastLoops<Arch::baseline>::table[kRealCount][kRealCount];
template <>
const LoopFn CastLoops<Arch::avx2>::table[kRealCount][kRealCount];
template <>
const LoopFn CastLoops<Arch::avx512>::table[kRealCount][kRealCount];

LoopFn cast_loop(dtype from, dtype to) {
  const auto i = static_cast<int>(from.code());
  const auto j = static_cast<int>(to.code());
  if (i >= dtype::kComputeCount || j >= dtype::kComputeCount) return nullptr;
  if (from.is_complex() || to.is_complex()) return complex_cast_loop(from, to);
  return with_arch(arch(), [&]<Arch kArch>() { return CastLoops<kArch>::table[i][j]; });
}

}  // namespace cupyxx::internal::cpu
