// SPDX-License-Identifier: MIT
// The tile kernel's text, run on the host as the launcher would run it on a device: the blocks of a
// cluster are the rows of one emulated block.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <set>
#include <vector>

#include "cupyxx/extension/testing/emulated_device.h"
#include "cupyxx/internal/kernels/cluster.h"

namespace cupyxx::kernels {
namespace {

// The shared memory of each block of the cluster. A quad, so that it is aligned.
std::vector<std::vector<Quad>> cluster_memory;

unsigned cluster_rank() { return threadIdx.y; }
float* block_memory() { return cluster_memory[threadIdx.y].data()->x; }
void cluster_barrier() { __syncthreads(); }
template <int kBytes>
void copy_async(float* to, const float* from, int bytes) {
  // What the device would refuse.
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(to) % kBytes, 0u);
  if (bytes > 0) {
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(from) % kBytes, 0u);
  }
  std::memset(to, 0, kBytes);
  std::memcpy(to, from, static_cast<std::size_t>(bytes));
}
void commit_copies() {}
template <int kLeft>
void await_copies() {}
void copy_async_if(bool holds, float* to, const float* from, int bytes) {
  if (holds) copy_async<16>(to, from, bytes);
}
void cluster_arrive() {}
void cluster_wait() { __syncthreads(); }
void await_kernel_before() {}
void allow_next_kernel() {}
float* place_of(float* to, unsigned rank) {
  return cluster_memory[rank].data()->x + (to - block_memory());
}
void send_quad(float* to, unsigned rank, const Quad& value) {
  std::memcpy(place_of(to, rank), &value, sizeof(value));
}
void send_float(float* to, unsigned rank, float value) { *place_of(to, rank) = value; }

}  // namespace
}  // namespace cupyxx::kernels

#define CUPYXX_EMULATED_DEVICE
#include "cupyxx/internal/cpu/blas/gemm_cases.h"
#include "cupyxx/internal/gpu/blas/tile_cases.h"
#include "cupyxx/internal/gpu/blas/tile_plan.h"
#include "cupyxx/internal/kernels/gemm_tile.h"

