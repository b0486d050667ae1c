// SPDX-License-Identifier: MIT
// Device text, run on the host by tests. Copies between arrays that are contiguous along different
// axes: the result along x, the last axis, the source along y, the one before it. A block has a
// tile of both that goes through shared memory.
#pragma once

#include "cupyxx/internal/kernels/elementwise.h"

namespace cupyxx::internal::kernels {

/// Elements of a tile along x and y, for elements of 1, 2, 4, 8 or 16 bytes.
constexpr int transpose_side_x(int bytes) { return bytes == 2 ? 128 : bytes <= 8 ? 64 : 32; }
constexpr int transpose_side_y(int bytes) { return bytes == 1 ? 128 : bytes <= 8 ? 64 : 32; }

#if defined(__CUDACC__) || defined(CUPYXX_EMULATED_DEVICE)

// What moves as one element. Bytes in a struct would be taken apart, one register each.
template <int kBytes>
struct UnitOf {
  using type = Vector<u64, 2>;
};
template <>
struct UnitOf<1> {
  using type = ops::u8;
};
template <>
struct UnitOf<2> {
  using type = ops::u16;
};
template <>
struct UnitOf<4> {
  using type = u32;
};
template <>
struct UnitOf<8> {
  using type = u64;
};
template <int kBytes>
using Unit = typename UnitOf<kBytes>::type;

/// A tile: where its first elements are, the distances in bytes, and how much of it exists.
struct TransposeTile {
  const char* in;
  char* out;
  i64 in_x;   // the source, along x; along y elements are neighbours
  i64 out_y;  // the result, along y
  i64 nx, ny;
};

/// Any tile, element by element.
template <int kBytes>
__device__ __forceinline__ void transpose_elements(const TransposeTile& tile, char* shared) {
  using T = Unit<kBytes>;
  constexpr int kX = transpose_side_x(kBytes), kY = transpose_side_y(kBytes);
  constexpr int kRow = kY + (kBytes < 4 ? 4 / kBytes : 1);  // columns are in different banks
  constexpr int kCount = kX * kY / kBlock;
  T* const elements = reinterpret_cast<T*>(shared);
  {
    constexpr int kStep = kBlock / kY;
    const int y = static_cast<int>(threadIdx.x) % kY, first = static_cast<int>(threadIdx.x) / kY;
    T value[kCount];
#pragma unroll
    for (int j = 0; j < kCount; ++j) {
      const int x = first + j * kStep;
      if (x < tile.nx && y < tile.ny) {
        value[j] = *reinterpret_cast<const T*>(tile.in + x * tile.in_x + y * kBytes);
      }
    }
#pragma unroll
    for (int j = 0; j < kCount; ++j) elements[(first + j * kStep) * kRow + y] = value[j];
  }
  __syncthreads();
  constexpr int kStep = kBlock / kX;
  const int x = static_cast<int>(threadIdx.x) % kX, first = static_cast<int>(threadIdx.x) / kX;
#pragma unroll
  for (int j = 0; j < kCount; ++j) {
    const int y = first + j * kStep;
    if (x < tile.nx && y < tile.ny) {
      *reinterpret_cast<T*>(tile.out + y * tile.out_y + x * kBytes) = elements[x * kRow + y];
    }
  }
}

/// Words of kP elements each, in a square: word i holds row i; afterwards column i.
template <int kP>
__device__ __forceinline__ void transpose_words(u32 (&w)[kP]) {
  if constexpr (kP == 2) {
    const u32 low = __byte_perm(w[0], w[1], 0x5410), high = __byte_perm(w[0], w[1], 0x7632);
    w[0] = low;
    w[1] = high;
  } else {
    const u32 a = __byte_perm(w[0], w[1], 0x5140), b = __byte_perm(w[0], w[1], 0x7362);
    const u32 c = __byte_perm(w[2], w[3], 0x5140), d = __byte_perm(w[2], w[3], 0x7362);
    w[0] = __byte_perm(a, c, 0x5410);
    w[1] = __byte_perm(a, c, 0x7632);
    w[2] = __byte_perm(b, d, 0x5410);
    w[3] = __byte_perm(b, d, 0x7632);
  }
}

/// A whole tile of 1- or 2-byte elements, aligned to words. Threads turn small squares in
/// registers, so that memory and shared memory see words only.
template <int kBytes>
__device__ __forceinline__ void transpose_packed(const TransposeTile& tile, char* shared) {
  constexpr int kP = 4 / kBytes;
  constexpr int kX = transpose_side_x(kBytes) / kP, kY = transpose_side_y(kBytes) / kP;
  constexpr int kCount = kX * kY / kBlock;
  u32(*const words)[kX + 1] = reinterpret_cast<u32(*)[kX + 1]>(shared);
  {
    constexpr int kStep = kBlock / kY;
    const int y = static_cast<int>(threadIdx.x) % kY, first = static_cast<int>(threadIdx.x) / kY;
    u32 value[kCount][kP];
#pragma unroll
    for (int j = 0; j < kCount; ++j) {
#pragma unroll
      for (int i = 0; i < kP; ++i) {
        const char* row = tile.in + ((first + j * kStep) * kP + i) * tile.in_x;
        value[j][i] = reinterpret_cast<const u32*>(row)[y];
      }
    }
#pragma unroll
    for (int j = 0; j < kCount; ++j) {
      transpose_words<kP>(value[j]);
#pragma unroll
      for (int i = 0; i < kP; ++i) words[y * kP + i][first + j * kStep] = value[j][i];
    }
  }
  __syncthreads();
  constexpr int kStep = kBlock / kX;
  const int x = static_cast<int>(threadIdx.x) % kX, first = static_cast<int>(threadIdx.x) / kX;
#pragma unroll
  for (int j = 0; j < kCount * kP; ++j) {
    const int y = first + j * kStep;
    reinterpret_cast<u32*>(tile.out + y * tile.out_y)[x] = words[y][x];
  }
}

/// A whole tile of 4- or 8-byte elements, aligned to 16 bytes: memory sees accesses of 16 bytes.
template <class T>
__device__ __forceinline__ void transpose_vectors(const TransposeTile& tile, char* shared) {
  constexpr int kBytes = sizeof(T), kSide = transpose_side_x(kBytes);
  constexpr int kP = 16 / kBytes, kVectors = kSide / kP;
  constexpr int kStep = kBlock / kVectors, kCount = kSide / kStep;
  static_assert(kSide == transpose_side_y(kBytes));
  T(*const elements)[kSide + 1] = reinterpret_cast<T(*)[kSide + 1]>(shared);
  const int vector = static_cast<int>(threadIdx.x) % kVectors;
  const int first = static_cast<int>(threadIdx.x) / kVectors;
  Vector<T, kP> value[kCount];
#pragma unroll
  for (int j = 0; j < kCount; ++j) {
    const char* row = tile.in + (first + j * kStep) * tile.in_x;
    value[j] = reinterpret_cast<const Vector<T, kP>*>(row)[vector];
  }
#pragma unroll
  for (int j = 0; j < kCount; ++j) {
#pragma unroll
    for (int i = 0; i < kP; ++i) elements[first + j * kStep][vector * kP + i] = value[j].at[i];
  }
  __syncthreads();
#pragma unroll
  for (int j = 0; j < kCount; ++j) {
    const int y = first + j * kStep;
    Vector<T, kP> line;
#pragma unroll
    for (int i = 0; i < kP; ++i) line.at[i] = elements[vector * kP + i][y];
    reinterpret_cast<Vector<T, kP>*>(tile.out + y * tile.out_y)[vector] = line;
  }
}

/// data[0] is the result, data[1] the source; the dividers of the two last axes are their numbers
/// of tiles.
template <int kBytes, int kRank>
__device__ __forceinline__ void transpose(const StridedArgs<kRank>& args) {
  constexpr int kX = transpose_side_x(kBytes), kY = transpose_side_y(kBytes);
  constexpr int kWords = (kX + 4) * (kY + 4) * kBytes / 16 + 1;
  __shared__ Vector<u32, 4> shared[kWords];
  u32 rest = blockIdx.x;
  u32 quotient = divide(rest, args.divider[kRank - 2]);
  const i64 y = static_cast<i64>(rest - quotient * args.divider[kRank - 2].divisor) * kY;
  rest = quotient;
  quotient = divide(rest, args.divider[kRank - 1]);
  const i64 x = static_cast<i64>(rest - quotient * args.divider[kRank - 1].divisor) * kX;
  rest = quotient;
  TransposeTile tile;
  tile.in_x = args.stride[1][kRank - 1];
  tile.out_y = args.stride[0][kRank - 2];
  tile.in = args.data[1] + x * tile.in_x + y * kBytes;
  tile.out = args.data[0] + x * kBytes + y * tile.out_y;
  tile.nx = args.extent[kRank - 1] - x;
  tile.ny = args.extent[kRank - 2] - y;
#pragma unroll 1
  for (int axis = kRank - 3; axis >= 0; --axis) {
    quotient = divide(rest, args.divider[axis]);
    const i64 at = rest - quotient * args.divider[axis].divisor;
    tile.in += at * args.stride[1][axis];
    tile.out += at * args.stride[0][axis];
    rest = quotient;
  }
  char* const memory = reinterpret_cast<char*>(shared);
  if constexpr (kBytes <= 8) {
    constexpr u64 kAligned = kBytes >= 4 ? 16 : 4;
    const u64 bits = reinterpret_cast<u64>(tile.in) | reinterpret_cast<u64>(tile.out) |
                     static_cast<u64>(tile.in_x) | static_cast<u64>(tile.out_y);
    if (tile.nx >= kX && tile.ny >= kY && bits % kAligned == 0) {
      if constexpr (kBytes >= 4) {
        transpose_vectors<Unit<kBytes>>(tile, memory);
      } else {
        transpose_packed<kBytes>(tile, memory);
      }
      return;
    }
  }
  transpose_elements<kBytes>(tile, memory);
}

#endif

}  // namespace cupyxx::internal::kernels
