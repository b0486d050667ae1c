// SPDX-License-Identifier: MIT
#include "cupyxx/internal/cpu/elementwise/cast.h"

#include "cupyxx/internal/cpu/arch.h"

namespace cupyxx::internal::cpu {

template <>
const CastTable CastLoops<Arch::baseline>::table;
template <>
const CastTable CastLoops<Arch::avx2>::table;
template <>
const CastTable CastLoops<Arch::avx512>::table;

namespace {

// Contiguous complex numbers are pairs of real ones, which have the faster loops.
void narrow_complex(char* const* data, const std::int64_t* strides, std::int64_t n) {
  if (strides[0] != 8 || strides[1] != 16) {
    return complex_cast_loop(complex128, complex64)(data, strides, n);
  }
  const std::int64_t parts[] = {4, 8};
  cast_loop(float64, float32)(data, parts, 2 * n);
}

void widen_complex(char* const* data, const std::int64_t* strides, std::int64_t n) {
  if (strides[0] != 16 || strides[1] != 8) {
    return complex_cast_loop(complex64, complex128)(data, strides, n);
  }
  const std::int64_t parts[] = {8, 4};
  cast_loop(float32, float64)(data, parts, 2 * n);
}

}  // namespace

LoopFn cast_loop(dtype from, dtype to) {
  const auto i = static_cast<std::size_t>(from.code());
  const auto j = static_cast<std::size_t>(to.code());
  if (i >= dtype::kComputeCount || j >= dtype::kComputeCount) return nullptr;
  if (from == complex128 && to == complex64) return &narrow_complex;
  if (from == complex64 && to == complex128) return &widen_complex;
  if (from.is_complex() || to.is_complex()) return complex_cast_loop(from, to);
  return with_arch(arch(), [&]<Arch kArch>() { return CastLoops<kArch>::table[i][j]; });
}

}  // namespace cupyxx::internal::cpu
