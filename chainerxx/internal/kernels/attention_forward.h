// SPDX-License-Identifier: MIT
// Device-safe. Attention without its matrix of weights (Dao: "FlashAttention-2", 2023): a block of
// threads has a tile of queries and goes through the keys; the largest score and the sum of
// exponentials are kept for each row, and what was summed is scaled when a larger score comes.
#pragma once

#include "chainerxx/internal/kernels/attention_tiles.h"

namespace chainerxx::internal::kernels {

#if defined(__CUDACC__)
inline constexpr int kAttentionKeys = 64;  // of a tile

/// 16 rows of queries of a warp, and what is known of them so far.
template <class T, int kDepth, bool kExtras>
struct AttentionRows {
  static constexpr int kColumns = kAttentionKeys / 8;

  unsigned query[kDepth / kAttentionStep<T>][4];
  float sums[kDepth / 8][4] = {};
  float scores[kColumns][4];
  float largest[2] = {hidden_score(), hidden_score()};
  float total[2] = {0, 0};  // of this lane's columns
  int first;                // row

  CUPYXX_FN int row(int half) const {
    return first + static_cast<int>(threadIdx.x % 32 / 4) + 8 * half;
  }
  CUPYXX_FN static int column(int n, int element) {
    return 8 * n + 2 * static_cast<int>(threadIdx.x % 4) + element % 2;
  }

  CUPYXX_FN void hide(const AttentionArgs& args, const AttentionPlace& place, int first_key,
                      bool has_edge) {
    const bool has_mask = kExtras && args.mask != nullptr;
    if (!has_edge && !has_mask) return;
#pragma unroll
    for (int n = 0; n < kColumns; ++n) {
#pragma unroll
      for (int e = 0; e < 4; ++e) {
        const int query_row = row(e / 2), key = first_key + column(n, e);
        bool is_visible = key < args.keys && (!args.is_causal || key <= query_row);
        if (has_mask && is_visible && query_row < args.queries) {
          is_visible = place.is_shown(args, query_row, key);
        }
        if (!is_visible) scores[n][e] = hidden_score();
      }
    }
  }

  /// Scores become weights.
  CUPYXX_FN void weigh(const AttentionArgs& args) {
    float shrink[2];
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      float best = largest[half];
#pragma unroll
      for (int n = 0; n < kColumns; ++n) {
        best = ::fmaxf(best, ::fmaxf(scores[n][2 * half], scores[n][2 * half + 1]));
      }
      best = ::fmaxf(best, __shfl_xor_sync(0xffffffffu, best, 1));
      best = ::fmaxf(best, __shfl_xor_sync(0xffffffffu, best, 2));
      // Rows that have seen nothing yet: all exponents stay minus infinity.
      const float shift = best == hidden_score() ? 0.0f : best * args.exponent_scale;
      shrink[half] = power_of_2(::fmaf(largest[half], args.exponent_scale, -shift));
      largest[half] = best;
      float sum = 0;
#pragma unroll
      for (int n = 0; n < kColumns; ++n) {
#pragma unroll
        for (int e = 2 * half; e < 2 * half + 2; ++e) {
          scores[n][e] = power_of_2(::fmaf(scores[n][e], args.exponent_scale, -shift));
          sum += scores[n][e];
        }
      }
      total[half] = ::fmaf(total[half], shrink[half], sum);
    }
    // Larger scores are rare once some tiles have been seen.
    if (__all_sync(0xffffffffu, shrink[0] == 1 && shrink[1] == 1)) return;
#pragma unroll
    for (int n = 0; n < kDepth / 8; ++n) {
#pragma unroll
      for (int e = 0; e < 4; ++e) sums[n][e] *= shrink[e / 2];
    }
  }

  CUPYXX_FN void drop(const AttentionArgs& args, const AttentionPlace& place, int first_key) {
    if (!kExtras || args.ratio == 0) return;
#pragma unroll
    for (int n = 0; n < kColumns; ++n) {
#pragma unroll
      for (int e = 0; e < 4; ++e) {
        if (!place.is_kept(args, row(e / 2), first_key + column(n, e))) scores[n][e] = 0;
      }
    }
  }

  CUPYXX_FN void finish(const AttentionArgs& args, const AttentionPlace& place, unsigned tile) {
    float factor[2];
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      float sum = total[half];
      sum += __shfl_xor_sync(0xffffffffu, sum, 1);
      sum += __shfl_xor_sync(0xffffffffu, sum, 2);
      factor[half] = sum == 0 ? 0.0f : args.keep_scale / sum;
      if (args.log_sums != nullptr && threadIdx.x % 4 == 0 && row(half) < args.queries) {
        args.log_sums[place.head * args.queries + row(half)] =
            sum == 0 ? -hidden_score() : ::fmaf(largest[half], args.exponent_scale, ::log2f(sum));
      }
    }
    AttentionTile<T, kDepth>::store(sums, factor[0], factor[1], tile, place.of<T>(args.y),
                                    args.y.row, first, args.queries, args.width);
  }
};

