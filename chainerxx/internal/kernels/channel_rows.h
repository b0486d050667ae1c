// SPDX-License-Identifier: MIT
// Device-safe. Matrices whose columns are channels: (n, c), and images that lie channels last, one
// row a pixel. Neighbouring threads take neighbouring channels, kWidth each, so that a warp reads
// whole sectors of a row; those of a block's y axis and the blocks of the grid's x axis take rows.
#pragma once

#include "chainerxx/internal/kernels/pack.h"

namespace chainerxx::internal::kernels {

#if defined(__CUDACC__)
/// The first channel of a thread, and its first row.
template <int kWidth>
CUPYXX_FN long first_channel() {
  return (static_cast<long>(blockIdx.y) * blockDim.x + threadIdx.x) * kWidth;
}
CUPYXX_FN long first_row() { return static_cast<long>(blockIdx.x) * blockDim.y + threadIdx.y; }

/// The same kWidth channels, from c on, of kRows rows `step` apart. kWhole: all of the rows exist;
/// kBackwards: rows are counted from the last one.
template <int kRows, bool kWhole, bool kBackwards>
struct Strip {
  long first, step, rows, channels, c;

  CUPYXX_FN bool has(int k) const { return kWhole || first + k * step < rows; }
  /// The first element of row k.
  CUPYXX_FN long at(int k) const {
    const long row = first + k * step;
    return (kBackwards ? rows - 1 - row : row) * channels + c;
  }
};

/// Calls `body(strip)` for all rows of a thread, kRows at a time; only the last strip may lack
/// rows.
template <int kRows, bool kBackwards, class Body>
CUPYXX_FN void for_strips(long rows, long channels, long step, long c, Body&& body) {
  long o = first_row();
#pragma unroll 1
  for (; o + (kRows - 1) * step < rows; o += kRows * step) {
    body(Strip<kRows, true, kBackwards>{o, step, rows, channels, c});
  }
  if (o < rows) body(Strip<kRows, false, kBackwards>{o, step, rows, channels, c});
}

/// What a thread has of a strip, loaded at once.
template <class T, int kWidth, int kRows>
struct RowPacks {
  Pack<T, kWidth> row[kRows];

  template <class Strip>
  CUPYXX_FN RowPacks(const void* from, const Strip& strip) {
#pragma unroll
    for (int k = 0; k < kRows; ++k) {
      row[k] = {};
      if (strip.has(k)) row[k] = pack_at<T, kWidth>(from, strip.at(k));
    }
  }
  /// Calls `body(k, i)` for row k and channel i of those that exist.
  template <class Strip, class Body>
  static CUPYXX_FN void for_each(const Strip& strip, Body&& body) {
#pragma unroll
    for (int k = 0; k < kRows; ++k) {
      if (!strip.has(k)) continue;
#pragma unroll
      for (int i = 0; i < kWidth; ++i) body(k, i);
    }
  }
  template <class Strip>
  CUPYXX_FN void store(void* to, const Strip& strip) const {
#pragma unroll
    for (int k = 0; k < kRows; ++k) {
      if (strip.has(k)) store_pack(to, strip.at(k), row[k]);
    }
  }
};

/// Sums that each thread of a block has of its channels, kSums of each channel, in shared memory:
/// what it adds from time to time does not wait in registers. Blocks have at most 256 threads.
template <int kWidth, int kSums>
struct BlockSums {
  double part[kSums][kWidth][256];

  CUPYXX_FN void clear() {
    for (int s = 0; s < kSums; ++s) {
      for (int i = 0; i < kWidth; ++i) part[s][i][thread()] = 0;
    }
  }
  /// Adds to the thread's own sums and clears what was added.
  template <class C>
  CUPYXX_FN void take(int which, C (&own)[kWidth]) {
#pragma unroll
    for (int i = 0; i < kWidth; ++i) {
      part[which][i][thread()] += static_cast<double>(own[i]);
      own[i] = 0;
    }
  }
  /// Adds up each channel's in a fixed order and calls `store(channel, sums)` in one thread each,
  /// for channels beyond the last one, too.
  template <class Store>
  CUPYXX_FN void finish(Store&& store) const {
    __syncthreads();
    const int across = static_cast<int>(blockDim.x), down = static_cast<int>(blockDim.y);
    for (int column = thread(); column < across * kWidth; column += across * down) {
      const int lane = column % across, i = column / across;
      double sums[kSums] = {};
#pragma unroll 4
      for (int k = 0; k < down; ++k) {
        for (int s = 0; s < kSums; ++s) sums[s] += part[s][i][k * across + lane];
      }
      store((static_cast<long>(blockIdx.y) * across + lane) * kWidth + i, sums);
    }
  }

 private:
  static CUPYXX_FN int thread() { return static_cast<int>(threadIdx.y * blockDim.x + threadIdx.x); }
};

/// Rows that are summed in the elements' precision.
inline constexpr int kRowsPerSum = 64;
#endif

}  // namespace chainerxx::internal::kernels
