// SPDX-License-Identifier: MIT
// Device-safe. What fused attention is made of: tiles of operands in shared memory, and products on
// tensor cores, which a warp computes together: 16 x 16 by 16 x 8 elements of 16 bits, 16 x 8 by 8
// x 8 of float, of which TF32's bits are read. Each lane has of a product's 16 x 8 sums two
// neighbours in row lane / 4 and two in row lane / 4 + 8, in columns 2 (lane % 4).
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
CUPYXX_FN unsigned load_word(unsigned address) {
  unsigned word;
  asm volatile("ld.shared.b32 %0, [%1];" : "=r"(word) : "r"(address) : "memory");
  return word;
}
CUPYXX_FN void store_word(unsigned address, unsigned word) {
  asm volatile("st.shared.b32 [%0], %1;" ::"r"(address), "r"(word) : "memory");
}
CUPYXX_FN void load_words(unsigned (&words)[4], unsigned address) {
  asm volatile("ld.shared.v4.b32 {%0, %1, %2, %3}, [%4];"
               : "=r"(words[0]), "=r"(words[1]), "=r"(words[2]), "=r"(words[3])
               : "r"(address)
               : "memory");
}
CUPYXX_FN void store_words(unsigned address, const unsigned (&words)[4]) {
  asm volatile("st.shared.v4.b32 [%0], {%1, %2, %3, %4};" ::"r"(address), "r"(words[0]),
               "r"(words[1]), "r"(words[2]), "r"(words[3])
               : "memory");
}
/// 16 bytes from shared memory to an array.
CUPYXX_FN void write_16(void* to, unsigned from) {
  unsigned words[4];
  load_words(words, from);
  asm volatile("st.global.v4.b32 [%0], {%1, %2, %3, %4};" ::"l"(__cvta_generic_to_global(to)),
               "r"(words[0]), "r"(words[1]), "r"(words[2]), "r"(words[3])
               : "memory");
}

