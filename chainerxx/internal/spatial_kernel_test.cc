// SPDX-License-Identifier: MIT
// The kernels over images, run on the host as the launcher would run them on a device, beside the
// host's own loops.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "cupyxx/extension/testing/emulated_device.h"
#include "cupyxx/ops/prelude.h"

// From here on the device parts of headers are read.
#define __CUDACC__  // NOLINT(bugprone-reserved-identifier,readability-identifier-naming)
#include "chainerxx/internal/kernels/filters.h"
#include "chainerxx/internal/kernels/patches.h"
#include "chainerxx/internal/kernels/pixel_pooling.h"
#include "chainerxx/internal/kernels/pixel_rows.h"
#include "chainerxx/internal/kernels/planes.h"
#include "chainerxx/internal/kernels/pooling.h"
#include "chainerxx/internal/kernels/pooling_bands.h"
#include "chainerxx/internal/kernels/pooling_strips.h"
#include "chainerxx/internal/kernels/windows.h"
#undef __CUDACC__
#include "chainerxx/internal/cpu/spatial.h"
#include "chainerxx/testing/kernel_numbers.h"

namespace chainerxx::internal::kernels {
namespace {

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

TEST(SpatialKernels, Patches) {
  for (const Window& g : {kWindow, kDilated}) {
    const long n = 2, channels = 3, size = g.h * g.w, places = g.oh * g.ow;
    const int elements = static_cast<int>(channels) * g.kh * g.kw,
              width = (elements + 3) / 4 * 4 + 4;
    const Floats from = numbers(n * channels * size, 5);  // channels last
    alignas(16) static float to[4096];
    const PatchesArgs args{from.data(),    to,       channels * size, 1,
                           channels * g.w, channels, n * places,      static_cast<int>(channels),
                           width,          g};
    for (const bool by_lines : {false, true}) {
      std::fill(std::begin(to), std::end(to), -9.0f);
      if (by_lines) {
        emulated::launch({static_cast<unsigned>(n * g.oh), 1}, {64, 1}, true,
                         [&] { patches_by_lines<float>(args); });
      } else {
        launch({3, 1}, {64, 1}, [&] { patches<float>(args); });
      }
      for (long row = 0; row < n * places; ++row) {
        const long image = row / places, oy = row % places / g.ow, ox = row % g.ow;
        for (int k = 0; k < width; ++k) {
          const long c = k / (g.kh * g.kw), ky = k % (g.kh * g.kw) / g.kw, kx = k % g.kw;
          const long y = oy * g.sy - g.ph + ky * g.dy, x = ox * g.sx - g.pw + kx * g.dx;
          const bool is_inside = k < elements && y >= 0 && y < g.h && x >= 0 && x < g.w;
          const auto at = static_cast<std::size_t>(((image * g.h + y) * g.w + x) * channels + c);
          ASSERT_EQ(to[row * width + k], is_inside ? from[at] : 0.0f) << row << " " << k;
        }
      }
    }
  }
}

/// Places in windows, as devices have them, as those in planes.
template <class Place>
std::vector<int> in_planes(const std::vector<Place>& places, const Window& g) {
  std::vector<int> found;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const int place = static_cast<int>(places[i]);
    const auto o = static_cast<long>(i) % (g.oh * g.ow);
    const long y = o / g.ow * g.sy - g.ph + place / g.kw, x = o % g.ow * g.sx - g.pw + place % g.kw;
    found.push_back(place == nowhere<Place>() ? -1 : static_cast<int>(y * g.w + x));
  }
  return found;
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
        x.data(), y[host].data(), gx[host].data(), places[host].data(), planes, 0.25, g, 0};
    const auto both = [&](auto on_host, auto&& kernel) {
      if (host == 1) return on_host(cupyxx::float32, args);
      launch({2, 1}, {32, 1}, kernel);
    };
    both(cpu::max_pooling, [&] { max_pooling<float, 0, int>(args); });
    both(cpu::max_pooling_grad, [&] { max_pooling_grad<float, 0, int>(args); });
    const Floats maxima = gx[host];
    both(cpu::sum_pooling, [&] { sum_pooling<float>(args); });
    both(cpu::sum_pooling_grad, [&] { sum_pooling_grad<float>(args); });
    gx[host].insert(gx[host].end(), maxima.begin(), maxima.end());
  }
  EXPECT_EQ(in_planes(places[0], g), places[1]);
  expect_close(y[0], y[1], "averages");
  expect_close(gx[0], gx[1], "gradients");
}

