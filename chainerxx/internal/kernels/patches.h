// SPDX-License-Identifier: MIT
// Device-safe. The elements of an image under each place of a window as a row of a matrix.
#pragma once

#include "chainerxx/internal/kernels/pack.h"
#include "chainerxx/internal/kernels/staged_row.h"
#include "chainerxx/internal/kernels/windows.h"

namespace chainerxx::internal::kernels {

struct PatchesArgs {
  const void* from;  // (n, channels, h, w) with these strides, in elements
  void* to;          // (n * oh * ow, width): channel by channel, rows of the window, zeros behind
  long image, channel, line, pixel;
  long rows;
  int channels;
  int width;  // a multiple of 16 bytes
  Window window;
};

/// The elements that the windows of one line of places see of a line of the image.
CUPYXX_FN constexpr long patch_line(const Window& g) {
  return (g.ow - 1) * g.sx + static_cast<long>(g.kw - 1) * g.dx + 1;
}
/// The shared memory of patches_by_lines, in bytes.
CUPYXX_FN constexpr long patch_bytes(const PatchesArgs& args, long itemsize) {
  return args.width * 4L + args.channels * args.window.kh * patch_line(args.window) * itemsize;
}

#if defined(__CUDACC__)
/// A block takes a line of places: the lines of the image under their windows lie in shared memory,
/// zeros beyond the ends, and beside them where each column of a patch is found there. What a block
/// writes is one piece.
template <class T>
CUPYXX_FN void patches_by_lines(const PatchesArgs& args) {
  constexpr int kUnit = sizeof(T) < 4 ? 4 / static_cast<int>(sizeof(T)) : 1;
  const Window& g = args.window;
  const int line = static_cast<int>(patch_line(g)), lines = args.channels * g.kh;
  const int width = args.width, threads = static_cast<int>(blockDim.x);
  int* const places = shared_memory<int>();
  T* const staged = reinterpret_cast<T*>(places + width);
  const long image = blockIdx.x / g.oh, oy = blockIdx.x % g.oh;
  for (int j = static_cast<int>(threadIdx.x); j < width; j += threads) {
    const int l = j / g.kw;
    places[j] = l < lines ? l * line + (j - l * g.kw) * g.dx : -1;
  }
  const int warp = static_cast<int>(threadIdx.x) / 32, lane = static_cast<int>(threadIdx.x) % 32;
  for (int l = warp; l < lines; l += threads / 32) {
    const int channel = l / g.kh;
    const long y = oy * g.sy - g.ph + static_cast<long>(l - channel * g.kh) * g.dy;
    const T* const from = static_cast<const T*>(args.from) + image * args.image +
                          channel * args.channel + y * args.line;
    const bool is_inside = y >= 0 && y < g.h;
    for (int i = lane; i < line; i += 32) {
      const long x = i - g.pw;
      staged[l * line + i] =
          is_inside && x >= 0 && x < g.w ? from[x * args.pixel] : T(Compute<T>(0));
    }
  }
  __syncthreads();
  T* const to = static_cast<T*>(args.to) + blockIdx.x * g.ow * width;
  const int count = static_cast<int>(g.ow) * width;
  int j = static_cast<int>(threadIdx.x) * kUnit, shift = 0;
#pragma unroll 4
  for (int i = j; i < count; i += threads * kUnit) {
    while (j >= width) {
      j -= width;
      shift += g.sx;
    }
    Pack<T, kUnit> unit;
#pragma unroll
    for (int k = 0; k < kUnit; ++k) {
      const int place = places[j + k];
      unit.x[k] = place >= 0 ? staged[place + shift] : T(Compute<T>(0));
    }
    store_pack(to, i, unit);
    j += threads * kUnit;
  }
}

/// A thread per 16 bytes of the result; Int is as narrow as their number allows.
template <class Int, class T>
CUPYXX_FN void patches_of(const PatchesArgs& args) {
  constexpr int kWidth = kPackWidth<T>;
  const Window& g = args.window;
  const T* const from = static_cast<const T*>(args.from);
  const Int packs = args.width / kWidth, ow = g.ow, oh = g.oh;
  const Int count = static_cast<Int>(args.rows) * packs;
  for (Int i = global_thread(); i < count; i += global_threads()) {
    const Int row = i / packs;
    const int first = static_cast<int>(i - row * packs) * kWidth;
    const Int line = row / ow, ox = row - line * ow;
    const Int image = line / oh, oy = line - image * oh;
    int channel = first / (g.kh * g.kw);
    const int rest = first - channel * g.kh * g.kw;
    int ky = rest / g.kw, kx = rest - ky * g.kw;
    const long top = static_cast<long>(oy) * g.sy - g.ph,
               left = static_cast<long>(ox) * g.sx - g.pw;
    Pack<T, kWidth> pack;
#pragma unroll
    for (int k = 0; k < kWidth; ++k) {
      const long y = top + ky * g.dy, x = left + kx * g.dx;
      const bool is_inside = channel < args.channels && y >= 0 && y < g.h && x >= 0 && x < g.w;
      pack.x[k] =
          is_inside
              ? from[image * args.image + channel * args.channel + y * args.line + x * args.pixel]
              : T(Compute<T>(0));
      if (++kx < g.kw) continue;
      kx = 0;
      if (++ky < g.kh) continue;
      ky = 0;
      ++channel;
    }
    store_pack(args.to, static_cast<long>(row) * args.width + first, pack);
  }
}

template <class T>
CUPYXX_FN void patches(const PatchesArgs& args) {
  constexpr long kMost = 0x7fffffff;
  if (args.rows * (args.width / kPackWidth<T>) <= kMost - global_threads()) {
    patches_of<int, T>(args);
  } else {
    patches_of<long, T>(args);
  }
}
#endif

}  // namespace chainerxx::internal::kernels
