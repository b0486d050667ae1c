// SPDX-License-Identifier: MIT
// Device-safe. The gradients of attention, which make the weights again from each row's sum of
// exponentials. Two kernels, so that each sum has one thread and one order: a block of queries goes
// through the keys, then a block of keys through the queries.
#pragma once

#include "chainerxx/internal/kernels/attention_tiles.h"
#include "chainerxx/internal/kernels/pack.h"

namespace chainerxx::internal::kernels {

#if defined(__CUDACC__)
inline constexpr int kAttentionGradRows = 16 * kAttentionWarps;  // of a block of threads
inline constexpr int kAttentionGradTile = 64;                    // rows of what it goes through

/// The weight of a score, and the gradient of the score in place of the gradient of the weight.
template <bool kExtras>
CUPYXX_FN void attention_score_grad(const AttentionArgs& args, const AttentionPlace& place,
                                    int query, int key, bool has_edge, float log_sum, float delta,
                                    float& score, float& grad) {
  float weight = power_of_2(::fmaf(score, args.exponent_scale, -log_sum));
  if (has_edge && (key >= args.keys || (args.is_causal && key > query))) weight = 0;
  bool is_kept = true;
  if constexpr (kExtras) {
    const bool is_inside = query < args.queries && key < args.keys;
    if (args.mask != nullptr && is_inside && !place.is_shown(args, query, key)) weight = 0;
    if (args.ratio != 0) is_kept = place.is_kept(args, query, key);
    grad = is_kept ? grad * args.keep_scale : 0.0f;
  }
  grad = weight == 0 ? 0.0f : weight * (grad - delta);
  score = is_kept ? weight : 0.0f;
}

/// Sums of y * grad_y over the width, for rows of a block, into args.deltas and shared memory; and
/// the logarithms to base 2 of the rows' sums into args.base_2_sums.
template <class T, int kDepth>
CUPYXX_FN void attention_deltas(const AttentionArgs& args, const AttentionPlace& place, int first,
                                float* deltas) {
  constexpr int kWide = AttentionTile<T, kDepth>::kWide;
  constexpr int kPacks = kDepth / kWide, kStep = kAttentionThreads / kPacks;
  const int pack = static_cast<int>(threadIdx.x) % kPacks;
#pragma unroll
  for (int i = 0; i < kAttentionGradRows; i += kStep) {
    const int in_block = i + static_cast<int>(threadIdx.x) / kPacks, row = first + in_block;
    float sum = 0;
    if (row < args.queries && kWide * pack < args.width) {
      const auto y = pack_at<T, kWide>(place.of<T>(args.y), row * args.y.row + kWide * pack);
      const auto gy =
          pack_at<T, kWide>(place.of<T>(args.grad_y), row * args.grad_y.row + kWide * pack);
#pragma unroll
      for (int e = 0; e < kWide; ++e) {
        sum = ::fmaf(static_cast<float>(y.x[e]), static_cast<float>(gy.x[e]), sum);
      }
    }
#pragma unroll
    for (int lanes = kPacks / 2; lanes > 0; lanes /= 2) {
      sum += __shfl_xor_sync(0xffffffffu, sum, lanes);
    }
    if (pack == 0) {
      deltas[in_block] = sum;
      if (row < args.queries) {
        const long at = place.head * args.queries + row;
        args.deltas[at] = sum;
        args.base_2_sums[at] = args.log_sums[at] * args.log_factor;
      }
    }
  }
}

/// The gradient by the queries, and the deltas.
template <class T, int kDepth, bool kExtras>
CUPYXX_FN void attention_grad_query_of(const AttentionArgs& args) {
  using Tile = AttentionTile<T, kDepth>;
  constexpr bool kHolds = sizeof(T) * kDepth <= 256;  // queries and gradients in registers
  constexpr int kRows = kAttentionGradRows, kKeys = kAttentionGradTile;
  constexpr int kStep = kHolds ? 32 : 16, kDeep = kAttentionStep<T>;
  constexpr unsigned kTileBytes = kKeys * Tile::kStride;
  AttentionPlace place(args);
  place.block = args.blocks - 1 - place.block;
  const int block_row = place.block * kRows, warp = static_cast<int>(threadIdx.x / 32);
  const int warp_row = block_row + 16 * warp;
  const unsigned queries = shared_base(), grads = queries + kRows * Tile::kStride;
  const unsigned keys = grads + kRows * Tile::kStride;
  const unsigned own = 16 * warp * Tile::kStride;
  __shared__ float deltas[kRows];

  const int last = args.is_causal ? smaller(args.keys, block_row + kRows) : args.keys;
  const int tiles = (last + kKeys - 1) / kKeys;
  const auto load = [&](int tile) {
    const unsigned to = keys + tile % 2 * 2 * kTileBytes;
    Tile::template load<kKeys>(to, place.of<T>(args.key), args.key.row, tile * kKeys, args.keys,
                               args.depth);
    Tile::template load<kKeys>(to + kTileBytes, place.of<T>(args.value), args.value.row,
                               tile * kKeys, args.keys, args.width);
  };
  Tile::template load<kRows>(queries, place.of<T>(args.query), args.query.row, block_row,
                             args.queries, args.depth);
  Tile::template load<kRows>(grads, place.of<T>(args.grad_y), args.grad_y.row, block_row,
                             args.queries, args.width);
  if (tiles > 0) load(0);
  attention_deltas<T, kDepth>(args, place, block_row, deltas);
  wait_for_copies();
  Tile::template round<kRows>(queries);
  Tile::template round<kRows>(grads);
  __syncthreads();

  unsigned query[kHolds ? kDepth / kDeep : 1][4], grad_y[kHolds ? kDepth / kDeep : 1][4];
  if constexpr (kHolds) {
#pragma unroll
    for (int k = 0; k < kDepth / kDeep; ++k) {
      Tile::load_left(query[k], queries + own, 0, kDeep * k);
      Tile::load_left(grad_y[k], grads + own, 0, kDeep * k);
    }
  }
  const int lane_row = static_cast<int>(threadIdx.x % 32 / 4);
  float log_sums[2], delta[2];
#pragma unroll
  for (int half = 0; half < 2; ++half) {
    const int row = warp_row + lane_row + 8 * half;
    log_sums[half] = row < args.queries
                         ? args.log_sums[place.head * args.queries + row] * args.log_factor
                         : -hidden_score();
    delta[half] = deltas[row - block_row];
  }
  float sums[kDepth / 8][4] = {};
  for (int tile = 0; tile < tiles; ++tile) {
    const unsigned key_tile = keys + tile % 2 * 2 * kTileBytes, value_tile = key_tile + kTileBytes;
    wait_for_copies();
    Tile::template round<kKeys>(key_tile);
    Tile::template round<kKeys>(value_tile);
    __syncthreads();
    if (tile + 1 < tiles) load(tile + 1);
    const int first_key = tile * kKeys;
    const bool has_edge =
        first_key + kKeys > args.keys || (args.is_causal && first_key + kKeys > warp_row + 1);
#pragma unroll
    for (int step = 0; step < kKeys; step += kStep) {
      if (args.is_causal && first_key + step >= warp_row + 16) continue;
      float scores[kStep / 8][4] = {}, grad[kStep / 8][4] = {};
#pragma unroll
      for (int k = 0; k < kDepth / kDeep; ++k) {
        if constexpr (!kHolds) {
          Tile::load_left(query[0], queries + own, 0, kDeep * k);
          Tile::load_left(grad_y[0], grads + own, 0, kDeep * k);
        }
        multiply_step<T>(scores, query[kHolds ? k : 0], [&](unsigned(&right)[4], int n) {
          Tile::load_rows(right, key_tile, step + 8 * n, kDeep * k);
        });
        multiply_step<T>(grad, grad_y[kHolds ? k : 0], [&](unsigned(&right)[4], int n) {
          Tile::load_rows(right, value_tile, step + 8 * n, kDeep * k);
        });
      }
#pragma unroll
      for (int n = 0; n < kStep / 8; ++n) {
#pragma unroll
        for (int e = 0; e < 4; ++e) {
          const int key = first_key + step + 8 * n + 2 * static_cast<int>(threadIdx.x % 4) + e % 2;
          attention_score_grad<kExtras>(args, place, warp_row + lane_row + e / 2 * 8, key, has_edge,
                                        log_sums[e / 2], delta[e / 2], scores[n][e], grad[n][e]);
        }
      }
#pragma unroll
      for (int k = 0; k < kStep / kDeep; ++k) {
        unsigned left[4];
        as_left<T>(left, grad, k);
        multiply_step<T>(sums, left, [&](unsigned(&right)[4], int n) {
          Tile::load_columns(right, key_tile, step + kDeep * k, 8 * n);
        });
      }
    }
  }
  Tile::store(sums, args.scale, args.scale, queries + own, place.of<T>(args.grad_query),
              args.grad_query.row, warp_row, args.queries, args.depth);
}

/// The gradients by the keys and the values. Scores are transposed: rows are keys.
template <class T, int kDepth, bool kExtras>
CUPYXX_FN void attention_grad_key_of(const AttentionArgs& args) {
  using Tile = AttentionTile<T, kDepth>;
  constexpr int kRows = kAttentionGradRows, kQueries = kAttentionGradTile;
  constexpr int kStep = sizeof(T) * kDepth > 128 ? 16 : 32, kDeep = kAttentionStep<T>;
  constexpr bool kHolds = kDepth <= 64;  // keys and values in registers
  constexpr unsigned kTileBytes = kQueries * Tile::kStride, kNumberBytes = 4 * kQueries;
  constexpr unsigned kStageBytes = 2 * kTileBytes + 2 * kNumberBytes;
  const AttentionPlace place(args);
  const int block_row = place.block * kRows, warp = static_cast<int>(threadIdx.x / 32);
  const int warp_row = block_row + 16 * warp;
  const unsigned keys = shared_base(), values = keys + kRows * Tile::kStride;
  const unsigned stages = values + kRows * Tile::kStride;
  const unsigned own = 16 * warp * Tile::kStride;

  const int first_tile = args.is_causal ? block_row / kQueries : 0;
  const int tiles = (args.queries + kQueries - 1) / kQueries;
  const auto load = [&](int tile) {
    const unsigned to = stages + tile % 2 * kStageBytes;
    const int first = tile * kQueries;
    Tile::template load<kQueries>(to, place.of<T>(args.query), args.query.row, first, args.queries,
                                  args.depth);
    Tile::template load<kQueries>(to + kTileBytes, place.of<T>(args.grad_y), args.grad_y.row, first,
                                  args.queries, args.width);
    static_assert(2 * kQueries == kAttentionThreads);
    const int number = static_cast<int>(threadIdx.x) % kQueries, query = first + number;
    const float* const from =
        static_cast<int>(threadIdx.x) < kQueries ? args.base_2_sums : args.deltas;
    const bool is_there = query < args.queries;
    copy_4(to + 2 * kTileBytes + 4 * threadIdx.x,
           from + (is_there ? place.head * args.queries + query : 0), is_there);
  };
  Tile::template load<kRows>(keys, place.of<T>(args.key), args.key.row, block_row, args.keys,
                             args.depth);
  Tile::template load<kRows>(values, place.of<T>(args.value), args.value.row, block_row, args.keys,
                             args.width);
  if (first_tile < tiles) load(first_tile);
  wait_for_copies();
  Tile::template round<kRows>(keys);
  Tile::template round<kRows>(values);
  __syncthreads();

  unsigned key[kHolds ? kDepth / kDeep : 1][4], value[kHolds ? kDepth / kDeep : 1][4];
  if constexpr (kHolds) {
#pragma unroll
    for (int k = 0; k < kDepth / kDeep; ++k) {
      Tile::load_left(key[k], keys + own, 0, kDeep * k);
      Tile::load_left(value[k], values + own, 0, kDeep * k);
    }
  }
  const int lane_row = static_cast<int>(threadIdx.x % 32 / 4);
  float key_sums[kDepth / 8][4] = {}, value_sums[kDepth / 8][4] = {};
  for (int tile = first_tile; tile < tiles; ++tile) {
    const unsigned query_tile = stages + tile % 2 * kStageBytes;
    const unsigned grad_tile = query_tile + kTileBytes, numbers = grad_tile + kTileBytes;
    wait_for_copies();
    Tile::template round<kQueries>(query_tile);
    Tile::template round<kQueries>(grad_tile);
    __syncthreads();
    if (tile + 1 < tiles) load(tile + 1);
    const int first_query = tile * kQueries;
    const bool has_edge = args.is_causal && first_query < warp_row + 16;
#pragma unroll
    for (int step = 0; step < kQueries; step += kStep) {
      if (args.is_causal && first_query + step + kStep <= warp_row) continue;
      float scores[kStep / 8][4] = {}, grad[kStep / 8][4] = {};
#pragma unroll
      for (int k = 0; k < kDepth / kDeep; ++k) {
        if constexpr (!kHolds) {
          Tile::load_left(key[0], keys + own, 0, kDeep * k);
          Tile::load_left(value[0], values + own, 0, kDeep * k);
        }
        multiply_step<T>(scores, key[kHolds ? k : 0], [&](unsigned(&right)[4], int n) {
          Tile::load_rows(right, query_tile, step + 8 * n, kDeep * k);
        });
        multiply_step<T>(grad, value[kHolds ? k : 0], [&](unsigned(&right)[4], int n) {
          Tile::load_rows(right, grad_tile, step + 8 * n, kDeep * k);
        });
      }
#pragma unroll
      for (int n = 0; n < kStep / 8; ++n) {
        const int column = step + 8 * n + 2 * static_cast<int>(threadIdx.x % 4);
        float log_sums[2], deltas[2];
        load_floats(log_sums, numbers + 4 * column);
        load_floats(deltas, numbers + kNumberBytes + 4 * column);
#pragma unroll
        for (int e = 0; e < 4; ++e) {
          attention_score_grad<kExtras>(args, place, first_query + column + e % 2,
                                        warp_row + lane_row + e / 2 * 8, has_edge, log_sums[e % 2],
                                        deltas[e % 2], scores[n][e], grad[n][e]);
        }
      }
#pragma unroll
      for (int k = 0; k < kStep / kDeep; ++k) {
        unsigned left[4];
        as_left<T>(left, scores, k);
        multiply_step<T>(value_sums, left, [&](unsigned(&right)[4], int n) {
          Tile::load_columns(right, grad_tile, step + kDeep * k, 8 * n);
        });
        as_left<T>(left, grad, k);
        multiply_step<T>(key_sums, left, [&](unsigned(&right)[4], int n) {
          Tile::load_columns(right, query_tile, step + kDeep * k, 8 * n);
        });
      }
    }
  }
  Tile::store(key_sums, args.scale, args.scale, keys + own, place.of<T>(args.grad_key),
              args.grad_key.row, warp_row, args.keys, args.depth);
  Tile::store(value_sums, args.keep_scale, args.keep_scale, values + own,
              place.of<T>(args.grad_value), args.grad_value.row, warp_row, args.keys, args.width);
}

template <class T, int kDepth, bool kExtras>
CUPYXX_FN void attention_grad_query(const AttentionArgs& args) {
  if constexpr (kHasAttention<T, kDepth>) attention_grad_query_of<T, kDepth, kExtras>(args);
}
template <class T, int kDepth, bool kExtras>
CUPYXX_FN void attention_grad_key(const AttentionArgs& args) {
  if constexpr (kHasAttention<T, kDepth>) attention_grad_key_of<T, kDepth, kExtras>(args);
}
#endif

}  // namespace chainerxx::internal::kernels