TEST(SpatialKernels, Planes) {
  Floats planes[2] = {numbers(3 * 4 * 50, 3), numbers(3 * 4 * 50, 3)};
  Floats channel[2] = {numbers(4, 4), numbers(4, 4)};
  for (int host = 0; host < 2; ++host) {
    const PlanesArgs args{.planes = planes[host].data(),
                          .channel = channel[host].data(),
                          .outer = 3,
                          .channels = 4,
                          .inner = 50};
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

/// The same for rows of channels; the last block has lanes without channels.
template <int kWidth>
void check_channel_rows(long rows, long channels, emulated::Index block) {
  Floats images[2] = {numbers(rows * channels, 3), numbers(rows * channels, 3)};
  Floats sums[2] = {numbers(channels, 4), numbers(channels, 4)};
  const unsigned lanes = static_cast<unsigned>(channels) / kWidth;
  const unsigned across = (lanes + block.x - 1) / block.x;
  std::vector<double> partials(static_cast<std::size_t>(2 * channels));
  for (int host = 0; host < 2; ++host) {
    const PlanesArgs args{.planes = images[host].data(),
                          .channel = sums[host].data(),
                          .outer = rows,
                          .channels = channels,
                          .inner = 1,
                          .splits = 2,
                          .partials = partials.data()};
    if (host == 0) {
      launch({2, across}, block, [&] { row_sums<float, kWidth>(args); });
      launch({1, 1}, {64, 1}, [&] { add_row_sums<float>(args); });
      launch({3, across}, block, [&] { add_to_rows<float, kWidth>(args); });
    } else {
      cpu::plane_sums(cupyxx::float32, args);
      cpu::add_to_planes(cupyxx::float32, args);
    }
  }
  expect_close(sums[0], sums[1], "sums");
  expect_close(images[0], images[1], "sums added");
}

/// Sums of what a ReLU lets through.
template <int kWidth>
void check_masked_rows(long rows, long channels, emulated::Index block) {
  const Floats gy = numbers(rows * channels, 3), y = numbers(rows * channels, 5);
  Floats planes = gy, masked = y, expected = gy,
         sums[2] = {numbers(channels, 4), numbers(channels, 4)};
  for (std::size_t k = 0; k < expected.size(); ++k) {
    if (!(y[k] > 0)) expected[k] = 0;
    sums[1][k % static_cast<std::size_t>(channels)] += expected[k];
  }
  const unsigned lanes = static_cast<unsigned>(channels) / kWidth;
  const unsigned across = (lanes + block.x - 1) / block.x;
  std::vector<double> partials(static_cast<std::size_t>(2 * channels));
  PlanesArgs args{.planes = planes.data(),
                  .channel = sums[0].data(),
                  .outer = rows,
                  .channels = channels,
                  .inner = 1,
                  .splits = 2,
                  .partials = partials.data(),
                  .result = y.data(),
                  .masked = masked.data()};
  launch({2, across}, block, [&] { row_sums<float, kWidth, Summed::where_positive>(args); });
  launch({1, 1}, {64, 1}, [&] { add_row_sums<float>(args); });
  EXPECT_EQ(masked, expected);
  EXPECT_EQ(planes, gy);
  expect_close(sums[0], sums[1], "sums");
  // The same where y is known by the marks of places.
  std::vector<unsigned char> places(y.size());
  for (std::size_t k = 0; k < y.size(); ++k) places[k] = y[k] > 0 ? 3 : 3 | kNotPositive;
  Floats marked = numbers(channels, 4);
  args.channel = marked.data();
  args.result = places.data();
  args.masked = nullptr;
  launch({2, across}, block, [&] { row_sums<float, kWidth, Summed::where_unmarked>(args); });
  launch({1, 1}, {64, 1}, [&] { add_row_sums<float>(args); });
  expect_close(marked, sums[1], "sums by marks");
}

TEST(SpatialKernels, RowsOfChannels) {
  check_channel_rows<4>(53, 24, {4, 64});
  check_channel_rows<1>(300, 37, {32, 8});
  check_channel_rows<4>(7, 8, {2, 128});
  check_masked_rows<4>(53, 24, {4, 64});
  check_masked_rows<1>(300, 37, {32, 8});
}

/// Images (n, c, h, w) as (n, h, w, c), and back.
template <class T>
std::vector<T> to_pixels(const std::vector<T>& planes, long n, long c, long pixels) {
  std::vector<T> out(planes.size());
  for (long i = 0; i < n; ++i) {
    for (long k = 0; k < c; ++k) {
      for (long p = 0; p < pixels; ++p) {
        out[static_cast<std::size_t>((i * pixels + p) * c + k)] =
            planes[static_cast<std::size_t>((i * c + k) * pixels + p)];
      }
    }
  }
  return out;
}

TEST(SpatialKernels, RowsAreCopiedIntoWiderOnes) {
  const long rows = 37, columns = 8, wide = 20;
  const Floats from = numbers(rows * columns, 51);
  Floats to(static_cast<std::size_t>(rows * wide), 7), back(from.size());
  PixelRowsArgs args{from.data(), to.data() + 4, rows, columns, columns, wide};
  launch({2, 1}, {32, 1}, [&] { copy_pixel_rows<float, 4>(args); });
  args = {to.data() + 4, back.data(), rows, columns, wide, columns};
  launch({2, 1}, {32, 1}, [&] { copy_pixel_rows<float, 1>(args); });
  EXPECT_EQ(back, from);
  for (std::size_t i = 0; i < to.size(); ++i) {
    const std::size_t column = i % static_cast<std::size_t>(wide);
    const bool written = column >= 4 && column < 12;
    ASSERT_EQ(to[i], written ? from[i / 20 * 8 + column - 4] : 7) << i;
  }
}

TEST(SpatialKernels, FiltersAddInAnyForm) {
  const long filters = 3, channels = 2, taps = 6, padded = 4;
  const Floats dW = numbers(filters * taps * padded, 52),
               old = numbers(filters * channels * taps, 53);
  Floats gW = old;
  const FiltersArgs args{.from = dW.data(),
                         .to = gW.data(),
                         .channels = channels,
                         .taps = taps,
                         .size = filters * channels * taps,
                         .filter_step = taps * padded,
                         .channel_step = 1,
                         .tap_step = padded,
                         .wide = 0};
  launch({1, 1}, {32, 1}, [&] { add_filters<float>(args); });
  for (long o = 0; o < filters; ++o) {
    for (long c = 0; c < channels; ++c) {
      for (long k = 0; k < taps; ++k) {
        const auto at = static_cast<std::size_t>((o * channels + c) * taps + k);
        const auto from = static_cast<std::size_t>((o * taps + k) * padded + c);
        ASSERT_NEAR(gW[at], old[at] + dW[from], 1e-6);
      }
    }
  }
}

TEST(SpatialKernels, PixelsOfFewChannelsArePadded) {
  const long images = 2, channels = 3, pixels = 5;
  const Floats x = numbers(images * channels * pixels, 54);
  Floats padded(static_cast<std::size_t>(images * pixels * 4), 9);
  const PaddedPixelsArgs args{x.data(),        padded.data(),     channels, pixels,
                              images * pixels, channels * pixels, pixels,   1};
  launch({1, 1}, {32, 1}, [&] { pad_pixels<float>(args); });
  const Floats last = to_pixels(x, images, channels, pixels);
  for (std::size_t i = 0; i < padded.size(); ++i) {
    ASSERT_EQ(padded[i], i % 4 < 3 ? last[i / 4 * 3 + i % 4] : 0) << i;
  }
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
      std::vector<int> places(static_cast<std::size_t>(pooled));
      std::vector<unsigned char> narrow(places.size());
      for (int host = 0; host < 2; ++host) {
        y[host].resize(static_cast<std::size_t>(pooled));
        gx[host].resize(static_cast<std::size_t>(image));
        void* const found = host == 1 ? static_cast<void*>(places.data()) : narrow.data();
        PoolingArgs args{x.data(), y[host].data(), gx[host].data(), found, planes, 1, g, 0};
        const auto both = [&](auto on_host, auto&& kernel) {
          if (host == 1) return on_host(cupyxx::float32, args);
          launch({2, 2}, {32, 1}, kernel);
        };
        both(cpu::max_pooling, [&] {
          side == 2 ? max_pooling<float, 2, unsigned char>(args)
                    : max_pooling<float, 3, unsigned char>(args);
        });
        args.pooled = const_cast<float*>(gy.data());
        both(cpu::max_pooling_grad, [&] { max_pooling_grad<float, 2, unsigned char>(args); });
      }
      EXPECT_EQ(in_planes(narrow, g), places);
      EXPECT_EQ(y[0], y[1]);
      EXPECT_EQ(gx[0], gx[1]);
    }
  }
}

