// SPDX-License-Identifier: MIT
// Device-safe. What fused attention is made of: tiles of operands in shared memory, and products of
// 16 x 16 by 16 x 8 elements on tensor cores, which a warp computes together. Each lane of it has
// of a product's 16 x 8 sums two neighbours in row lane / 4 and two in row lane / 4 + 8, in columns
// 2 (lane % 4).
#pragma once

#include "chainerxx/internal/kernels/attention_args.h"
#include "chainerxx/internal/kernels/types.h"

namespace chainerxx::internal::kernels {

#if defined(__CUDA_ARCH__)
/// The launch's shared memory; addresses in it have 32 bits.
CUPYXX_FN unsigned shared_base() {
  extern __shared__ __align__(16) char memory[];
  return static_cast<unsigned>(__cvta_generic_to_shared(memory));
}
CUPYXX_FN void sync_warp() { __syncwarp(); }

/// Starts a copy of 16 or 4 bytes into shared memory; zeros when `is_there` is false.
CUPYXX_FN void copy_16(unsigned to, const void* from, bool is_there) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to),
               "l"(__cvta_generic_to_global(from)), "r"(is_there ? 16 : 0)
               : "memory");
}
CUPYXX_FN void copy_4(unsigned to, const void* from, bool is_there) {
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(to),
               "l"(__cvta_generic_to_global(from)), "r"(is_there ? 4 : 0)
               : "memory");
}
/// Waits for the copies that this thread has started.
CUPYXX_FN void wait_for_copies() { asm volatile("cp.async.wait_all;" ::: "memory"); }

/// Four matrices of 8 x 8 elements: lane l has the address of row l % 8 of matrix l / 8 and
/// receives of each matrix two neighbours in row l / 4; transposed, two rows of column l / 4.
CUPYXX_FN void load_matrices(unsigned (&out)[4], unsigned address) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(out[0]), "=r"(out[1]), "=r"(out[2]), "=r"(out[3])
               : "r"(address)
               : "memory");
}
CUPYXX_FN void load_matrices_transposed(unsigned (&out)[4], unsigned address) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(out[0]), "=r"(out[1]), "=r"(out[2]), "=r"(out[3])
               : "r"(address)
               : "memory");
}
CUPYXX_FN void load_floats(float (&out)[2], unsigned address) {
  asm volatile("ld.shared.v2.f32 {%0, %1}, [%2];"
               : "=f"(out[0]), "=f"(out[1])
               : "r"(address)
               : "memory");
}
CUPYXX_FN void store_word(unsigned address, unsigned word) {
  asm volatile("st.shared.b32 [%0], %1;" ::"r"(address), "r"(word) : "memory");
}
/// 16 bytes from shared memory to an array.
CUPYXX_FN void write_16(void* to, unsigned from) {
  unsigned words[4];
  asm volatile("ld.shared.v4.b32 {%0, %1, %2, %3}, [%4];"
               : "=r"(words[0]), "=r"(words[1]), "=r"(words[2]), "=r"(words[3])
               : "r"(from)
               : "memory");
  asm volatile("st.global.v4.b32 [%0], {%1, %2, %3, %4};" ::"l"(__cvta_generic_to_global(to)),
               "r"(words[0]), "r"(words[1]), "r"(words[2]), "r"(words[3])
               : "memory");
}

/// sums += a b for rows of a and columns of b.
template <class T>
CUPYXX_FN void multiply_add(float (&sums)[4], const unsigned (&a)[4], unsigned b0, unsigned b1) {
  if constexpr (cupyxx::ops::is_same<T, cupyxx::half>) {
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
        "{%8, %9}, {%0, %1, %2, %3};"
        : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
  } else {
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
        "{%8, %9}, {%0, %1, %2, %3};"
        : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
  }
}

/// Two numbers rounded to T, the first one in the lower half.
template <class T>
CUPYXX_FN unsigned round_pair(float low, float high) {
  unsigned pair;
  if constexpr (cupyxx::ops::is_same<T, cupyxx::half>) {
    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(high), "f"(low));
  } else {
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(high), "f"(low));
  }
  return pair;
}

/// 2^x, to 2^-22.
CUPYXX_FN float power_of_2(float x) {
  float y;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}
#endif

#if defined(__CUDACC__)
inline constexpr int kAttentionWarps = 4;
inline constexpr int kAttentionThreads = 32 * kAttentionWarps;

/// Minus infinity.
CUPYXX_FN float hidden_score() { return cupyxx::internal::bits_float(0xff800000u); }
CUPYXX_FN int smaller(int x, int y) { return x < y ? x : y; }

/// A tile: rows of kDepth elements of two bytes with 16 bytes of padding, so that 8 rows one below
/// the other lie in different banks.
template <int kDepth>
struct AttentionTile {
  static constexpr int kPacks = kDepth / 8;
  static constexpr unsigned kStride = 2 * kDepth + 16;
  static_assert(kPacks % 2 == 0 && kAttentionThreads % kPacks == 0);

  /// Starts the copy of rows, by the whole block. Rows and columns beyond the operand are zeros.
  template <class T, int kRows>
  CUPYXX_FN static void load(unsigned tile, const T* operand, long stride, int first, int rows,
                             int depth) {
    constexpr int kStep = kAttentionThreads / kPacks;
    static_assert(kRows % kStep == 0);
    const int row = static_cast<int>(threadIdx.x) / kPacks;
    const int pack = static_cast<int>(threadIdx.x) % kPacks;
    const bool has_pack = 8 * pack < depth;
    const T* from = operand + (first + row) * stride + 8 * pack;
    const unsigned to = tile + static_cast<unsigned>(row) * kStride + 16 * pack;
#pragma unroll
    for (int i = 0; i < kRows; i += kStep) {
      const bool is_there = has_pack && first + row + i < rows;
      copy_16(to + i * kStride, is_there ? from + i * stride : operand, is_there);
    }
  }

