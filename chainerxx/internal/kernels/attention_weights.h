// SPDX-License-Identifier: MIT
// Device-safe. The weights of attention as a matrix: softmax of scaled scores of which some are
// hidden, a warp for each row. Rows are read several times, but from memory once.
#pragma once

#include "chainerxx/internal/kernels/pack.h"

namespace chainerxx::internal::kernels {

struct AttentionWeightsArgs {
  const void* x;   // scores, or of the gradient the weights; (batch, heads, queries, keys)
  const void* gy;  // of the gradient
  void* out;
  const bool* mask;                                  // null: none; else false hides
  long mask_batch, mask_head, mask_query, mask_key;  // its strides
  long rows;
  int heads, queries, keys;
  int is_causal;
  double scale;
};

#if defined(__CUDACC__)
/// A row that a warp works on.
template <class T>
struct AttentionWeightsRow {
  static constexpr int kWidth = kPackWidth<T>;
  using C = Compute<T>;

  const AttentionWeightsArgs& args;
  long row;
  int seen;  // columns that may be visible
  bool has_packs;
  const bool* mask;

  CUPYXX_FN AttentionWeightsRow(const AttentionWeightsArgs& a, long r) : args(a), row(r) {
    const long head = row / args.queries;
    const int query = static_cast<int>(row - head * args.queries);
    seen = args.is_causal && query + 1 < args.keys ? query + 1 : args.keys;
    const unsigned long all = reinterpret_cast<unsigned long>(args.x) |
                              reinterpret_cast<unsigned long>(args.gy) |
                              reinterpret_cast<unsigned long>(args.out);
    has_packs = args.keys % kWidth == 0 && all % 16 == 0;
    mask = args.mask == nullptr ? nullptr
                                : args.mask + head / args.heads * args.mask_batch +
                                      head % args.heads * args.mask_head + query * args.mask_query;
  }

  /// Calls use(i, first column) for what this lane has of the columns below `end`.
  template <class Use>
  CUPYXX_FN static void for_packs(int end, const Use& use) {
    for (int i = static_cast<int>(threadIdx.x % 32) * kWidth; i < end; i += 32 * kWidth) use(i);
  }
  CUPYXX_FN Pack<T, kWidth> load(const void* from, int i) const {
    if (has_packs) return pack_at<T, kWidth>(from, row * args.keys + i);
    Pack<T, kWidth> pack{};
    for (int e = 0; e < kWidth && i + e < args.keys; ++e) {
      pack.x[e] = static_cast<const T*>(from)[row * args.keys + i + e];
    }
    return pack;
  }
  CUPYXX_FN void store(int i, const Pack<T, kWidth>& pack) const {
    if (has_packs) return store_pack(args.out, row * args.keys + i, pack);
    for (int e = 0; e < kWidth && i + e < args.keys; ++e) {
      static_cast<T*>(args.out)[row * args.keys + i + e] = pack.x[e];
    }
  }
  /// A score as it counts.
  CUPYXX_FN C score(T x, int i) const {
    const bool is_visible = i < seen && (mask == nullptr || mask[i * args.mask_key]);
    return is_visible ? static_cast<C>(x) * C(args.scale) : minus_infinity<C>();
  }
};

template <class T>
CUPYXX_FN void attention_weights(const AttentionWeightsArgs& args) {
  using Row = AttentionWeightsRow<T>;
  using C = Compute<T>;
  constexpr int kWidth = Row::kWidth;
  for (long r = global_thread() / 32; r < args.rows; r += global_threads() / 32) {
    const Row row(args, r);
    C largest = minus_infinity<C>();
    Row::for_packs(row.seen, [&](int i) {
      const auto x = row.load(args.x, i);
#pragma unroll
      for (int e = 0; e < kWidth; ++e) {
        const C score = row.score(x.x[e], i + e);
        largest = score > largest ? score : largest;
      }
    });
    largest = warp_max(largest);
    // Where nothing is visible all exponents stay minus infinity.
    const C shift = largest == minus_infinity<C>() ? C(0) : largest;
    C sum = 0;
    Row::for_packs(row.seen, [&](int i) {
      const auto x = row.load(args.x, i);
#pragma unroll
      for (int e = 0; e < kWidth; ++e) sum += m::exp(row.score(x.x[e], i + e) - shift);
    });
    sum = warp_sum(sum);
    const C factor = sum == C(0) ? C(0) : C(1) / sum;
    Row::for_packs(args.keys, [&](int i) {
      Pack<T, kWidth> y{};
      if (i < row.seen) {
        const auto x = row.load(args.x, i);
#pragma unroll
        for (int e = 0; e < kWidth; ++e) {
          y.x[e] = T(m::exp(row.score(x.x[e], i + e) - shift) * factor);
        }
      }
      row.store(i, y);
    });
  }
}

/// x (gy - sum of x gy) scale for the weights x, which are 0 where scores were hidden.
template <class T>
CUPYXX_FN void attention_weights_grad(const AttentionWeightsArgs& args) {
  using Row = AttentionWeightsRow<T>;
  using C = Compute<T>;
  constexpr int kWidth = Row::kWidth;
  for (long r = global_thread() / 32; r < args.rows; r += global_threads() / 32) {
    const Row row(args, r);
    C sum = 0;
    Row::for_packs(row.seen, [&](int i) {
      const auto x = row.load(args.x, i), gy = row.load(args.gy, i);
#pragma unroll
      for (int e = 0; e < kWidth; ++e) sum += static_cast<C>(x.x[e]) * static_cast<C>(gy.x[e]);
    });
    sum = warp_sum(sum);
    Row::for_packs(args.keys, [&](int i) {
      Pack<T, kWidth> gx{};
      if (i < row.seen) {
        const auto x = row.load(args.x, i), gy = row.load(args.gy, i);
#pragma unroll
        for (int e = 0; e < kWidth; ++e) {
          gx.x[e] = T(static_cast<C>(x.x[e]) * (static_cast<C>(gy.x[e]) - sum) * C(args.scale));
        }
      }
      row.store(i, gx);
    });
  }
}
#endif

}  // namespace chainerxx::internal::kernels