/// Numbers with ties, NaN and infinity, which are all taken as on the host.
Floats few_numbers(long n) {
  Floats values(static_cast<std::size_t>(n));
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = static_cast<float>(i * 7919 % 5);
    if (i % 41 == 3) values[i] = std::numeric_limits<float>::quiet_NaN();
    if (i % 7 == 2) values[i] = -std::numeric_limits<float>::infinity();
  }
  return values;
}

template <int kSide, int kStride>
void check_strips(const Window& g) {
  const long planes = 3, image = planes * g.h * g.w, pooled = planes * g.oh * g.ow;
  for (const Floats& x : {numbers(image, 31), few_numbers(image)}) {
    Floats y(static_cast<std::size_t>(pooled)), expected = y;
    std::vector<int> places(y.size());
    std::vector<unsigned char> narrow(y.size());
    PoolingArgs args{x.data(), expected.data(), nullptr, places.data(), planes, 1, g, 0};
    cpu::max_pooling(cupyxx::float32, args);
    args.pooled = y.data();
    args.places = narrow.data();
    launch({2, 2}, {16, 2},
           [&] { max_pooling_strips<float, kSide, kStride, unsigned char>(args); });
    EXPECT_EQ(in_planes(narrow, g), places);
    for (std::size_t i = 0; i < y.size(); ++i) {
      ASSERT_TRUE(y[i] == expected[i] || (y[i] != y[i] && expected[i] != expected[i])) << i;
    }
  }
}

