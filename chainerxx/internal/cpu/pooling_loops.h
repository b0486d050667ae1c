// SPDX-License-Identifier: MIT
// The loops of pooling.cc that read windows, once per instruction set.
#pragma once

#include "chainerxx/internal/kernels/pooling.h"
#include "cupyxx/extension/instruction_set.h"

namespace chainerxx::internal::cpu {

/// Rows of results are worked on in blocks of so many elements, the last of which may run over the
/// end into elements that nobody reads: rows are often shorter than a vector.
inline constexpr long kPoolingBlock = 16;

CUPYXX_FN constexpr long whole_pooling_blocks(long n) {
  return (n + kPoolingBlock - 1) / kPoolingBlock * kPoolingBlock;
}

/// Planes of images; `values` and `places` are room for a row of results, whole blocks from any
/// element on. Defined for float16, bfloat16, float32 and float64.
template <cupyxx::extension::Arch kArch, class T>
struct PoolingLoops {
  using C = kernels::Compute<T>;
  using Args = kernels::PoolingArgs;
  /// The maxima of a plane and their places.
  static void max_plane(const Args& args, long plane, C* values, int* places);
  /// The sums of a plane.
  static void sum_plane(const Args& args, long plane, C* values);
};

/// Whether the only window is the whole plane.
CUPYXX_FN bool is_global(const kernels::Window& g) {
  return g.oh == 1 && g.ow == 1 && g.kh == g.h && g.kw == g.w && g.ph == 0 && g.pw == 0;
}

/// The places [begin, end) of one row of windows whose column kx lies in the image; kStride 0 reads
/// the stride at run time.
template <long kStride = 0>
struct WindowPlaces {
  long start, begin, end;
  CUPYXX_FN WindowPlaces(const kernels::Window& g, long kx) : start(kx - g.pw) {
    const long stride = kStride != 0 ? kStride : g.sx;
    begin = start >= 0 ? 0 : (-start + stride - 1) / stride;
    end = g.w > start ? (g.w - start + stride - 1) / stride : 0;
    end = end < g.ow ? end : g.ow;
    begin = begin < end ? begin : end;
  }
};

}  // namespace chainerxx::internal::cpu
