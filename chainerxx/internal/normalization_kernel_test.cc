// SPDX-License-Identifier: MIT
// The kernels that normalise images and rows, run on the host as the launcher would run them on a
// device, beside the host's own loops.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "cupyxx/extension/testing/emulated_device.h"
#include "cupyxx/ops/prelude.h"

// From here on the device parts of headers are read.
#define __CUDACC__  // NOLINT(bugprone-reserved-identifier,readability-identifier-naming)
#include "chainerxx/internal/kernels/batch_norm.h"
#include "chainerxx/internal/kernels/layer_norm.h"
#include "chainerxx/internal/kernels/response_norm.h"
#undef __CUDACC__
#include "chainerxx/internal/cpu/loops.h"
#include "chainerxx/internal/cpu/spatial.h"
#include "chainerxx/testing/kernel_numbers.h"

namespace chainerxx::internal::kernels {
namespace {

/// One way to spread batch normalisation over threads.
struct BatchNormCase {
  long outer, channels, inner;
  enum { kWarps, kBlocks, kRows, kPackedRows } layout;
  unsigned width = 32;  // of a block of rows
};

template <bool kGradient>
void run_batch_norm(const BatchNormCase& c, BatchNormArgs& args) {
  std::vector<Pack<double, 2>> partials(static_cast<std::size_t>(c.channels * 3));
  std::vector<ForwardLine<double>> lines(static_cast<std::size_t>(c.channels));
  args.partials = partials.data()->x;
  args.lines = lines.data();
  args.splits = kGradient || args.fixed == 0 ? 3 : 0;
  const bool by_rows = c.layout >= BatchNormCase::kRows;
  const unsigned per_block = c.width * (c.layout == BatchNormCase::kPackedRows ? 4 : 1);
  const unsigned columns = (static_cast<unsigned>(c.channels) + per_block - 1) / per_block;
  const auto run = [&](auto&& sum, auto&& pass) {
    const emulated::Index block =
        by_rows ? emulated::Index{c.width, 256 / c.width} : emulated::Index{256, 1};
    const unsigned across = by_rows ? columns : static_cast<unsigned>((c.channels + 1) / 2);
    if (args.splits != 0) launch({3, across}, block, sum);
    launch({1, 1}, {64, 1},
           [&] { kGradient ? batch_norm_totals<float>(args) : batch_norm_moments<float>(args); });
    if (args.masked != nullptr) {
      args.gy = args.masked;
      args.y = nullptr;
      args.relu = 0;
    }
    launch({by_rows ? 2u : 4u, by_rows ? columns : 1}, block, pass);
  };
  switch (c.layout) {
    case BatchNormCase::kWarps:
      return run([&] { batch_norm_sums_planes<float, kGradient, true>(args); },
                 [&] { batch_norm_planes<float, kGradient, true>(args); });
    case BatchNormCase::kBlocks:
      return run([&] { batch_norm_sums_planes<float, kGradient, false>(args); },
                 [&] { batch_norm_planes<float, kGradient, false>(args); });
    case BatchNormCase::kRows:
      return run([&] { batch_norm_sums_rows<float, kGradient, 1>(args); },
                 [&] { batch_norm_rows<float, kGradient, 1>(args); });
    default:
      return run([&] { batch_norm_sums_rows<float, kGradient, 4>(args); },
                 [&] { batch_norm_rows<float, kGradient, 4>(args); });
  }
}

TEST(NormalizationKernels, BatchNormalisation) {
  const BatchNormCase cases[] = {
      {5, 3, 40, BatchNormCase::kWarps},        {30, 4, 3, BatchNormCase::kWarps},
      {3, 2, 600, BatchNormCase::kBlocks},      {2, 2, 5001, BatchNormCase::kBlocks},
      {50, 37, 1, BatchNormCase::kRows},        {500, 40, 1, BatchNormCase::kPackedRows},
      {90, 6, 1, BatchNormCase::kRows, 8},      {120, 24, 1, BatchNormCase::kPackedRows, 4},
      {1700, 20, 1, BatchNormCase::kPackedRows}};
  for (const BatchNormCase& c : cases) {
    for (const bool fixed : {false, true}) {
      const long size = c.outer * c.channels * c.inner;
      const Floats x = numbers(size, 5), gy = numbers(size, 6), gamma = numbers(c.channels, 7);
      Floats results[2];
      for (int host = 0; host < 2; ++host) {
        Floats y(x.size()), gx(x.size());
        Floats mean = numbers(c.channels, 8), var(gamma.size(), 2), ggamma = mean, gbeta = mean;
        std::vector<double> moments(2 * gamma.size());
        BatchNormArgs args{};
        args.x = x.data();
        args.out = y.data();
        args.gamma = args.beta = gamma.data();
        args.running_mean = mean.data();
        args.running_var = var.data();
        args.moments = moments.data();
        args.outer = c.outer;
        args.channels = c.channels;
        args.inner = c.inner;
        args.eps = 1e-3;
        args.decay = 0.75;
        args.fixed = fixed;
        host != 0 ? cpu::batch_norm(false, cupyxx::float32, args) : run_batch_norm<false>(c, args);
        args.gy = gy.data();
        args.out = gx.data();
        args.ggamma = ggamma.data();
        args.gbeta = gbeta.data();
        host != 0 ? cpu::batch_norm(true, cupyxx::float32, args) : run_batch_norm<true>(c, args);
        for (const Floats* part : {&y, &gx, &mean, &var, &ggamma, &gbeta}) {
          results[host].insert(results[host].end(), part->begin(), part->end());
        }
      }
      expect_close(results[0], results[1], "batch normalisation");
    }
  }
}

/// The sum and the ReLU that follow, and the gradient through ReLU by both ways to know its result.
TEST(NormalizationKernels, BatchNormalisationWithRelu) {
  const BatchNormCase cases[] = {
      {5, 3, 40, BatchNormCase::kWarps},        {3, 2, 600, BatchNormCase::kBlocks},
      {50, 37, 1, BatchNormCase::kRows},        {70, 40, 1, BatchNormCase::kPackedRows},
      {300, 40, 1, BatchNormCase::kPackedRows}, {200, 16, 1, BatchNormCase::kPackedRows, 4}};
  for (const BatchNormCase& c : cases) {
    for (const bool adds : {false, true}) {
      const long size = c.outer * c.channels * c.inner;
      const Floats x = numbers(size, 15), gy = numbers(size, 16), gamma = numbers(c.channels, 17);
      const Floats added = numbers(size, 18);
      std::vector<double> moments(2 * gamma.size());
      Floats y(x.size()), gx(x.size()), masked(x.size()), ggamma(gamma.size()), gbeta = ggamma;
      BatchNormArgs args{};
      args.x = x.data();
      args.out = y.data();
      args.gamma = args.beta = gamma.data();
      args.moments = moments.data();
      args.outer = c.outer;
      args.channels = c.channels;
      args.inner = c.inner;
      args.eps = 1e-3;
      args.relu = 1;
      args.added = adds ? added.data() : nullptr;
      run_batch_norm<false>(c, args);
      // The host knows neither.
      Floats plain(x.size());
      BatchNormArgs alone = args;
      alone.out = plain.data();
      cpu::batch_norm(false, cupyxx::float32, alone);
      Floats result = plain, passed = gy;
      for (std::size_t i = 0; i < plain.size(); ++i) {
        result[i] = std::max(0.0f, adds ? plain[i] + added[i] : plain[i]);
        if (!(y[i] > 0)) passed[i] = 0;
      }
      expect_close(y, result, "ReLU");
      args.gy = gy.data();
      args.out = gx.data();
      args.ggamma = ggamma.data();
      args.gbeta = gbeta.data();
      if (adds) {
        args.y = y.data();
        args.masked = masked.data();
      }
      Floats expected(x.size()), expected_ggamma(gamma.size()), expected_gbeta = expected_ggamma;
      alone = args;
      run_batch_norm<true>(c, args);
      alone.gy = passed.data();
      alone.out = expected.data();
      alone.ggamma = expected_ggamma.data();
      alone.gbeta = expected_gbeta.data();
      cpu::batch_norm(true, cupyxx::float32, alone);
      if (adds) {
        EXPECT_EQ(masked, passed);
      }
      expect_close(ggamma, expected_ggamma, "gradient of gamma");
      expect_close(gbeta, expected_gbeta, "gradient of beta");
      expect_close(gx, expected, "gradient of x");
    }
  }
}

TEST(NormalizationKernels, ResponseNormalisation) {
  const Floats x = numbers(2 * 6 * 10, 9), gy = numbers(2 * 6 * 10, 10);
  Floats results[2];
  for (int host = 0; host < 2; ++host) {
    Floats y(x.size()), gx(x.size()), scale(x.size()), terms(x.size());
    ResponseNormArgs args{x.data(), nullptr, y.data(), scale.data(), terms.data(), 2, 6,
                          10,       2,       1,        0.3,          0.75};
    if (host == 0) {
      launch({2, 1}, {32, 1}, [&] { response_norm<float>(args); });
    } else {
      cpu::response_norm(false, cupyxx::float32, args);
    }
    args.gy = gy.data();
    args.out = gx.data();
    if (host == 0) {
      launch({2, 1}, {32, 1}, [&] { response_norm_terms<float>(args); });
      launch({2, 1}, {32, 1}, [&] { response_norm_grad<float>(args); });
    } else {
      cpu::response_norm(true, cupyxx::float32, args);
    }
    results[host] = y;
    results[host].insert(results[host].end(), gx.begin(), gx.end());
  }
  expect_close(results[0], results[1], "response normalisation");
}

TEST(NormalizationKernels, ResponseNormalisationOfPixels) {
  const long pixels = 11, channels = 12;
  const Floats x = numbers(pixels * channels, 9), gy = numbers(pixels * channels, 10);
  Floats y[2], gx[2];
  for (int whole = 0; whole < 2; ++whole) {
    y[whole].resize(x.size());
    gx[whole].resize(x.size());
    Floats scale(x.size()), terms(x.size());
    ResponseNormArgs args{
        x.data(), nullptr, y[whole].data(), scale.data(), terms.data(), pixels, channels, 1, 2, 0,
        0.3,      0.75};
    if (whole != 0) {
      launch({2, 1}, {32, 1}, [&] { response_norm<float>(args); });
    } else {
      launch({1, 1}, {32, 1}, [&] { pixel_response_norm<float, 2>(args); });
    }
    args.gy = gy.data();
    args.out = gx[whole].data();
    if (whole != 0) {
      launch({2, 1}, {32, 1}, [&] { response_norm_terms<float>(args); });
      launch({2, 1}, {32, 1}, [&] { response_norm_grad<float>(args); });
    } else {
      launch({1, 1}, {32, 1}, [&] { pixel_response_norm_grad<float, 2>(args); });
    }
  }
  expect_close(y[0], y[1], "response normalisation");
  expect_close(gx[0], gx[1], "its gradient");
}

template <int kLanes>
void check_layer_norm(long rows, long columns) {
  const Floats x = numbers(rows * columns, 11), gy = numbers(rows * columns, 12);
  const Floats gamma = numbers(columns, 13);
  Floats results[2];
  for (int host = 0; host < 2; ++host) {
    Floats y(x.size()), gx(x.size()), ggamma(gamma.size()), gbeta(gamma.size());
    std::vector<double> moments(static_cast<std::size_t>(2 * rows));
    LayerNormArgs args{x.data(),     nullptr,       y.data(),     gamma.data(),
                       gamma.data(), ggamma.data(), gbeta.data(), moments.data(),
                       rows,         columns,       1e-3};
    if (host == 0) {
      launch({2, 1}, {256, 1}, [&] { layer_norm<float, kLanes>(args); });
    } else {
      cpu::layer_norm(false, cupyxx::float32, args);
    }
    args.gy = gy.data();
    args.out = gx.data();
    if (host == 0) {
      launch({2, 1}, {256, 1}, [&] { layer_norm_grad<float, kLanes>(args); });
      launch({static_cast<unsigned>((columns + 31) / 32), 1}, {32, 8},
             [&] { layer_norm_columns<float>(args); });
    } else {
      cpu::layer_norm(true, cupyxx::float32, args);
    }
    results[host] = y;
    for (const Floats* part : {&gx, &ggamma, &gbeta}) {
      results[host].insert(results[host].end(), part->begin(), part->end());
    }
  }
  expect_close(results[0], results[1], "layer normalisation");
}

TEST(NormalizationKernels, LayerNormalisation) {
  check_layer_norm<32>(19, 45);
  check_layer_norm<256>(3, 700);
}

}  // namespace
}  // namespace chainerxx::internal::kernels