TEST(SpatialKernels, StripsOfMaxima) {
  check_strips<3, 2>({9, 8, 5, 4, 3, 3, 2, 2, 1, 1, 1, 1});
  check_strips<3, 2>({14, 11, 7, 6, 3, 3, 2, 2, 0, 1, 1, 1});  // covers all
  check_strips<3, 2>({7, 7, 6, 6, 3, 3, 2, 2, 3, 3, 1, 1});    // windows in the padding
  check_strips<2, 2>({9, 10, 4, 5, 2, 2, 2, 2, 0, 0, 1, 1});
  check_strips<2, 2>({3, 5, 2, 3, 2, 2, 2, 2, 0, 0, 1, 1});
  check_strips<3, 1>({6, 7, 6, 7, 3, 3, 1, 1, 1, 1, 1, 1});
}

void check_bands(const Window& g, int planes_of_block, int bands, int rows) {
  const long planes = 5, image = planes * g.h * g.w, pooled = planes * g.oh * g.ow;
  Floats x = few_numbers(image), y(static_cast<std::size_t>(pooled));
  Floats gy(y.size()), gx(x.size(), 7), expected = gx;
  for (std::size_t i = 0; i < gy.size(); ++i) gy[i] = static_cast<float>(i % 13);  // sums are exact
  std::vector<int> places(y.size());
  PoolingArgs args{x.data(), y.data(), expected.data(), places.data(), planes, 1, g, 0};
  cpu::max_pooling(cupyxx::float32, args);
  std::vector<unsigned char> narrow(y.size());
  args.places = narrow.data();
  launch({2, 2}, {32, 1}, [&] { max_pooling<float, 0, unsigned char>(args); });
  args.places = places.data();
  args.pooled = gy.data();
  cpu::max_pooling_grad(cupyxx::float32, args);
  args.places = narrow.data();
  args.grad = gx.data();
  const BandArgs band_args{args, planes_of_block, bands, rows};
  const auto blocks =
      static_cast<unsigned>((planes + planes_of_block - 1) / planes_of_block * bands);
  launch({blocks, 1}, {kBandThreads, 1},
         [&] { max_pooling_grad_bands<float, unsigned char>(band_args); });
  EXPECT_EQ(gx, expected);
}