/// sums += a b for rows of a and columns of b.
template <class T>
CUPYXX_FN void multiply_add(float (&sums)[4], const unsigned (&a)[4], unsigned b0, unsigned b1) {
  if constexpr (cupyxx::ops::is_same<T, float>) {
    asm volatile(
        "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
        "{%8, %9}, {%0, %1, %2, %3};"
        : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
  } else if constexpr (cupyxx::ops::is_same<T, cupyxx::half>) {
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

/// The bits of a number rounded to TF32's, of which products would cut off what they do not read.
CUPYXX_FN unsigned round_tf32(float x) {
  unsigned bits;
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(bits) : "f"(x));
  return bits;
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

/// Elements that one product takes: 32 bytes of a row.
template <class T>
inline constexpr int kAttentionStep = 32 / static_cast<int>(sizeof(T));

/// Which kernels there are; those for a depth of 64 serve shallower heads of float, too.
template <class T, int kDepth>
inline constexpr bool kHasAttention = sizeof(T) == 2 ||
                                      (cupyxx::ops::is_same<T, float> && kDepth >= 64);

/// A tile: rows of kDepth elements with 16 bytes of padding, so that 8 rows one below the other lie
/// in different banks.
template <class T, int kDepth>
struct AttentionTile {
  static constexpr int kWide = 16 / static_cast<int>(sizeof(T));  // elements of a pack
  static constexpr int kPacks = kDepth / kWide;
  static constexpr unsigned kSize = sizeof(T);
  static constexpr unsigned kStride = kSize * kDepth + 16;
  static constexpr bool kIsFloat = cupyxx::ops::is_same<T, float>;
  static_assert(kPacks % 2 == 0 && kAttentionThreads % kPacks == 0);

  /// What a thread copies of a tile: a pack of every kOwnStep-th row.
  static constexpr int kOwnStep = kAttentionThreads / kPacks;
  CUPYXX_FN static int own_row() { return static_cast<int>(threadIdx.x) / kPacks; }
  CUPYXX_FN static int own_pack() { return static_cast<int>(threadIdx.x) % kPacks; }
  CUPYXX_FN static unsigned own_place(unsigned tile) {
    return tile + static_cast<unsigned>(own_row()) * kStride +
           16 * static_cast<unsigned>(own_pack());
  }

  /// Starts the copy of rows, by the whole block. Rows and columns beyond the operand are zeros.
  template <int kRows>
  CUPYXX_FN static void load(unsigned tile, const T* operand, long stride, int first, int rows,
                             int depth) {
    static_assert(kRows % kOwnStep == 0);
    const int row = own_row(), pack = own_pack();
    const bool has_pack = kWide * pack < depth;
    const T* from = operand + (first + row) * stride + kWide * pack;
    const unsigned to = own_place(tile);
#pragma unroll
    for (int i = 0; i < kRows; i += kOwnStep) {
      const bool is_there = has_pack && first + row + i < rows;
      copy_16(to + i * kStride, is_there ? from + i * stride : operand, is_there);
    }
  }

  /// Once the copies are waited for, rounds to TF32 what this thread has copied of float; the block
  /// must meet before others read it.
  template <int kRows>
  CUPYXX_FN static void round(unsigned tile) {
    if constexpr (kIsFloat) {
#pragma unroll
      for (int i = 0; i < kRows; i += kOwnStep) {
        unsigned words[4];
        load_words(words, own_place(tile) + i * kStride);
#pragma unroll
        for (unsigned& word : words) word = round_tf32(cupyxx::internal::bits_float(word));
        store_words(own_place(tile) + i * kStride, words);
      }
    }
  }

  /// The left side of products, 16 rows by one step of a row-major tile.
  CUPYXX_FN static void load_left(unsigned (&out)[4], unsigned tile, int row, int column) {
    const unsigned lane = threadIdx.x % 32;
    load_matrices(out, tile + (row + lane % 16) * kStride + kSize * column + lane / 16 * 16);
  }
  /// The right side of two products, whose columns are 16 rows of the tile: depth by rows. The
  /// first product takes out[0] and out[1].
  CUPYXX_FN static void load_rows(unsigned (&out)[4], unsigned tile, int row, int column) {
    const unsigned lane = threadIdx.x % 32;
    load_matrices(out, tile + (row + lane % 8 + lane / 16 * 8) * kStride + kSize * column +
                           lane / 8 % 2 * 16);
  }
  /// The same with the tile as it lies: rows by depth. Of float, lanes have rows 2 (lane % 4) and
  /// the one below in place of lane % 4 and 4 + lane % 4, as as_left() has columns.
  CUPYXX_FN static void load_columns(unsigned (&out)[4], unsigned tile, int row, int column) {
    const unsigned lane = threadIdx.x % 32;
    if constexpr (kIsFloat) {
      const unsigned at = tile + (row + 2 * (lane % 4)) * kStride + kSize * (column + lane / 4);
      out[0] = load_word(at);
      out[1] = load_word(at + kStride);
      out[2] = load_word(at + 32);
      out[3] = load_word(at + kStride + 32);
    } else {
      load_matrices_transposed(out,
                               tile + (row + lane % 16) * kStride + 2 * column + lane / 16 * 16);
    }
  }

  /// Two neighbours of a row, as T.
  CUPYXX_FN static void store_pair(unsigned address, float low, float high) {
    if constexpr (kIsFloat) {
      store_word(address, cupyxx::internal::float_bits(low));
      store_word(address + 4, cupyxx::internal::float_bits(high));
    } else {
      store_word(address, round_pair<T>(low, high));
    }
  }
  /// Writes sums of 16 rows to an array, through rows of a tile that this warp alone uses.
  CUPYXX_FN static void store(const float (&sums)[kDepth / 8][4], float scale0, float scale1,
                              unsigned tile, T* operand, long stride, int first, int rows,
                              int depth) {
    const unsigned lane = threadIdx.x % 32;
    const unsigned at = tile + lane / 4 * kStride + 2 * kSize * (lane % 4);
    sync_warp();
#pragma unroll
    for (int n = 0; n < kDepth / 8; ++n) {
      store_pair(at + 8 * kSize * n, sums[n][0] * scale0, sums[n][1] * scale0);
      store_pair(at + 8 * kSize * n + 8 * kStride, sums[n][2] * scale1, sums[n][3] * scale1);
    }
    sync_warp();
    constexpr int kStep = 32 / kPacks;
    static_assert(kStep > 0);
    const int row = static_cast<int>(lane) / kPacks, pack = static_cast<int>(lane) % kPacks;
#pragma unroll
    for (int i = 0; i < 16; i += kStep) {
      if (first + row + i < rows && kWide * pack < depth) {
        write_16(operand + (first + row + i) * stride + kWide * pack,
                 tile + (row + i) * kStride + 16 * pack);
      }
    }
  }
};

/// sums += left right over one step, for 16 x (8 kColumns) sums; `load(out, n)` gives the right
/// side of columns n and n + 1.
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

/// Sums of a product as the left side of the next one: those columns that are its step `step`. Of
/// float, lanes have columns 2 (lane % 4) and the next in place of lane % 4 and 4 + lane % 4.
template <class T, int kColumns>
CUPYXX_FN void as_left(unsigned (&left)[4], const float (&sums)[kColumns][4], int step) {
  if constexpr (cupyxx::ops::is_same<T, float>) {
    left[0] = round_tf32(sums[step][0]);
    left[1] = round_tf32(sums[step][2]);
    left[2] = round_tf32(sums[step][1]);
    left[3] = round_tf32(sums[step][3]);
  } else {
    left[0] = round_pair<T>(sums[2 * step][0], sums[2 * step][1]);
    left[1] = round_pair<T>(sums[2 * step][2], sums[2 * step][3]);
    left[2] = round_pair<T>(sums[2 * step + 1][0], sums[2 * step + 1][1]);
    left[3] = round_pair<T>(sums[2 * step + 1][2], sums[2 * step + 1][3]);
  }
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
