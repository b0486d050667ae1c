// SPDX-License-Identifier: MIT
// Device-safe. Products of float32 in one launch, for results too small to fill the machine by
// themselves: the blocks of a cluster share a tile, each sums a part of the inner dimension, and
// they send their parts to each other, which are added in a fixed order.
#pragma once

#include "cupyxx/internal/kernels/cluster.h"

namespace cupyxx::kernels {

/// C = relu(A B + C + bias); all but A and B optional. Distances in elements.
struct GemmTileArguments {
  const float* a;
  const float* b;
  float* c;
  const float* bias;  // n elements, or null
  float* row_sums;    // m elements or null: the sums of A's rows are added to them
  long long stride_a, stride_b, stride_c;  // of the batch, gridDim.z
  int m, n, k;
  int lda, ldb, ldc;
  int tiles_n;  // tiles along n
  int split;    // blocks in a cluster
  int chunk;    // of k, for each of them; a multiple of 4
  int accumulate, relu;
  int packed_a, packed_b, packed_c;  // whether 16 bytes may be moved at once
  // Of the block's shared memory, in floats: where parts of the sums arrive, and how much of it is
  // for each of them.
  int mail, box;
  int bias_at;    // the bias, and what was in C
  int is_direct;  // one block for each tile, whose threads read and write quads of C
};

inline constexpr int kTileDepth = 32;  // of k, in one stage
inline constexpr int kTileStages = 3;
inline constexpr int kTileQuads = kTileDepth / 4;

/// How a tile is divided: lanes along m and n that have so many rows and columns each, and groups
/// of as many threads that take turns at the stages' quads of k. A warp has 4 x 8 lanes.
template <bool kAlongA_, bool kAlongB_, int kLanesM_, int kLanesN_, int kEachM_, int kEachN_,
          int kGroups_>
struct TileShape {
  static constexpr bool kAlongA = kAlongA_, kAlongB = kAlongB_;
  static constexpr int kLanesM = kLanesM_, kLanesN = kLanesN_, kEachM = kEachM_, kEachN = kEachN_;
  static constexpr int kGroups = kGroups_;
  static constexpr int kRows = kLanesM * kEachM, kColumns = kLanesN * kEachN;
  static constexpr int kGroupThreads = kLanesM * kLanesN;
  static constexpr int kThreads = kGroupThreads * kGroups;
  static constexpr int kQuadsN = kEachN / 4;
  static constexpr int kUnits = kEachM * kQuadsN;  // quads of the result, for each thread
  static constexpr int kStage = (kRows + kColumns) * kTileDepth;  // floats
};

/// One operand's part of a stage. kAlong: k is the contiguous dimension in memory. kLanes threads
/// have kEach rows (or columns) each: every kLanes-th, or with kFours four neighbours at a time.
template <bool kAlong, bool kFours, int kLanes, int kEach, int kThreads>
struct TileSide {
  static constexpr int kExtent = kLanes * kEach;
  static constexpr int kFloats = kExtent * kTileDepth;
  static constexpr int kInner = (kAlong ? kTileDepth : kExtent) / 4;  // quads
  static constexpr int kOuter = kAlong ? kExtent : kTileDepth;
  static constexpr int kTurn = kThreads / kInner;  // outer places that are copied at a time
  static constexpr int kTurns = (kOuter + kTurn - 1) / kTurn;

#if defined(__CUDACC__) || defined(CUPYXX_EMULATED_DEVICE)
  static_assert(kThreads % kInner == 0);

  /// Which row (or column) of the tile is a thread's i-th.
  static __device__ __forceinline__ int place(int lane, int i) {
    return kFours ? i / 4 * (4 * kLanes) + lane * 4 + i % 4 : lane + kLanes * i;
  }
  /// Where a stage has a quad. Quads of k are exchanged so that what a warp reads at a time lies in
  /// different banks.
  static __device__ __forceinline__ int quad(int outer, int inner) {
    if constexpr (kAlong) {
      return outer * kTileDepth + ((inner ^ ((kFours ? outer >> 2 : outer) & 7)) << 2);
    } else {
      return outer * kExtent + (inner << 2);
    }
  }
  /// Where a stage has an element.
  static __device__ __forceinline__ int element(int row, int k) {
    return kAlong ? quad(row, k >> 2) + (k & 3) : quad(k, row >> 2) + (row & 3);
  }

  /// What a thread copies of a stage: in each turn a quad, `step` elements behind the one before.
  struct Copy {
    const float* from;
    long long step;
    float* stage;
    int inner, outer, outer_left, bytes;
    bool is_on;

