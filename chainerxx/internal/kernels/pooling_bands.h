// SPDX-License-Identifier: MIT
// Device-safe. The gradient of maxima for planes that go through shared memory: a block has some
// whole planes, or a band of the rows of one. Memory sees each element once, in the order in which
// it lies. pooling.h has the same for any windows and planes.
#pragma once

#include "chainerxx/internal/kernels/pooling.h"

namespace chainerxx::internal::kernels {

/// Elements of images in a block's shared memory.
inline constexpr int kBandElements = 2048;
inline constexpr int kBandThreads = 128;
/// Windows of a thread.
inline constexpr int kBandEach = 4;
inline constexpr int kBandWindows = kBandThreads * kBandEach;

/// How planes are cut: whole ones in a block, or `bands` blocks a plane with `rows` rows each.
struct BandArgs {
  PoolingArgs pooling;
  int planes;  // of a block; 1 where there are several bands
  int bands;
  int rows;
};

#if defined(__CUDACC__)
/// The rows [first, end) of `planes` planes from `plane` on, which are all rows if these are
/// several.
struct Band {
  long plane;
  int planes, first, end;

  CUPYXX_FN explicit Band(const BandArgs& args) {
    const int block = static_cast<int>(blockIdx.x), rows = static_cast<int>(args.pooling.window.h);
    const int group = args.bands == 1 ? block : block / args.bands;
    plane = static_cast<long>(group) * args.planes;
    const long left = args.pooling.planes - plane;
    planes = left < args.planes ? static_cast<int>(left) : args.planes;
    first = (block - group * args.bands) * args.rows;
    end = first + args.rows < rows ? first + args.rows : rows;
  }
};

/// Writes neighbours from shared memory, in the type of the array.
template <class T>
CUPYXX_FN void store_band(const Compute<T>* from, int count, T* to) {
  constexpr int kWidth = kPackWidth<T>;
  const int thread = static_cast<int>(threadIdx.x);
  int done = 0;
  if (reinterpret_cast<unsigned long>(to) % 16 == 0) {
    done = count / kWidth * kWidth;
    for (int i = thread * kWidth; i < done; i += kBandThreads * kWidth) {
      Pack<T, kWidth> pack;
#pragma unroll
      for (int k = 0; k < kWidth; ++k) pack.x[k] = T(from[i + k]);
      store_pack(to, i, pack);
    }
  }
  for (int i = done + thread; i < count; i += kBandThreads) to[i] = T(from[i]);
}

/// Windows give to the places of their maxima; those that could share a place take turns, so that
/// no two threads add to one and the order of sums is always the same.
template <class T, class Place>
CUPYXX_FN void max_pooling_grad_bands(const BandArgs& args) {
  using C = Compute<T>;
  __shared__ Pack<C, 4> memory[kBandElements / 4];
  C* const sums = memory[0].x;
  const PoolingArgs& pooling = args.pooling;
  const Window& g = pooling.window;
  const int w = static_cast<int>(g.w);
  const int oh = static_cast<int>(g.oh), ow = static_cast<int>(g.ow);
  const Band band(args);
  const int rows = band.end - band.first, count = band.planes * rows * w;
  // The rows of windows that lie on the band; all of several planes, so that these are neighbours.
  const WindowRange<int> above(band.first, g.kh, g.sy, g.ph, oh);
  const WindowRange<int> below(band.end - 1, g.kh, g.sy, g.ph, oh);
  const int first = args.planes > 1 ? 0 : above.begin, end = args.planes > 1 ? oh : below.end;
  const int windows = end > first ? (end - first) * ow : 0;
  const long begin = (band.plane * oh + first) * ow;
  const T* const gy = static_cast<const T*>(pooling.pooled) + begin;
  const Place* const places = static_cast<const Place*>(pooling.places) + begin;
  const int turns_y = (g.kh + g.sy - 1) / g.sy, turns_x = (g.kw + g.sx - 1) / g.sx;
  const int thread = static_cast<int>(threadIdx.x);

  C value[kBandEach];
  int to[kBandEach], turn[kBandEach];
#pragma unroll
  for (int k = 0; k < kBandEach; ++k) {
    const int i = thread + k * kBandThreads;
    const bool exists = i < band.planes * windows;
    value[k] = exists ? static_cast<C>(gy[i]) : C(0);
    to[k] = exists ? static_cast<int>(places[i]) : nowhere<Place>();
  }
  for (int i = thread; i < (count + 3) / 4; i += kBandThreads) memory[i] = {};
#pragma unroll
  for (int k = 0; k < kBandEach; ++k) {
    const int i = thread + k * kBandThreads;
    const int plane = band.planes == 1 ? 0 : i / (oh * ow);
    const int row = (i - plane * windows) / ow, ox = i - plane * windows - row * ow;
    const int oy = first + row, ky = to[k] / g.kw, kx = to[k] - ky * g.kw;
    const int y = oy * g.sy - g.ph + ky, x = ox * g.sx - g.pw + kx;
    const bool is_here = to[k] != nowhere<Place>() && y >= band.first && y < band.end;
    turn[k] = is_here ? oy % turns_y * turns_x + ox % turns_x : -1;
    to[k] = (plane * rows + y - band.first) * w + x;
  }
  for (int now = 0; now < turns_y * turns_x; ++now) {
    __syncthreads();
#pragma unroll
    for (int k = 0; k < kBandEach; ++k) {
      if (turn[k] == now) sums[to[k]] += value[k];
    }
  }
  __syncthreads();
  store_band(
      sums, count,
      static_cast<T*>(pooling.grad) + (band.plane * g.h + band.first) * static_cast<long>(w));
}
#endif

}  // namespace chainerxx::internal::kernels
