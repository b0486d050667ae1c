// SPDX-License-Identifier: MIT
// The kernels over images, run on the host as the launcher would run them on a device, beside the
// host's own loops.
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
#include "chainerxx/internal/kernels/planes.h"
#include "chainerxx/internal/kernels/pooling.h"
#include "chainerxx/internal/kernels/response_norm.h"
#include "chainerxx/internal/kernels/windows.h"
#undef __CUDACC__
#include "chainerxx/internal/cpu/spatial.h"

namespace chainerxx::internal::kernels {
namespace {

using Floats = std::vector<float>;

Floats numbers(long n, unsigned seed) {
  Floats values(static_cast<std::size_t>(n));
  for (float& value : values) {
    seed = seed * 1664525u + 1013904223u;
    value = static_cast<float>(seed >> 8) / 8388608.0f - 1;
  }
  return values;
}

template <class Kernel>
void launch(emulated::Index grid, emulated::Index block, const Kernel& kernel) {
  emulated::launch(grid, block, true, kernel);
}

void expect_close(const Floats& actual, const Floats& expected, const char* what) {
  ASSERT_EQ(actual.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    ASSERT_NEAR(actual[i], expected[i], 1e-5 * (1 + std::abs(expected[i]))) << what << " at " << i;
  }
}

constexpr Window kWindow = {7, 6, 4, 5, 3, 2, 2, 1, 1, 0, 1, 1};
constexpr Window kDilated = {7, 6, 3, 2, 3, 2, 2, 1, 1, 0, 2, 4};

TEST(SpatialKernels, Im2ColAndCol2Im) {
  for (const Window& g : {kWindow, kDilated}) {
    const long planes = 5, image = g.h * g.w, columns = g.kh * g.kw * g.oh * g.ow;
    const Floats from = numbers(planes * image, 1);
    Floats col(static_cast<std::size_t>(planes * columns)), expected = col;
    WindowsArgs args{from.data(), col.data(), planes, planes * columns, -3, g};
    launch({3, 1}, {64, 1}, [&] { im2col<float>(args); });
    args.to = expected.data();
    cpu::im2col(cupyxx::float32, args);
    EXPECT_EQ(col, expected);
    Floats sums(static_cast<std::size_t>(planes * image)), expected_sums = sums;
    args = {col.data(), sums.data(), planes, planes * image, 0, g};
    launch({3, 1}, {64, 1}, [&] { col2im<float>(args); });
    args.to = expected_sums.data();
    cpu::col2im(cupyxx::float32, args);
    expect_close(sums, expected_sums, "col2im");
  }
}

TEST(SpatialKernels, Pooling) {
  const Window& g = kWindow;
  const long planes = 5, image = g.h * g.w, pooled = g.oh * g.ow;
  const Floats x = numbers(planes * image, 2);
  Floats y[2], gx[2];
  std::vector<int> places[2];
  for (int host = 0; host < 2; ++host) {
    y[host].resize(static_cast<std::size_t>(planes * pooled));
    gx[host].resize(x.size());
    places[host].resize(y[host].size());
    const PoolingArgs args{
        x.data(), y[host].data(), gx[host].data(), places[host].data(), planes, 0.25, g};
    const auto both = [&](auto on_host, auto&& kernel) {
      if (host == 1) return on_host(cupyxx::float32, args);
      launch({2, 1}, {32, 1}, kernel);
    };
    both(cpu::max_pooling, [&] { max_pooling<float, 0>(args); });
    both(cpu::max_pooling_grad, [&] { max_pooling_grad<float, 0>(args); });
    const Floats maxima = gx[host];
    both(cpu::sum_pooling, [&] { sum_pooling<float>(args); });
    both(cpu::sum_pooling_grad, [&] { sum_pooling_grad<float>(args); });
    gx[host].insert(gx[host].end(), maxima.begin(), maxima.end());
  }
  EXPECT_EQ(places[0], places[1]);
  expect_close(y[0], y[1], "averages");
  expect_close(gx[0], gx[1], "gradients");
}

TEST(SpatialKernels, Planes) {
  Floats planes[2] = {numbers(3 * 4 * 50, 3), numbers(3 * 4 * 50, 3)};
  Floats channel[2] = {numbers(4, 4), numbers(4, 4)};
  for (int host = 0; host < 2; ++host) {
    const PlanesArgs args{planes[host].data(), channel[host].data(), 3, 4, 50};
    if (host == 0) {
      launch({5, 1}, {32, 1}, [&] { add_to_planes<float>(args); });
      launch({3, 1}, {1024, 1}, [&] { plane_sums<float>(args); });
    } else {
      cpu::add_to_planes(cupyxx::float32, args);
      cpu::plane_sums(cupyxx::float32, args);
    }
  }
  EXPECT_EQ(planes[0], planes[1]);
  expect_close(channel[0], channel[1], "sums");
}

/// Windows whose sides and strides are compiled in, on rows that packs fill and do not fill.
TEST(SpatialKernels, SquareWindowsOfStrideTwo) {
  for (const int side : {2, 3}) {
    for (const long w : {8L, 11L}) {
      const Window g = {
          9, w, (9 + 2 - side) / 2 + 1, (w + 2 - side) / 2 + 1, side, side, 2, 2, 1, 1, 1, 1};
      const long planes = 3, image = planes * g.h * g.w, pooled = planes * g.oh * g.ow;
      const Floats x = numbers(image, 31), gy = numbers(pooled, 32);
      Floats y[2], gx[2];
      std::vector<int> places[2];
      for (int host = 0; host < 2; ++host) {
        y[host].resize(static_cast<std::size_t>(pooled));
        gx[host].resize(static_cast<std::size_t>(image));
        places[host].resize(static_cast<std::size_t>(pooled));
        PoolingArgs args{x.data(), y[host].data(), gx[host].data(), places[host].data(), planes, 1,
                         g};
        const auto both = [&](auto on_host, auto&& kernel) {
          if (host == 1) return on_host(cupyxx::float32, args);
          launch({2, 2}, {32, 1}, kernel);
        };
        both(cpu::max_pooling,
             [&] { side == 2 ? max_pooling<float, 2>(args) : max_pooling<float, 3>(args); });
        args.pooled = const_cast<float*>(gy.data());
        both(cpu::max_pooling_grad, [&] { max_pooling_grad<float, 2>(args); });
      }
      EXPECT_EQ(places[0], places[1]);
      EXPECT_EQ(y[0], y[1]);
      EXPECT_EQ(gx[0], gx[1]);
    }
  }
}

/// One way to spread batch normalisation over threads.
struct BatchNormCase {
  long outer, channels, inner;
  enum { kWarps, kBlocks, kRows, kPackedRows } layout;
};

template <bool kGradient>
void run_batch_norm(const BatchNormCase& c, BatchNormArgs& args) {
  std::vector<double> partials(static_cast<std::size_t>(2 * c.channels * 3)), sums(partials.size());
  args.partials = partials.data();
  args.sums = sums.data();
  args.splits = kGradient || args.fixed == 0 ? 3 : 0;
  const bool by_rows = c.layout >= BatchNormCase::kRows;
  const unsigned columns = static_cast<unsigned>((c.channels + 31) / 32);
  const auto run = [&](auto&& sum, auto&& pass) {
    const emulated::Index block = by_rows ? emulated::Index{32, 8} : emulated::Index{256, 1};
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

TEST(SpatialKernels, BatchNormalisation) {
  const BatchNormCase cases[] = {
      {5, 3, 40, BatchNormCase::kWarps},   {30, 4, 3, BatchNormCase::kWarps},
      {3, 2, 600, BatchNormCase::kBlocks}, {2, 2, 5001, BatchNormCase::kBlocks},
      {50, 37, 1, BatchNormCase::kRows},   {500, 40, 1, BatchNormCase::kPackedRows}};
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
TEST(SpatialKernels, BatchNormalisationWithRelu) {
  const BatchNormCase cases[] = {{5, 3, 40, BatchNormCase::kWarps},
                                 {3, 2, 600, BatchNormCase::kBlocks},
                                 {50, 37, 1, BatchNormCase::kRows},
                                 {70, 40, 1, BatchNormCase::kPackedRows}};
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

TEST(SpatialKernels, ResponseNormalisation) {
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

TEST(SpatialKernels, LayerNormalisation) {
  check_layer_norm<32>(19, 45);
  check_layer_norm<256>(3, 700);
}

}  // namespace
}  // namespace chainerxx::internal::kernels