    __device__ __forceinline__ void turn(int number) const {
      const int place = outer + number * kTurn;
      copy_async_if(is_on && (kOuter % kTurn == 0 || place < kOuter), stage + quad(place, inner),
                    from + number * step, place < outer_left ? bytes : 0);
    }
    __device__ __forceinline__ void turns() const {
#pragma unroll
      for (int number = 0; number < kTurns; ++number) turn(number);
    }
  };
  /// Of the matrix whose rows (or columns) end at `end`, with k from `first_k` to `end_k`.
  static __device__ __forceinline__ Copy copy_of(float* stage, const float* from, int ld, int first,
                                                 int end, int first_k, int end_k, bool is_on) {
    const int inner = static_cast<int>(threadIdx.x) % kInner;
    const int outer = static_cast<int>(threadIdx.x) / kInner;
    const int left = kAlong ? end_k - first_k - inner * 4 : end - first - inner * 4;
    return {from + static_cast<long long>((kAlong ? first : first_k) + outer) * ld +
                (kAlong ? first_k : first) + inner * 4,
            static_cast<long long>(kTurn) * ld,
            stage,
            inner,
            outer,
            kAlong ? end - first : end_k - first_k,
            left <= 0  ? 0
            : left < 4 ? left * 4
                       : 16,
            is_on};
  }
  /// The same by single elements.
  static __device__ __forceinline__ void copy_elements(float* stage, const float* from, int ld,
                                                       int first, int end, int first_k, int end_k) {
    constexpr int kWidth = kInner * 4;
#pragma unroll 1
    for (int unit = static_cast<int>(threadIdx.x); unit < kWidth * kOuter; unit += kThreads) {
      const int outer = unit / kWidth, inner = unit % kWidth;
      const int row = first + (kAlong ? outer : inner), k = first_k + (kAlong ? inner : outer);
      const bool is_there = row < end && k < end_k;
      const long long at =
          kAlong ? static_cast<long long>(row) * ld + k : static_cast<long long>(k) * ld + row;
      copy_async<4>(stage + quad(outer, inner >> 2) + (inner & 3), is_there ? from + at : from,
                    is_there ? 4 : 0);
    }
  }

  /// A thread's elements at the four k of a quad.
  static __device__ __forceinline__ void load(const float* stage, int lane, int quad_k,
                                              float (&values)[4][kEach]) {
    if constexpr (kAlong) {
#pragma unroll
      for (int i = 0; i < kEach; ++i) {
        const Quad found = *reinterpret_cast<const Quad*>(stage + quad(place(lane, i), quad_k));
#pragma unroll
        for (int q = 0; q < 4; ++q) values[q][i] = found.x[q];
      }
    } else {
#pragma unroll
      for (int q = 0; q < 4; ++q) {
#pragma unroll
        for (int i = 0; i < kEach; i += 4) {
          const Quad found =
              *reinterpret_cast<const Quad*>(stage + quad(quad_k * 4 + q, place(lane, i) >> 2));
#pragma unroll
          for (int r = 0; r < 4; ++r) values[q][i + r] = found.x[r];
        }
      }
    }
  }
#endif
};

#if defined(__CUDACC__) || defined(CUPYXX_EMULATED_DEVICE)

__device__ __forceinline__ Quad operator+(Quad a, const Quad& b) {
#pragma unroll
  for (int q = 0; q < 4; ++q) a.x[q] += b.x[q];
  return a;
}

/// A thread's part of a tile: where it lies, and its sums.
template <class Shape>
struct TilePart {
  using SideA =
      TileSide<Shape::kAlongA, !Shape::kAlongA, Shape::kLanesM, Shape::kEachM, Shape::kThreads>;
  using SideB = TileSide<Shape::kAlongB, true, Shape::kLanesN, Shape::kEachN, Shape::kThreads>;

  // A warp has 4 x 8 places; neighbouring lanes share one along m or n, so that a warp's load of 16
  // bytes a lane takes two passes over the banks.
  static __device__ __forceinline__ int place_m(int thread) {
    return thread / 32 / (Shape::kLanesN / 8) * 4 + thread % 2 + thread % 32 / 16 * 2;
  }
  static __device__ __forceinline__ int place_n(int thread) {
    return thread / 32 % (Shape::kLanesN / 8) * 8 + thread / 2 % 8;
  }
  /// Where the u-th quad of a thread of a group lies in the tile.
  static __device__ __forceinline__ int row(int thread, int u) {
    return SideA::place(place_m(thread), u / Shape::kQuadsN);
  }
  static __device__ __forceinline__ int column(int thread, int u) {
    return SideB::place(place_n(thread), u % Shape::kQuadsN * 4);
  }