TEST(SpatialKernels, BandsOfGradients) {
  check_bands({9, 8, 5, 4, 3, 3, 2, 2, 1, 1, 1, 1}, 1, 1, 9);
  check_bands({9, 8, 5, 4, 3, 3, 2, 2, 1, 1, 1, 1}, 2, 1, 9);
  check_bands({9, 8, 5, 4, 3, 3, 2, 2, 1, 1, 1, 1}, 1, 3, 4);
  check_bands({14, 11, 7, 6, 3, 3, 2, 2, 0, 1, 1, 1}, 1, 4, 4);
  check_bands({14, 11, 7, 6, 3, 3, 2, 2, 0, 1, 1, 1}, 4, 1, 14);
  check_bands({17, 60, 9, 30, 2, 2, 2, 2, 0, 0, 1, 1}, 1, 2, 10);  // more windows than threads
  check_bands({12, 5, 4, 6, 2, 2, 3, 1, 0, 1, 1, 1}, 1, 2, 6);     // rows without windows
  check_bands({7, 6, 4, 5, 3, 2, 2, 1, 1, 0, 1, 1}, 1, 2, 4);
}

template <int kSide, int kStride, int kWidth>
void check_pixel_pooling(const Window& g) {
  const long n = 2, c = 8, pixels = g.h * g.w, pooled = g.oh * g.ow;
  const Floats x = numbers(n * c * pixels, 41), gy = numbers(n * c * pooled, 42);
  const Floats pixel_x = to_pixels(x, n, c, pixels), pixel_gy = to_pixels(gy, n, c, pooled);
  Floats y(gy.size()), gx(x.size()), sums(gy.size()), spread(x.size());
  std::vector<int> places(gy.size());
  PoolingArgs args{x.data(), y.data(), gx.data(), places.data(), n * c, 0.5, g, c};
  cpu::max_pooling(cupyxx::float32, args);
  args.pooled = const_cast<float*>(gy.data());
  cpu::max_pooling_grad(cupyxx::float32, args);
  args.grad = spread.data();
  cpu::sum_pooling_grad(cupyxx::float32, args);
  args.pooled = sums.data();
  cpu::sum_pooling(cupyxx::float32, args);

  Floats pixel_y(gy.size()), pixel_gx(x.size());
  std::vector<unsigned char> narrow(gy.size());
  args = {pixel_x.data(), pixel_y.data(), pixel_gx.data(), narrow.data(), n * c, 0.5, g, c};
  const auto run = [&](const auto& kernel) { launch({2, 2}, {32, 1}, kernel); };
  run([&] { pixel_max_pooling<float, kSide, kWidth, unsigned char>(args); });
  EXPECT_EQ(pixel_y, to_pixels(y, n, c, pooled));
  args.pooled = const_cast<float*>(pixel_gy.data());
  args.place_bits = kNotPositive - 1;
  run([&] { pixel_max_pooling_grad<float, kStride, kWidth, unsigned char>(args); });
  expect_close(pixel_gx, to_pixels(gx, n, c, pixels), "gradient of maxima");
  // Before a ReLU: nothing for maxima that are not positive.
  Floats passed = gy;
  for (std::size_t i = 0; i < passed.size(); ++i) passed[i] = y[i] > 0 ? passed[i] : 0;
  PoolingArgs of_planes{x.data(), passed.data(), gx.data(), places.data(), n * c, 0.5, g, c};
  cpu::max_pooling_grad(cupyxx::float32, of_planes);
  args.place_bits = -1;
  run([&] { pixel_max_pooling_grad<float, kStride, kWidth, unsigned char>(args); });
  expect_close(pixel_gx, to_pixels(gx, n, c, pixels), "gradient of positive maxima");
  run([&] { pixel_sum_pooling_grad<float, kWidth>(args); });
  expect_close(pixel_gx, to_pixels(spread, n, c, pixels), "gradient of sums");
  args.pooled = pixel_y.data();
  run([&] { pixel_sum_pooling<float, kWidth>(args); });
  expect_close(pixel_y, to_pixels(sums, n, c, pooled), "sums");
}

TEST(SpatialKernels, PoolingOfPixels) {
  check_pixel_pooling<0, 0, 4>(kWindow);
  check_pixel_pooling<0, 0, 1>(kWindow);
  check_pixel_pooling<2, 2, 4>({8, 6, 4, 3, 2, 2, 2, 2, 0, 0, 1, 1});
  check_pixel_pooling<3, 2, 4>({9, 7, 5, 4, 3, 3, 2, 2, 1, 1, 1, 1});
  check_pixel_pooling<3, 2, 4>({6, 6, 3, 3, 3, 3, 2, 2, 0, 0, 1, 1});  // the last one cut off
}

}  // namespace
}  // namespace chainerxx::internal::kernels