  /// The left side of products, 16 x 16 elements of a row-major tile.
  CUPYXX_FN static void load_left(unsigned (&out)[4], unsigned tile, int row, int column) {
    const unsigned lane = threadIdx.x % 32;
    load_matrices(out, tile + (row + lane % 16) * kStride + 2 * column + lane / 16 * 16);
  }
  /// The right side of two products, whose columns are 16 rows of the tile: depth by rows. The
  /// first product takes out[0] and out[1].
  CUPYXX_FN static void load_rows(unsigned (&out)[4], unsigned tile, int row, int column) {
    const unsigned lane = threadIdx.x % 32;
    load_matrices(
        out, tile + (row + lane % 8 + lane / 16 * 8) * kStride + 2 * column + lane / 8 % 2 * 16);
  }
  /// The same with the tile as it lies: rows by depth.
  CUPYXX_FN static void load_columns(unsigned (&out)[4], unsigned tile, int row, int column) {
    const unsigned lane = threadIdx.x % 32;
    load_matrices_transposed(out, tile + (row + lane % 16) * kStride + 2 * column + lane / 16 * 16);
  }

  /// Writes sums of 16 rows to an array, through rows of a tile that this warp alone uses.
  template <class T>
  CUPYXX_FN static void store(const float (&sums)[kDepth / 8][4], float scale0, float scale1,
                              unsigned tile, T* operand, long stride, int first, int rows,
                              int depth) {
    const unsigned lane = threadIdx.x % 32;
    const unsigned at = tile + lane / 4 * kStride + 4 * (lane % 4);
    sync_warp();
#pragma unroll
    for (int n = 0; n < kDepth / 8; ++n) {
      store_word(at + 16 * n, round_pair<T>(sums[n][0] * scale0, sums[n][1] * scale0));
      store_word(at + 16 * n + 8 * kStride,
                 round_pair<T>(sums[n][2] * scale1, sums[n][3] * scale1));
    }
    sync_warp();
    constexpr int kStep = 32 / kPacks;
    const int row = static_cast<int>(lane) / kPacks, pack = static_cast<int>(lane) % kPacks;
#pragma unroll
    for (int i = 0; i < 16; i += kStep) {
      if (first + row + i < rows && 8 * pack < depth) {
        write_16(operand + (first + row + i) * stride + 8 * pack,
                 tile + (row + i) * kStride + 16 * pack);
      }
    }
  }
};

/// sums += left right over one step of 16, for 16 x (8 kColumns) sums; `load(out, n)` gives the
/// right side of columns n and n + 1.
template <class T, int kColumns, class Load>
CUPYXX_FN void multiply_step(float (&sums)[kColumns][4], const unsigned (&left)[4],
                             const Load& load) {
#pragma unroll
  for (int n = 0; n < kColumns; n += 2) {
    unsigned right[4];
    load(right, n);
    multiply_add<T>(sums[n], left, right[0], right[1]);
    multiply_add<T>(sums[n + 1], left, right[2], right[3]);
  }
}

/// Sums of a product as the left side of the next one, columns 16 `step` to 16 `step` + 15.
template <class T, int kColumns>
CUPYXX_FN void as_left(unsigned (&left)[4], const float (&sums)[kColumns][4], int step) {
  left[0] = round_pair<T>(sums[2 * step][0], sums[2 * step][1]);
  left[1] = round_pair<T>(sums[2 * step][2], sums[2 * step][3]);
  left[2] = round_pair<T>(sums[2 * step + 1][0], sums[2 * step + 1][1]);
  left[3] = round_pair<T>(sums[2 * step + 1][2], sums[2 * step + 1][3]);
}

/// Which head and which block of its rows a block of threads has, and what it may see.
struct AttentionPlace {
  long head;  // among all
  long batch_index, head_index;
  int block;

  CUPYXX_FN explicit AttentionPlace(const AttentionArgs& args)
      : head(blockIdx.x / static_cast<unsigned>(args.blocks)),
        batch_index(head / args.heads),
        head_index(head % args.heads),
        block(static_cast<int>(blockIdx.x % static_cast<unsigned>(args.blocks))) {}

  template <class T>
  CUPYXX_FN T* of(const AttentionOperand& operand) const {
    return static_cast<T*>(operand.data) + batch_index * operand.batch + head_index * operand.head;
  }
  CUPYXX_FN bool is_shown(const AttentionArgs& args, int query, int key) const {
    return args.mask[batch_index * args.mask_batch + head_index * args.mask_head +
                     query * args.mask_query + key * args.mask_key];
  }
  /// Whether dropout keeps the weight of a query and a key. Rows of weights are numbered as if
  /// their length were a multiple of four, a block of random numbers.
  CUPYXX_FN bool is_kept(const AttentionArgs& args, int query, int key) const {
    const long row = head * args.queries + query, blocks = (args.keys + 3) / 4;
    const cupyxx::random::Words words = cupyxx::random::philox_block(
        args.state, static_cast<unsigned long>(row * blocks + key / 4));
    const int lane = key % 4;
    const unsigned word =
        lane < 2 ? (lane == 0 ? words.w[0] : words.w[1]) : (lane == 2 ? words.w[2] : words.w[3]);
    return cupyxx::random::uniform_float(word) >= args.ratio;
  }
};
#endif

}  // namespace chainerxx::internal::kernels