  int ty, tx;
  float sums[Shape::kEachM][Shape::kEachN];

  using X = float[4][Shape::kEachM];
  using Y = float[4][Shape::kEachN];
  __device__ __forceinline__ void load_quad(const float* stage, int quad, X& x, Y& y) const {
    SideA::load(stage, ty, quad, x);
    SideB::load(stage + SideA::kFloats, tx, quad, y);
  }
  /// Adds the products of one quad of k.
  __device__ __forceinline__ void add_quad(const X& x, const Y& y) {
#pragma unroll
    for (int q = 0; q < 4; ++q) {
#pragma unroll
      for (int i = 0; i < Shape::kEachM; ++i) {
#pragma unroll
        for (int j = 0; j < Shape::kEachN; ++j) sums[i][j] = fmaf(x[q][i], y[q][j], sums[i][j]);
      }
    }
  }
  /// Adds a whole stage. Another one is copied once its last elements are loaded: behind the copies
  /// loads would wait.
  __device__ __forceinline__ void add_stage(const float* stage, int group,
                                            const typename SideA::Copy& a,
                                            const typename SideB::Copy& b) {
    constexpr int kEach = kTileQuads / Shape::kGroups;
    X x;
    Y y;
#pragma unroll
    for (int i = 0; i < kEach; ++i) {
      load_quad(stage, i * Shape::kGroups + group, x, y);
      if (i == kEach - 1) {
        a.turns();
        b.turns();
      }
      add_quad(x, y);
    }
  }
  /// The quad of sums of a unit.
  __device__ __forceinline__ Quad unit(int u) const {
    Quad quad;
#pragma unroll
    for (int q = 0; q < 4; ++q) {
      quad.x[q] = sums[u / Shape::kQuadsN][u % Shape::kQuadsN * 4 + q];
    }
    return quad;
  }
  __device__ __forceinline__ void add(int u, const Quad& quad) {
#pragma unroll
    for (int q = 0; q < 4; ++q) {
      sums[u / Shape::kQuadsN][u % Shape::kQuadsN * 4 + q] += quad.x[q];
    }
  }
  /// Gives each group the whole sums of every kGroups-th unit.
  __device__ __forceinline__ void join_groups(float* memory, int group, int inside) {
    Quad* const slots = reinterpret_cast<Quad*>(memory) + inside;
    const auto slot = [&](int u, int of) {
      return slots + (u * Shape::kGroups + of) * Shape::kGroupThreads;
    };
#pragma unroll
    for (int u = 0; u < Shape::kUnits; ++u) {
      if (u % Shape::kGroups != group) *slot(u, group) = unit(u);
    }
    __syncthreads();
#pragma unroll
    for (int u = 0; u < Shape::kUnits; ++u) {
      if (u % Shape::kGroups != group) continue;
#pragma unroll
      for (int other = 1; other < Shape::kGroups; ++other) {
        add(u, *slot(u, (group + other) % Shape::kGroups));
      }
    }
  }

  /// Sends each block of the cluster its share of the sums: of `split` neighbouring quads one.
  __device__ __forceinline__ void send(float* box, int group, int inside, int split) const {
    int owner = 0;
#pragma unroll
    for (int u = 0; u < Shape::kUnits; ++u) {
      if (u % Shape::kGroups == group) {
        send_quad(box + inside * 4, static_cast<unsigned>(owner), unit(u));
      }
      if (++owner == split) {
        owner = 0;
        box += Shape::kGroupThreads * 4;
      }
    }
  }
};

/// The quads of a tile that a block finishes.
template <class Shape>
struct TileShare {
  using Part = TilePart<Shape>;

  const GemmTileArguments& p;
  int first_i, first_j, rank;
  float* c;

  __device__ __forceinline__ int count() const {
    return (Shape::kUnits + p.split - 1) / p.split * Shape::kGroupThreads;
  }
  /// Calls a function with the place of each quad that this thread finishes.
  template <class Visit>
  __device__ __forceinline__ void for_each(const Visit& visit) const {
    const int slots = count();
#pragma unroll 1
    for (int slot = static_cast<int>(threadIdx.x); slot < slots; slot += Shape::kThreads) {
      const int inside = slot % Shape::kGroupThreads;
      const int u = slot / Shape::kGroupThreads * p.split + rank;
      const int row = Part::row(inside, u), column = Part::column(inside, u);
      if (u >= Shape::kUnits || first_i + row >= p.m || first_j + column >= p.n) continue;
      visit(slot, row, column);
    }
  }
  __device__ __forceinline__ float* at(int row, int column) const {
    return c + static_cast<long long>(first_i + row) * p.ldc + first_j + column;
  }

