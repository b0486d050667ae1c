// SPDX-License-Identifier: MIT
// Device-safe. What stands where flags are set, one after the other: positions, or elements of an
// array. First the set flags of each tile are counted; when the counts are running sums, each tile
// knows where its part begins. The host's side is internal/gpu/sorting/compact.cc.
#pragma once

#include "cupyxx/internal/kernels/scan.h"

namespace cupyxx::internal::kernels {

inline constexpr int kFlagsPerThread = 16;
/// Flags of a block.
inline constexpr int kFlagTile = kScanThreads * kFlagsPerThread;

struct CompactArgs {
  const unsigned char* flags;
  i64* counts;         // of each tile; running sums for the second step
  const void* source;  // n elements; not read for positions
  void* out;
  i64 n;
};

#if defined(__CUDACC__) || defined(CUPYXX_EMULATED_DEVICE)

/// This thread's flags of a tile as four words of bytes that are 0 or 1.
struct FlagPiece {
  u32 word[kFlagsPerThread / 4];

  CUPYXX_FN void load(const CompactArgs& args) {
    const i64 begin = static_cast<i64>(blockIdx.x) * kFlagTile + threadIdx.x * kFlagsPerThread;
    const unsigned char* flags = args.flags + begin;
    if (begin + kFlagsPerThread <= args.n && reinterpret_cast<u64>(flags) % 16 == 0) {
      const auto all = *reinterpret_cast<const Vector<u32, 4>*>(flags);
#pragma unroll
      for (int k = 0; k < 4; ++k) word[k] = ones(all.at[k]);
    } else {
#pragma unroll
      for (int k = 0; k < 4; ++k) {
        word[k] = 0;
#pragma unroll
        for (int i = 0; i < 4; ++i) {
          const bool set = begin + 4 * k + i < args.n && flags[4 * k + i] != 0;
          word[k] |= static_cast<u32>(set) << (8 * i);
        }
      }
    }
  }

  CUPYXX_FN int count() const {
    int sum = 0;
#pragma unroll
    for (int k = 0; k < 4; ++k) sum += __popc(word[k]);
    return sum;
  }

 private:
  // Of each byte, whether it is not zero: what comes in from the byte above stays in the upper
  // bits.
  static CUPYXX_FN u32 ones(u32 bytes) {
    bytes |= bytes >> 4 & 0x0f0f0f0fu;
    bytes |= bytes >> 2 & 0x3f3f3f3fu;
    bytes |= bytes >> 1 & 0x7f7f7f7fu;
    return bytes & 0x01010101u;
  }
};

CUPYXX_FN void count_flags(const CompactArgs& args) {
  __shared__ int shared[kScanWarps];
  FlagPiece piece;
  piece.load(args);
  int before;
  const int total =
      join_warps<ScanSum>(of_last_lane(warp_inclusive<ScanSum>(piece.count())), shared, before);
  if (threadIdx.x == 0) args.counts[blockIdx.x] = total;
}

/// Writes elements, or with kPositions the numbers of the flags. They are gathered in shared memory
/// first, so that neighbours write neighbours.
template <class T, bool kPositions>
CUPYXX_FN void compact(const CompactArgs& args) {
  __shared__ int shared[kScanWarps];
  __shared__ ops::u16 places[kFlagTile];
  FlagPiece piece;
  piece.load(args);
  const int own = piece.count(), inclusive = warp_inclusive<ScanSum>(own);
  int before;
  const int total = join_warps<ScanSum>(of_last_lane(inclusive), shared, before);
  int to = before + inclusive - own;
#pragma unroll
  for (int i = 0; i < kFlagsPerThread; ++i) {
    if (piece.word[i / 4] >> (8 * (i % 4)) & 1u) {
      places[to++] = static_cast<ops::u16>(threadIdx.x * kFlagsPerThread + i);
    }
  }
  __syncthreads();
  const i64 begin = static_cast<i64>(blockIdx.x) * kFlagTile;
  T* const out = static_cast<T*>(args.out) + (blockIdx.x == 0 ? 0 : args.counts[blockIdx.x - 1]);
  for (int i = static_cast<int>(threadIdx.x); i < total; i += kScanThreads) {
    if constexpr (kPositions) {
      out[i] = begin + places[i];
    } else {
      out[i] = static_cast<const T*>(args.source)[begin + places[i]];
    }
  }
}

#endif

}  // namespace cupyxx::internal::kernels