namespace cupyxx::internal::gpu {
namespace {

template <bool kAlongA, bool kAlongB, int... kShape>
bool run_if(const TileVariant& v, const kernels::GemmTileArguments& p) {
  const std::array<int, 5> mine{v.lanes_m, v.lanes_n, v.each_m, v.each_n, v.groups};
  if (mine != std::array<int, 5>{kShape...}) return false;
  kernels::gemm_tile<kernels::TileShape<kAlongA, kAlongB, kShape...>>(p);
  return true;
}

template <bool kAlongA, bool kAlongB>
void run_variant(const TileVariant& v, const kernels::GemmTileArguments& p) {
  bool done = run_if<kAlongA, kAlongB, 8, 16, 8, 8, 2>(v, p) ||
              run_if<kAlongA, kAlongB, 8, 8, 8, 8, 2>(v, p) ||
              run_if<kAlongA, kAlongB, 8, 16, 4, 4, 1>(v, p);
  if constexpr (kAlongA) {
    done = done || run_if<kAlongA, kAlongB, 8, 16, 7, 8, 2>(v, p) ||
           run_if<kAlongA, kAlongB, 8, 8, 7, 8, 2>(v, p) ||
           run_if<kAlongA, kAlongB, 4, 8, 5, 4, 4>(v, p);
  } else {
    done = done || run_if<kAlongA, kAlongB, 8, 8, 4, 4, 4>(v, p);
  }
  EXPECT_TRUE(done);
}

void emulate(const GemmCall& call, const TilePlan& plan) {
  const kernels::GemmTileArguments p = tile_arguments(call, plan);
  const TileVariant v = plan.variant;
  emulated::block_size = {static_cast<unsigned>(v.threads()), static_cast<unsigned>(plan.split), 1};
  emulated::Block threads;
  for (unsigned item = 0; item < call.batch; ++item) {
    for (int tile = 0; tile < plan.tiles_m * plan.tiles_n; ++tile) {
      emulated::block_index = {static_cast<unsigned>(tile * plan.split), 0, item};
      // Garbage, as on a device.
      kernels::cluster_memory.assign(
          static_cast<std::size_t>(plan.split),
          std::vector<kernels::Quad>((tile_bytes(plan, p) + 15) / 16, {NAN, NAN, NAN, NAN}));
      threads.run([&] {
        v.along_a   ? v.along_b ? run_variant<true, true>(v, p) : run_variant<true, false>(v, p)
          : v.along_b ? run_variant<false, true>(v, p)
                    : run_variant<false, false>(v, p);
      });
    }
  }
}

// As the launcher cuts it for a device.
template <int kMultiprocessors>
void run_planned(const GemmCall& call, std::size_t, std::size_t, std::size_t, std::size_t) {
  const TilePlan plan = plan_tiles(call, kMultiprocessors, true);
  ASSERT_NE(plan.split, 0);
  emulate(call, plan);
}

// With a cut of the test's own.
TileVariant forced;
int forced_split;
void run_forced(const GemmCall& call, std::size_t, std::size_t, std::size_t, std::size_t) {
  emulate(call, cut_tiles(call, forced, forced_split));
}

TEST(GemmTile, EveryVariantAndSplitMatchesTheTripleLoop) {
  for (int trans = 0; trans < 4; ++trans) {
    const bool trans_a = (trans & 1) != 0, trans_b = (trans & 2) != 0;
    for (const TileVariant& variant : tile_variants(!trans_a, trans_b)) {
      forced = variant;
      for (const int split : {1, 3, 8}) {
        forced_split = split;
        for (const std::int64_t gap : {0, 4, 3}) {
          gemm_cases::check<float>(run_forced, {.m = 36,
                                                .n = 68,
                                                .k = 300,
                                                .trans_a = trans_a,
                                                .trans_b = trans_b,
                                                .accumulate = split != 3,
                                                .bias = gap != 4,
                                                .relu = gap == 3,
                                                .gap = gap});
        }
      }
    }
  }
}

TEST(GemmTile, OddSizesAreCutAtTheirEnds) {
  for (int trans = 0; trans < 4; ++trans) {
    for (const auto& [m, n, k] : {std::array<std::int64_t, 3>{1, 1, 1},
                                  {1, 65, 3},
                                  {65, 1, 17},
                                  {57, 129, 2},
                                  {9, 11, 130}}) {
      for (const std::int64_t gap : {0, 1}) {
        gemm_cases::check<float>(run_planned<132>, {.m = m,
                                                    .n = n,
                                                    .k = k,
                                                    .trans_a = (trans & 1) != 0,
                                                    .trans_b = (trans & 2) != 0,
                                                    .gap = gap});
      }
    }
  }
}

TEST(GemmTile, AddsOldElementsAndBiasAndClips) {
  for (const std::int64_t k : {20, 200}) {
    for (int what = 0; what < 8; ++what) {
      for (const std::int64_t gap : {0, 2}) {
        gemm_cases::check<float>(run_planned<132>, {.m = 20,
                                                    .n = 32,
                                                    .k = k,
                                                    .trans_b = true,
                                                    .accumulate = (what & 1) != 0,
                                                    .bias = (what & 2) != 0,
                                                    .relu = (what & 4) != 0,
                                                    .gap = gap});
      }
    }
  }
}

TEST(GemmTile, BatchesAreIndependent) {
  gemm_cases::check<float>(run_planned<132>, {.m = 12, .n = 14, .k = 70, .bias = true, .batch = 2});
  gemm_cases::check<float>(run_planned<8>,
                           {.m = 30, .n = 40, .k = 50, .trans_a = true, .batch = 5});
}

TEST(GemmTile, AddsTheSumsOfRows) {
  for (const bool trans_a : {false, true}) {
    for (const auto& [m, n, k] :
         {std::array<std::int64_t, 3>{70, 140, 33}, {10, 100, 100}, {1, 9, 260}}) {
      const auto a = gemm_cases::random_elements<float>(m * k, 1);
      const auto b = gemm_cases::random_elements<float>(k * n, 2);
      std::vector<float> c(static_cast<std::size_t>(m * n)), sums(static_cast<std::size_t>(m), 3);
      GemmCall call{.dtype = float32, .trans_a = trans_a, .m = m, .n = n, .k = k};
      call.a = a.data();
      call.lda = trans_a ? m : k;
      call.b = b.data();
      call.ldb = call.ldc = n;
      call.c = c.data();
      call.row_sums = sums.data();
      run_planned<132>(call, 0, 0, 0, 0);
      for (std::int64_t i = 0; i < m; ++i) {
        double expected = 3;
        for (std::int64_t l = 0; l < k; ++l) {
          expected += a[static_cast<std::size_t>(i * call.row_a() + l * call.col_a())];
        }
        ASSERT_NEAR(sums[static_cast<std::size_t>(i)], expected, 1e-5) << i;
      }
    }
  }
}

// A linear layer's products: y = x W^T, gx = gy W, gW = gy^T x, at a batch of 100.
TEST(GemmTilePlan, FillsTheMachineWithTheProductsOfALinearLayer) {
  GemmCall forward{.dtype = float32, .trans_b = true, .m = 100, .n = 1000, .k = 1000};
  GemmCall gradient{.dtype = float32, .m = 100, .n = 1000, .k = 1000};
  GemmCall weight{.dtype = float32, .trans_a = true, .m = 1000, .n = 1000, .k = 100};
  for (const GemmCall& call : {forward, gradient, weight}) {
    const TilePlan plan = plan_tiles(call, 132, true);
    const int blocks = plan.tiles_m * plan.tiles_n * plan.split;
    EXPECT_GE(blocks, 100);
    EXPECT_LE(blocks, 264);
  }
  EXPECT_EQ(plan_tiles(forward, 132, false).split, 1);
}

TEST(GemmTilePlan, TheCasesOfTheDeviceTestTakeEveryVariant) {
  for (int trans = 0; trans < 4; ++trans) {
    const bool trans_a = (trans & 1) != 0, trans_b = (trans & 2) != 0;
    std::set<int> taken;
    for (const gemm_cases::Case& c : gemm_cases::kTileCases) {
      const GemmCall call{.dtype = float32,
                          .trans_a = trans_a,
                          .trans_b = trans_b,
                          .m = c.m,
                          .n = c.n,
                          .k = c.k,
                          .lda = trans_a ? c.m : c.k,
                          .ldb = trans_b ? c.k : c.n,
                          .ldc = c.n,
                          .batch = c.batch};
      const TilePlan plan = plan_tiles(call, 132, true);
      if (plan.split != 0) taken.insert(plan.variant.number);
    }
    EXPECT_EQ(taken.size(), tile_variants(!trans_a, trans_b).size()) << trans;
  }
}

TEST(GemmTilePlan, LeavesOtherProductsToTheLibrary) {
  const GemmCall large{.dtype = float32, .m = 2048, .n = 2048, .k = 2048};
  const GemmCall tall{.dtype = float32, .m = 1, .n = 8192, .k = 8192};
  const GemmCall wide{.dtype = float64, .m = 10, .n = 10, .k = 10};
  const GemmCall empty{.dtype = float32, .m = 10, .n = 10, .k = 0};
  for (const GemmCall& call : {large, tall, wide, empty}) {
    EXPECT_EQ(plan_tiles(call, 132, true).split, 0);
  }
}

}  // namespace
}  // namespace cupyxx::internal::gpu

namespace cupyxx::internal::gemm_cases {
// The suite over all types is for whole backends.
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(GemmTest);
}  // namespace cupyxx::internal::gemm_cases