  /// Starts the copies of what is in C, and of the bias.
  __device__ __forceinline__ void fetch(float* old, float* bias) const {
    const int j = static_cast<int>(threadIdx.x);
    if (p.bias != nullptr && j < Shape::kColumns) {
      const bool is_there = first_j + j < p.n;
      copy_async<4>(bias + j, is_there ? p.bias + first_j + j : p.bias, is_there ? 4 : 0);
    }
    if (!p.accumulate) return;
    for_each([&](int slot, int row, int column) {
      const float* const from = at(row, column);
      const int left = p.n - first_j - column;
      if (p.packed_c) {
        copy_async<16>(old + slot * 4, from, left < 4 ? left * 4 : 16);
      } else {
        for (int q = 0; q < 4; ++q) {
          copy_async<4>(old + slot * 4 + q, q < left ? from + q : from, q < left ? 4 : 0);
        }
      }
    });
  }

  /// Writes the sums that the thread has itself, where nobody else has a part of them.
  __device__ __forceinline__ void write(Part& part, int group, int inside) const {
    const auto is_mine = [&](int u) {
      return u % Shape::kGroups == group && first_i + Part::row(inside, u) < p.m &&
             first_j + Part::column(inside, u) < p.n;
    };
#pragma unroll
    for (int q = 0; q < Shape::kEachN; ++q) {
      const int j = first_j + Part::column(inside, q / 4) + q % 4;
      const float bias = p.bias != nullptr && j < p.n ? p.bias[j] : 0;
#pragma unroll
      for (int i = 0; i < Shape::kEachM; ++i) part.sums[i][q] += bias;
    }
#pragma unroll
    for (int u = 0; u < Shape::kUnits; ++u) {
      if (!is_mine(u)) continue;
      Quad sum = part.unit(u);
#pragma unroll
      for (int q = 0; q < 4; ++q) {
        if (p.relu && sum.x[q] < 0) sum.x[q] = 0;
      }
      *reinterpret_cast<Quad*>(at(Part::row(inside, u), Part::column(inside, u))) = sum;
    }
  }
  /// Adds what is in C.
  __device__ __forceinline__ void add_old(Part& part, int group, int inside) const {
    Quad old[Shape::kUnits];
#pragma unroll
    for (int u = 0; u < Shape::kUnits; ++u) {
      old[u] = {};
      const int row = Part::row(inside, u), column = Part::column(inside, u);
      if (u % Shape::kGroups == group && first_i + row < p.m && first_j + column < p.n) {
        old[u] = *reinterpret_cast<const Quad*>(at(row, column));
      }
    }
#pragma unroll
    for (int u = 0; u < Shape::kUnits; ++u) part.add(u, old[u]);
  }

