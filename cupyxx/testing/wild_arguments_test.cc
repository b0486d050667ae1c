// SPDX-License-Identifier: MIT
// Extents, widths and orders that nobody means: an error or NumPy's value, never a wild access, an
// endless loop or an exception of the standard library.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <vector>

#include "cupyxx/cupyxx.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect.h"

namespace cupyxx {
namespace {

using testing::expect_elements;
using testing::expect_error;

constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kHuge = std::int64_t{1} << 62;

class WildArguments : public testing::DeviceTest {};
CUPYXX_TEST_ON_DEVICES(WildArguments);

// Of one element, `extent` times along its only axis.
ndarray endless(std::int64_t extent) { return broadcast_to(ones({1}, int8), {extent}); }

TEST_P(WildArguments, SumsOfExtentsAreErrors) {
  expect_error<ValueError>(
      [] {
        concatenate({endless(kHuge), endless(kHuge)});
      },
      "concatenate: the extent exceeds 64 bits; 4611686018427387904 + "
      "4611686018427387904");
  expect_error<ValueError>([] { tile(endless(kHuge), {4}); },
                           "tile: the extent exceeds 64 bits; 4 * 4611686018427387904");
  expect_error<ValueError>([] { repeat(endless(kHuge), 4); },
                           "repeat: the extent exceeds 64 bits; 4611686018427387904 * 4");
  expect_error<ValueError>([] { kron(endless(kHuge), endless(kHuge)); },
                           "kron: the extent exceeds 64 bits; 4611686018427387904 * "
                           "4611686018427387904");
  expect_error<ValueError>(
      [] {
        repeat(arange(2), std::vector<std::int64_t>{kMost, kMost});
      },
      "repeat: the extent exceeds 64 bits; 9223372036854775807 + "
      "9223372036854775807");
  EXPECT_THROW(repeat(arange(2), std::vector<std::int64_t>{kMost, 0}), OutOfMemoryError);
  expect_error<ShapeError>(
      [] {
        reshape(arange(6), {-1, kHuge, 4});
      },
      "reshape: cannot reshape array of size 6 into shape "
      "(-1, 4611686018427387904, 4)");
}

TEST_P(WildArguments, DecimalsMayBeAny) {
  constexpr int kLeast = std::numeric_limits<int>::min(),
                kLargest = std::numeric_limits<int>::max();
  const ndarray x = array({1.5, -2.5});
  EXPECT_TRUE(all(isnan(around(x, kLeast))).item<bool>());  // 0 * infinity, as in NumPy
  EXPECT_TRUE(all(isnan(around(x, kLargest))).item<bool>());
  // NumPy casts the NaN to what is the least integer on this processor.
  const std::int64_t none = std::numeric_limits<std::int64_t>::min();
  expect_elements<std::int64_t>(around(array({15, 25}), -400), {2}, {none, none});
  expect_elements<std::int64_t>(around(array({15, 25}), kLeast), {2}, {none, none});
  expect_elements<std::int64_t>(around(array({15, 25}), kLargest), {2}, {15, 25});
}

TEST_P(WildArguments, ListsWithoutRoom) {
  expect_error<OutOfMemoryError>([] { array_split(arange(3), kHuge); },
                                 "array_split: there is no room for 4611686018427387903 elements");
  expect_error<OutOfMemoryError>([] { unstack(endless(kHuge)); },
                                 "unstack: there is no room for 4611686018427387904 elements");
  expect_error<ValueError>(
      [] {
        histogramdd(zeros({0, std::int64_t{1} << 44}));
      },
      "histogramdd: a point has at most 32 coordinates; 17592186044416");
  expect_error<ValueError>([] { polyint(arange(3), 2'000'000'000); },
                           "polyint: the order exceeds 10000; 2000000000");
  for (const FloatTextOptions& options :
       {FloatTextOptions{.precision = 20000, .unique = false},
        FloatTextOptions{.min_digits = 20000}, FloatTextOptions{.pad_left = 20000},
        FloatTextOptions{.pad_right = 20000}, FloatTextOptions{.exp_digits = 20000}}) {
    expect_error<ValueError>([&] { format_float_scientific(1.5, options); },
                             "format_float_scientific: a text has at most 16384 digits; 20000");
    expect_error<ValueError>([&] { format_float_positional(1.5, options); },
                             "format_float_positional: a text has at most 16384 digits; 20000");
  }
}

TEST_P(WildArguments, ElementsThatAreNotAligned) {
  const ndarray bytes = zeros({32}, uint8);
  expect_error<ValueError>([&] { bytes(slice(1, 17)).view(float64); },
                           "view: the first element lies 1 bytes behind a multiple of the 8 bytes "
                           "of float64; copy the bytes first");
  expect_error<ValueError>(
      [&] {
        zeros({2, 9}, uint8)(slice(), slice(8)).view(float64);
      },
      "view: strides (9, 8) are no multiples of the 8 bytes of float64");
  expect_error<ValueError>([&] { ndarray(Shape{2}, float64, bytes, {12}); },
                           "ndarray: strides (12,) are no multiples of the 8 bytes of float64");
  expect_error<ValueError>([&] { ndarray(Shape{2}, float32, bytes, {4}, 2); },
                           "ndarray: the first element lies 2 bytes behind a multiple of the 4 "
                           "bytes of float32");
  expect_error<TypeError>([&] { ndarray(Shape{2}, dtype(), bytes); }, "ndarray: no dtype is given");
  // Complex numbers lie like their parts.
  EXPECT_EQ(zeros({5}, float32)(slice(1, 5)).view(complex64).shape(), (Shape{2}));
  EXPECT_EQ(bytes(slice(8, 24)).view(float64).shape(), (Shape{2}));
}

TEST_P(WildArguments, TypesWithoutLoopsAreCopied) {
  const ndarray bytes = array({1, 2, 3, 4, 5, 6}, uint8);
  const ndarray turned = bytes.view(dtype("float8_e4m3")).reshape({2, 3}).T();
  expect_elements<std::uint8_t>(turned.copy().view(uint8), {3, 2}, {1, 4, 2, 5, 3, 6});
  expect_elements<std::uint8_t>(turned.to_cpu().copy().view(uint8), {3, 2}, {1, 4, 2, 5, 3, 6});
}

TEST_P(WildArguments, WhatDevicesAndHostTookDifferently) {
  const ndarray x = array({1.0, 2.0});
  expect_error<TypeError>([&] { interp(std::complex<double>(1, 1), x, x); },
                          "interp: x must be real; complex128");
  expect_error<TypeError>([&] { interp(x, x.astype(complex64), x); },
                          "interp: xp must be real; complex64");
  expect_error<TypeError>([&] { interp(x, x, x, {.left = std::complex<double>(0, 1)}); },
                          "interp: left must be real; complex128");
  EXPECT_EQ(nanmax(array({2.5, 1.0}), {.dtype = int16}).dtype(), int16);
  EXPECT_EQ(nanmin(array({2.5, 1.0}), {.dtype = int16}).dtype(), int16);
  expect_error<TypeError>([&] { compress(x, x, Axes::none()); },
                          "compress: takes one axis or none; ()");
}

TEST_P(WildArguments, RulesThatDoNotExist) {
  const ndarray a = ones({2}), b = zeros({2}, int32);
  expect_error<DtypeError>(
      [&] { add(a, a, {.out = b, .casting = static_cast<Casting>(57)}); },
      "add: cannot cast the result from float64 to int32 with casting rule 'unknown'");
  const auto none = static_cast<IndexMode>(57);
  expect_error<ValueError>([&] { take(a, array(7), {.mode = none}); }, "take: there is no mode 57");
  expect_error<ValueError>([&] { put(a, array(7), 1, none); }, "put: there is no mode 57");
  expect_error<ValueError>([&] { choose(b, {a, a}, none); }, "choose: there is no mode 57");
  expect_error<ValueError>([&] { ravel_multi_index({b}, {2}, {.mode = none}); },
                           "ravel_multi_index: there is no mode 57");
}

TEST_P(WildArguments, ExtentsOfNothing) {
  expect_error<ValueError>(
      [] {
        zeros({0, kHuge});
      },
      "zeros: array is too big; (0, 4611686018427387904) of float64");
  EXPECT_EQ(zeros({0, std::int64_t{1} << 44}).size(), 0);
  EXPECT_EQ(vander(zeros({0}), std::int64_t{1} << 44).shape(), (Shape{0, std::int64_t{1} << 44}));
  fill_diagonal(zeros({0, std::int64_t{1} << 44}), 1);
  const ndarray bytes = zeros({0, std::int64_t{1} << 44}, uint8);
  EXPECT_EQ(packbits(bytes, 0).shape(), bytes.shape());
  EXPECT_EQ(unpackbits(bytes, 0).shape(), bytes.shape());
  EXPECT_EQ(sort(zeros({3, 0})).shape(), (Shape{3, 0}));
}

TEST_P(WildArguments, BitsOfEndlessBytes) {
  const ndarray bytes = broadcast_to(zeros({1}, uint8), {kHuge});
  expect_error<ValueError>([&] { unpackbits(bytes); },
                           "unpackbits: the extent exceeds 64 bits; 4611686018427387904 * 8");
}

TEST_P(WildArguments, KindsOfDevices) {
  const Device none{static_cast<Device::Kind>(2), 0};
  const std::string message = ": there is no kind of device 2; cpu is 0, cuda 1";
  expect_error<ValueError>([&] { const DeviceScope scope(none); }, "DeviceScope" + message);
  expect_error<ValueError>([&] { use_device(none); }, "use_device" + message);
  expect_error<ValueError>([&] { zeros({1}).to(none); }, "to" + message);
}

// Parts of 17 TB; a device needs none.
TEST(WildArgumentsOnTheHost, PartsOfEndlessSums) {
  expect_error<OutOfMemoryError>([] { sum(endless(std::int64_t{1} << 51)); },
                                 "reduction: there is no memory for the parts of the sums; "
                                 "elements 2251799813685248 in each of 1");
  expect_error<OutOfMemoryError>([] { sum(endless(kMost)); },
                                 "reduction: there is no memory for the parts of the sums; "
                                 "elements 9223372036854775807 in each of 1");
}

TEST_P(WildArguments, LeastNumbers) {
  const auto least = std::numeric_limits<std::int64_t>::min();
  EXPECT_EQ(triu_indices(2, least)[0].size(), 4);
  expect_elements<double>(triu(ones({2, 2}), least), {2, 2}, {1, 1, 1, 1});
  EXPECT_EQ(array(ones({2}), {.ndmin = std::numeric_limits<int>::min()}).ndim(), 1);
}

TEST_P(WildArguments, WidthsOfPadding) {
  const ndarray a = arange(3);
  for (const PadMode mode : {PadMode::edge, PadMode::reflect, PadMode::symmetric, PadMode::wrap,
                             PadMode::constant, PadMode::mean, PadMode::linear_ramp}) {
    EXPECT_THROW(pad(a, kMost, {.mode = mode}), ValueError);
    EXPECT_THROW(pad(a, kMost / 2, {.mode = mode}), ValueError);
    EXPECT_THROW(pad(a, std::int64_t{1} << 50, {.mode = mode}), OutOfMemoryError);
    const ndarray none = zeros({3, 0});
    EXPECT_EQ(pad(none, {{std::int64_t{1} << 50, 0}, {0, 0}}, {.mode = mode}).shape(),
              (Shape{(std::int64_t{1} << 50) + 3, 0}));
  }
}

TEST_P(WildArguments, OrdersOfDifferencesEndWhereNothingIsLeft) {
  constexpr int kOrder = 2000000000;
  EXPECT_EQ(diff(arange(3), kOrder).shape(), (Shape{0}));
  EXPECT_EQ(diff(array({true, false}), kOrder).dtype(), bool_);
  EXPECT_EQ(polyder(array({1.0, 2.0, 3.0}), kOrder).shape(), (Shape{0}));
  EXPECT_EQ(polyder(array({1, 2, 3}, int32), 3).dtype(),
            polyder(array({1, 2, 3}, int32), 9).dtype());
}

TEST_P(WildArguments, CountsBeyondMemoryAreOurErrors) {
  for (const std::int64_t count : {std::int64_t{1} << 50, std::int64_t{1} << 60, kMost}) {
    EXPECT_THROW(hamming(count), Error) << count;
    EXPECT_THROW(bartlett(count), Error) << count;
    EXPECT_THROW(kaiser(count, 1.0), Error) << count;
    EXPECT_THROW(diag_indices(count), Error) << count;
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // they end where new fails
    EXPECT_THROW(random::bytes(count), OutOfMemoryError) << count;
    EXPECT_THROW(endless(count).to_vector<double>(), OutOfMemoryError) << count;
    EXPECT_THROW(endless(count).to_vector<bool>(), OutOfMemoryError) << count;
#endif
  }
  expect_error<ValueError>([] { diag_indices(2, 2000000000); },
                           "diag_indices: at most 32 axes; 2000000000");
}

// NumPy's own values; beyond 700 its quotients are infinity by infinity.
TEST_P(WildArguments, KaiserTakesAnyBeta) {
  const std::vector<double> eight = kaiser(5, 8.0).to_vector<double>();
  const std::vector<double> minus = kaiser(5, -8.0).to_vector<double>();
  for (int i = 0; i < 5; ++i) EXPECT_NEAR(eight[i], minus[i], 1e-15);
  EXPECT_NEAR(kaiser(5, -40.0).to_vector<double>()[1] / 0.005059101966686111, 1, 1e-12);
  for (const double beta : {50.0, 1e3, 1e10, 1e150}) {
    const std::vector<double> window = kaiser(5, beta).to_vector<double>();
    EXPECT_NEAR(window[2], 1, 1e-12) << beta;
    for (const double value : window) EXPECT_TRUE(value >= 0 && value <= 1 + 1e-12) << beta;
  }
  EXPECT_TRUE(std::isnan(kaiser(5, std::nan("")).to_vector<double>()[1]));
}

TEST_P(WildArguments, ViewsNeedADtype) {
  expect_error<TypeError>([] { arange(3).view(dtype()); }, "view: no dtype is given");
}

}  // namespace
}  // namespace cupyxx
