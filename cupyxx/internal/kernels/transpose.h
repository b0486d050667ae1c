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

// Large arrays of bytes go by larger tiles.
inline constexpr int kLargeSideX = 256, kLargeSideY = 128;
inline constexpr int kLargeBlock = 512;

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
template <int kBytes, int kX, int kY, int kThreads>
__device__ __forceinline__ void transpose_elements(const TransposeTile& tile, char* shared) {
  using T = Unit<kBytes>;
  constexpr int kRow = kY + (kBytes < 4 ? 4 / kBytes : 1);  // columns are in different banks
  constexpr int kCount = kX * kY / kThreads;
  T* const elements = reinterpret_cast<T*>(shared);
  {
    constexpr int kStep = kThreads / kY;
    constexpr int kAtOnce = kCount <= 32 ? kCount : 16;
    const int y = static_cast<int>(threadIdx.x) % kY, first = static_cast<int>(threadIdx.x) / kY;
#pragma unroll 1
    for (int from = 0; from < kCount; from += kAtOnce) {
      T value[kAtOnce];
#pragma unroll
      for (int j = 0; j < kAtOnce; ++j) {
        const int x = first + (from + j) * kStep;
        if (x < tile.nx && y < tile.ny) {
          value[j] = *reinterpret_cast<const T*>(tile.in + x * tile.in_x + y * kBytes);
        }
      }
#pragma unroll
      for (int j = 0; j < kAtOnce; ++j)
        elements[(first + (from + j) * kStep) * kRow + y] = value[j];
    }
  }
  __syncthreads();
  constexpr int kStep = kThreads / kX;
  const int x = static_cast<int>(threadIdx.x) % kX, first = static_cast<int>(threadIdx.x) / kX;
#pragma unroll kCount <= 32 ? kCount : 16
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
  auto* const words = reinterpret_cast<u32(*)[kX + 1]>(shared);
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
  auto* const elements = reinterpret_cast<T(*)[kSide + 1]>(shared);
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

/// Where a word of the row of a large tile stands in shared memory: rows are turned by four words
/// for each 16 bytes of the source, so that the threads of a warp meet in no bank when they write
/// words below each other or read rows by vectors.
__device__ __forceinline__ int large_column(int word, int vector) {
  return (word & ~31) | ((word + 4 * vector) & 31);
}

/// A whole large tile, aligned to 16 bytes: memory sees accesses of 16 bytes, of four neighbouring
/// rows of the source by each thread, which turns them in registers.
__device__ __forceinline__ void transpose_large(const TransposeTile& tile, char* shared) {
  constexpr int kP = 4, kWords = kLargeSideX / kP;                       // of a row of the result
  constexpr int kVectors = kLargeSideY / 16, kWarps = kLargeBlock / 32;  // of the source
  constexpr int kCount = kWords * kVectors / kLargeBlock;
  // A warp has 8 vectors along y and 4 words along x.
  static_assert(kVectors == 8 && kWords % (4 * kWarps * kCount) == 0);
  using Four = Vector<u32, 4>;
  u32* const words = reinterpret_cast<u32*>(shared);
  const int thread = static_cast<int>(threadIdx.x);
  const int vector = thread % kVectors, first = thread / kVectors;
  Four value[kCount][kP];
#pragma unroll
  for (int j = 0; j < kCount; ++j) {
    const int word = first + j * (kLargeBlock / kVectors);
#pragma unroll
    for (int i = 0; i < kP; ++i) {
      const char* row = tile.in + (word * kP + i) * tile.in_x;
      value[j][i] = reinterpret_cast<const Four*>(row)[vector];
    }
  }
#pragma unroll
  for (int j = 0; j < kCount; ++j) {
    const int column = large_column(first + j * (kLargeBlock / kVectors), vector);
#pragma unroll
    for (int q = 0; q < 4; ++q) {
      u32 square[kP];
#pragma unroll
      for (int i = 0; i < kP; ++i) square[i] = value[j][i].at[q];
      transpose_words<kP>(square);
#pragma unroll
      for (int i = 0; i < kP; ++i) {
        words[(vector * 16 + q * kP + i) * kWords + column] = square[i];
      }
    }
  }
  __syncthreads();
  constexpr int kAcross = kWords / 4, kStep = kLargeBlock / kAcross;
  const int word = thread % kAcross * 4;
#pragma unroll
  for (int j = 0; j < kLargeSideY / kStep; ++j) {
    const int y = thread / kAcross + j * kStep;
    *reinterpret_cast<Four*>(tile.out + y * tile.out_y + word * kP) =
        *reinterpret_cast<const Four*>(words + y * kWords + large_column(word, y / 16));
  }
}

/// The tile of a block. data[0] is the result, data[1] the source; the dividers of the two last
/// axes are their numbers of tiles.
template <int kBytes, int kX, int kY, int kRank>
__device__ __forceinline__ TransposeTile transpose_tile(const StridedArgs<kRank>& args) {
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
  return tile;
}

/// Whether all of a tile exists and its rows are aligned.
template <int kX, int kY>
__device__ __forceinline__ bool is_whole(const TransposeTile& tile, u64 alignment) {
  const u64 bits = reinterpret_cast<u64>(tile.in) | reinterpret_cast<u64>(tile.out) |
                   static_cast<u64>(tile.in_x) | static_cast<u64>(tile.out_y);
  return tile.nx >= kX && tile.ny >= kY && bits % alignment == 0;
}

template <int kBytes, int kRank>
__device__ __forceinline__ void transpose(const StridedArgs<kRank>& args) {
  constexpr int kX = transpose_side_x(kBytes), kY = transpose_side_y(kBytes);
  constexpr int kWords = (kX + 4) * (kY + 4) * kBytes / 16 + 1;
  __shared__ Vector<u32, 4> shared[kWords];
  char* const memory = reinterpret_cast<char*>(shared);
  const TransposeTile tile = transpose_tile<kBytes, kX, kY>(args);
  if constexpr (kBytes <= 8) {
    if (is_whole<kX, kY>(tile, kBytes >= 4 ? 16 : 4)) {
      if constexpr (kBytes >= 4) {
        transpose_vectors<Unit<kBytes>>(tile, memory);
      } else {
        transpose_packed<kBytes>(tile, memory);
      }
      return;
    }
  }
  transpose_elements<kBytes, kX, kY, kBlock>(tile, memory);
}

/// The same of bytes by large tiles; blocks have kLargeBlock threads.
template <int kRank>
__device__ __forceinline__ void transpose_bytes_large(const StridedArgs<kRank>& args) {
  __shared__ Vector<u32, 4> shared[kLargeSideX * (kLargeSideY + 4) / 16];
  char* const memory = reinterpret_cast<char*>(shared);
  const TransposeTile tile = transpose_tile<1, kLargeSideX, kLargeSideY>(args);
  if (is_whole<kLargeSideX, kLargeSideY>(tile, 16)) return transpose_large(tile, memory);
  transpose_elements<1, kLargeSideX, kLargeSideY, kLargeBlock>(tile, memory);
}

#endif

}  // namespace cupyxx::internal::kernels