/// A warp has kRowTiles times 16 queries; without kExtras there is no mask and no dropout.
template <class T, int kDepth, int kRowTiles, bool kExtras>
CUPYXX_FN void attention_forward_of(const AttentionArgs& args) {
  using Tile = AttentionTile<T, kDepth>;
  constexpr int kRows = kAttentionWarps * 16 * kRowTiles, kStep = kAttentionStep<T>;
  constexpr unsigned kKeyBytes = kAttentionKeys * Tile::kStride;
  AttentionPlace place(args);
  place.block = args.blocks - 1 - place.block;  // causal: those with the most keys come first
  const int block_row = place.block * kRows;
  const int warp_row = block_row + static_cast<int>(threadIdx.x / 32) * 16 * kRowTiles;
  const unsigned queries = shared_base(), keys = queries + kRows * Tile::kStride;
  const unsigned own = queries + (warp_row - block_row) * Tile::kStride;

  const int last = args.is_causal ? smaller(args.keys, block_row + kRows) : args.keys;
  const int tiles = (last + kAttentionKeys - 1) / kAttentionKeys;
  const auto load = [&](int tile) {
    const unsigned to = keys + tile % 2 * 2 * kKeyBytes;
    const int first = tile * kAttentionKeys;
    Tile::template load<kAttentionKeys>(to, place.of<T>(args.key), args.key.row, first, args.keys,
                                        args.depth);
    Tile::template load<kAttentionKeys>(to + kKeyBytes, place.of<T>(args.value), args.value.row,
                                        first, args.keys, args.width);
  };

  Tile::template load<kRows>(queries, place.of<T>(args.query), args.query.row, block_row,
                             args.queries, args.depth);
  if (tiles > 0) load(0);
  wait_for_copies();
  Tile::template round<kRows>(queries);
  __syncthreads();
  AttentionRows<T, kDepth, kExtras> rows[kRowTiles];
#pragma unroll
  for (int r = 0; r < kRowTiles; ++r) {
    rows[r].first = warp_row + 16 * r;
#pragma unroll
    for (int k = 0; k < kDepth / kStep; ++k) {
      Tile::load_left(rows[r].query[k], own, 16 * r, kStep * k);
    }
  }

  for (int tile = 0; tile < tiles; ++tile) {
    const unsigned key_tile = keys + tile % 2 * 2 * kKeyBytes, value_tile = key_tile + kKeyBytes;
    wait_for_copies();
    Tile::template round<kAttentionKeys>(key_tile);
    Tile::template round<kAttentionKeys>(value_tile);
    __syncthreads();  // this tile is there, and all have left the one before
    if (tile + 1 < tiles) load(tile + 1);
    const int first_key = tile * kAttentionKeys;
    if (args.is_causal && first_key >= warp_row + 16 * kRowTiles) continue;
#pragma unroll
    for (int r = 0; r < kRowTiles; ++r) {
#pragma unroll
      for (int n = 0; n < kAttentionKeys / 8; ++n) {
#pragma unroll
        for (int e = 0; e < 4; ++e) rows[r].scores[n][e] = 0;
      }
    }
#pragma unroll
    for (int k = 0; k < kDepth / kStep; ++k) {
#pragma unroll
      for (int n = 0; n < kAttentionKeys / 8; n += 2) {
        unsigned right[4];
        Tile::load_rows(right, key_tile, 8 * n, kStep * k);
#pragma unroll
        for (int r = 0; r < kRowTiles; ++r) {
          multiply_add<T>(rows[r].scores[n], rows[r].query[k], right[0], right[1]);
          multiply_add<T>(rows[r].scores[n + 1], rows[r].query[k], right[2], right[3]);
        }
      }
    }
    const bool has_edge = first_key + kAttentionKeys > args.keys ||
                          (args.is_causal && first_key + kAttentionKeys > warp_row + 1);
#pragma unroll
    for (int r = 0; r < kRowTiles; ++r) {
      rows[r].hide(args, place, first_key, has_edge);
      rows[r].weigh(args);
      rows[r].drop(args, place, first_key);
    }
#pragma unroll
    for (int k = 0; k < kAttentionKeys / kStep; ++k) {
      unsigned left[kRowTiles][4];
#pragma unroll
      for (int r = 0; r < kRowTiles; ++r) as_left<T>(left[r], rows[r].scores, k);
#pragma unroll
      for (int n = 0; n < kDepth / 8; n += 2) {
        unsigned right[4];
        Tile::load_columns(right, value_tile, kStep * k, 8 * n);
#pragma unroll
        for (int r = 0; r < kRowTiles; ++r) {
          multiply_add<T>(rows[r].sums[n], left[r], right[0], right[1]);
          multiply_add<T>(rows[r].sums[n + 1], left[r], right[2], right[3]);
        }
      }
    }
  }
#pragma unroll
  for (int r = 0; r < kRowTiles; ++r) {
    rows[r].finish(args, place, own + 16 * r * Tile::kStride);
  }
}

template <class T, int kDepth, int kRowTiles, bool kExtras>
CUPYXX_FN void attention_forward(const AttentionArgs& args) {
  if constexpr (kHasAttention<T, kDepth>) {
    attention_forward_of<T, kDepth, kRowTiles, kExtras>(args);
  }
}
#endif

}  // namespace chainerxx::internal::kernels