  /// Adds up `parts` boxes, and writes the results.
  __device__ __forceinline__ void finish(const float* mail, int parts, const float* old,
                                         const float* bias) const {
    for_each([&](int slot, int row, int column) {
      Quad sum = *reinterpret_cast<const Quad*>(mail + slot * 4);
#pragma unroll 4
      for (int part = 1; part < parts; ++part) {
        sum = sum + *reinterpret_cast<const Quad*>(mail + part * p.box + slot * 4);
      }
      if (p.accumulate) sum = sum + *reinterpret_cast<const Quad*>(old + slot * 4);
      if (p.bias != nullptr) sum = sum + *reinterpret_cast<const Quad*>(bias + column);
#pragma unroll
      for (int q = 0; q < 4; ++q) {
        if (p.relu && sum.x[q] < 0) sum.x[q] = 0;
      }
      float* const to = at(row, column);
      const int left = p.n - first_j - column;
      if (p.packed_c && left >= 4) {
        *reinterpret_cast<Quad*>(to) = sum;
        return;
      }
#pragma unroll
      for (int q = 0; q < 4; ++q) {
        if (q < left) to[q] = sum.x[q];
      }
    });
  }
};

/// gridDim.x = tiles x split, in clusters of `split` blocks.
template <class Shape>
__device__ __forceinline__ void gemm_tile(const GemmTileArguments& p) {
  using Part = TilePart<Shape>;
  using SideA = typename Part::SideA;
  using SideB = typename Part::SideB;
  float* const memory = block_memory();
  const int rank = static_cast<int>(cluster_rank()), split = p.split;
  if (split > 1) cluster_arrive();
  const int thread = static_cast<int>(threadIdx.x);
  const int group = thread / Shape::kGroupThreads, inside = thread % Shape::kGroupThreads;
  const int tile = static_cast<int>(blockIdx.x) / split;
  const int first_i = tile / p.tiles_n * Shape::kRows;
  const int first_j = tile % p.tiles_n * Shape::kColumns;
  const TileShare<Shape> share{p, first_i, first_j, rank, p.c + blockIdx.z * p.stride_c};
  float* const mail = memory + p.mail;
  float* const row_parts = mail + split * p.box;
  float* const bias = memory + p.bias_at;
  float* const old = bias + Shape::kColumns;

  const float* const a = p.a + blockIdx.z * p.stride_a;
  const float* const b = p.b + blockIdx.z * p.stride_b;
  const int first_k = rank * p.chunk;
  const int end_k = first_k + p.chunk < p.k ? first_k + p.chunk : p.k;
  const int steps = (p.chunk + kTileDepth - 1) / kTileDepth;
  const bool sums_rows = p.row_sums != nullptr && first_j == 0 && thread < Shape::kRows;
  float row_sum = 0;
  Part part{Part::place_m(inside), Part::place_n(inside), {}};

  await_kernel_before();
  allow_next_kernel();

#pragma unroll 1
  for (int step = 1 - kTileStages; step < steps; ++step) {
    if (step >= 0) {
      await_copies<kTileStages - 2>();
      __syncthreads();  // the stage has arrived, and all are done with the one before
    }
    const int next = step + kTileStages - 1;
    float* const there = memory + next % kTileStages * Shape::kStage;
    const int k = first_k + next * kTileDepth;
    const bool is_on = next < steps;
    const auto copy_a =
        SideA::copy_of(there, a, p.lda, first_i, p.m, k, end_k, is_on && p.packed_a);
    const auto copy_b = SideB::copy_of(there + SideA::kFloats, b, p.ldb, first_j, p.n, k, end_k,
                                       is_on && p.packed_b);
    if (is_on && !p.packed_a) SideA::copy_elements(there, a, p.lda, first_i, p.m, k, end_k);
    if (is_on && !p.packed_b) {
      SideB::copy_elements(there + SideA::kFloats, b, p.ldb, first_j, p.n, k, end_k);
    }
    if (step == 0 && !p.is_direct) share.fetch(old, bias);
    const float* const stage = memory + (step < 0 ? 0 : step) % kTileStages * Shape::kStage;
    const int left = p.chunk - step * kTileDepth;
    if (step >= 0 && sums_rows) {
#pragma unroll 8
      for (int l = 0; l < kTileDepth; ++l) row_sum += stage[SideA::element(thread, l)];
    }
    if (step >= 0 && left >= kTileDepth) {
      part.add_stage(stage, group, copy_a, copy_b);
      commit_copies();
      continue;
    }
    copy_a.turns();
    copy_b.turns();
    commit_copies();
    if (step < 0) continue;
#pragma unroll 1
    for (int quad = group; quad < (left + 3) / 4; quad += Shape::kGroups) {
      typename Part::X x;
      typename Part::Y y;
      part.load_quad(stage, quad, x, y);
      part.add_quad(x, y);
    }
  }
  await_copies<0>();
  if (p.is_direct && p.accumulate) share.add_old(part, group, inside);
  if (Shape::kGroups > 1 || split == 1) __syncthreads();  // all are done with the stages
  if constexpr (Shape::kGroups > 1) part.join_groups(memory, group, inside);
  if (p.is_direct) {
    share.write(part, group, inside);
  } else {
    if (split > 1) {
      cluster_wait();  // the others have begun
    } else if (Shape::kGroups > 1) {
      __syncthreads();
    }
    part.send(mail + rank * p.box, group, inside, split);
    if (sums_rows) send_float(row_parts + rank * Shape::kRows + thread, 0, row_sum);
    if (split > 1) {
      cluster_barrier();
    } else {
      __syncthreads();
    }
    share.finish(mail, split, old, bias);
  }
  if (sums_rows && rank == 0 && first_i + thread < p.m) {
    for (int s = 1; s < split; ++s) row_sum += row_parts[s * Shape::kRows + thread];
    p.row_sums[first_i + thread] += row_sum;
  }
}

#endif

}  // namespace cupyxx::kernels
