// SPDX-License-Identifier: MIT
// Routines that the host does in loops of its own, against their definitions written down element
// by element. What devices do is held by the tests of the chapters.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "cupyxx/cupyxx.h"

namespace cupyxx {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

std::vector<double> values_of(const ndarray& a) { return a.to_vector<double>(); }

bool same(double x, double y) { return x != x ? y != y : x == y; }

// NumPy's interpolation at one number.
double interpolated(double x, const std::vector<double>& px, const std::vector<double>& py,
                    double left, double right) {
  const std::size_t last = px.size() - 1;
  if (px.size() == 1) return x < px[0] ? left : x > px[0] ? right : py[0];
  if (x != x) return x;
  if (x < px[0]) return left;
  if (x > px[last]) return right;
  std::size_t j = 0;
  while (j < last && px[j + 1] <= x) ++j;
  if (j == last || px[j] == x) return py[j];
  const double slope = (py[j + 1] - py[j]) / (px[j + 1] - px[j]);
  double y = slope * (x - px[j]) + py[j];
  if (y != y) y = slope * (x - px[j + 1]) + py[j + 1];
  return y != y && py[j] == py[j + 1] ? py[j] : y;
}

TEST(HostRoutines, InterpIsNumPys) {
  const std::vector<std::vector<double>> points = {{0, 1, 2, 3, 4, 5, 6, 7},
                                                   {0, 1e-3, 0.1, 5, 5, 5, 6, 7},
                                                   {-1e308, 0, 1e308},
                                                   {-kInfinity, 0, 1, 2, kInfinity},
                                                   {2},
                                                   {1, 1, 1},
                                                   {0, 1e-300, 2e-300, 1, 2, 3, 1e10},
                                                   {-3, -2.9, -2.8, 7}};
  for (const std::vector<double>& px : points) {
    for (const bool special : {false, true}) {
      std::vector<double> py;
      for (std::size_t i = 0; i < px.size(); ++i) {
        py.push_back(special && i % 3 == 1 ? kInfinity : std::sin(static_cast<double>(i)));
      }
      std::vector<double> x = {kNan, -kInfinity, kInfinity, -1e300, 1e300, 0, -0.0};
      for (const double p : px) {
        x.insert(x.end(), {p, std::nextafter(p, kInfinity), std::nextafter(p, -kInfinity)});
      }
      for (int i = 0; i < 400; ++i) x.push_back(9 * std::sin(i * 1.7));
      for (const std::size_t count : {x.size(), std::size_t{2}}) {
        const std::vector<double> at(x.end() - static_cast<std::ptrdiff_t>(count), x.end());
        const ndarray plain = interp(array(at), array(px), array(py));
        const ndarray given = interp(array(at), array(px), array(py), {.left = -5.0, .right = 9});
        for (std::size_t i = 0; i < at.size(); ++i) {
          EXPECT_TRUE(same(values_of(plain)[i], interpolated(at[i], px, py, py.front(), py.back())))
              << at[i] << " among " << px.size() << " points: " << values_of(plain)[i];
          EXPECT_TRUE(same(values_of(given)[i], interpolated(at[i], px, py, -5, 9))) << at[i];
        }
      }
    }
  }
  // Layouts and dtypes; the shape is that of x.
  const ndarray x = arange(6).reshape({2, 3});
  EXPECT_TRUE(array_equal(interp(x.T(), array({0, 10}), array({0, 100})), 10.0 * x.T()));
  const ndarray gaps = arange(20.0)(slice(none, none, 2));
  EXPECT_TRUE(array_equal(interp(3.0, gaps, -gaps), array(Scalar(-3.0))));
  // Complex values at NaN, as NumPy 1.24.
  using Z = complex<double>;
  const ndarray one = interp(array({kNan, 1.0}), array({1.0}), array(std::vector<Z>{{2, 3}}));
  EXPECT_TRUE(array_equal(one, array(std::vector<Z>{{2, 3}, {2, 3}})));
  const ndarray two = array(std::vector<Z>{{2, 3}, {1, 0}});
  const ndarray line = interp(array({kNan, 0.5}), array({0, 1}), two);
  EXPECT_TRUE(array_equal(imag(line), array({0, 1.5})));
  const ndarray ring = interp(array({kInfinity, kNan, 0.5}), array({0, 1}), two, {.period = 2.0});
  EXPECT_TRUE(array_equal(imag(ring), array({0, 0, 1.5})));
}

TEST(HostRoutines, HistogramCountsBetweenEdges) {
  std::vector<double> x = {kNan, -1, 0, 10, 11, 2.5, 5, 5, 7.5};
  for (int i = 0; i < 500; ++i) x.push_back(5 + 6 * std::sin(i * 0.37));
  std::vector<double> w;
  for (std::size_t i = 0; i < x.size(); ++i) w.push_back(static_cast<double>(i % 7) - 2);
  const std::vector<std::vector<double>> all_edges = {
      {0, 2.5, 5, 7.5, 10},          {0, 1, 1, 10},          {0, 5, 5}, {3, 4},
      {-kInfinity, 0, 5, kInfinity}, {0, 1e-9, 2e-9, 9, 10}, {5, 5}};
  for (const std::vector<double>& edges : all_edges) {
    const std::size_t bins = edges.size() - 1;
    for (const dtype type : {float64, float32}) {
      std::vector<double> counts(bins), sums(bins);
      const std::vector<double> elements = values_of(array(x).astype(type));
      for (std::size_t i = 0; i < x.size(); ++i) {
        for (std::size_t bin = 0; bin < bins; ++bin) {
          const bool in =
              elements[i] >= edges[bin] &&
              (elements[i] < edges[bin + 1] || (bin + 1 == bins && elements[i] == edges[bin + 1]));
          counts[bin] += in ? 1 : 0;
          sums[bin] += in ? w[i] : 0;
        }
      }
      const HistogramResult plain = histogram(array(x).astype(type), array(edges));
      const HistogramResult weighed =
          histogram(array(x).astype(type), array(edges), {.weights = array(w)});
      EXPECT_EQ(plain.hist.dtype(), int64);
      EXPECT_EQ(values_of(plain.hist), counts) << edges.size() << " " << type;
      EXPECT_EQ(values_of(weighed.hist), sums) << edges.size() << " " << type;
    }
  }
  EXPECT_EQ(values_of(histogram(arange(10), 5).hist), (std::vector<double>{2, 2, 2, 2, 2}));
  EXPECT_EQ(values_of(histogram(array({1, 2, 1}), array({0, 1, 2, 3})).hist),
            (std::vector<double>{0, 2, 1}));
  EXPECT_EQ(values_of(histogram(array({true, false, true}), 2).hist), (std::vector<double>{1, 2}));
  const ndarray many = random::rand({200000});
  EXPECT_EQ(sum(histogram(many, 100).hist).item<std::int64_t>(), 200000);
}

// The place of an element in front of, in or behind an axis, by each mode's definition.
std::int64_t source_of(PadMode mode, std::int64_t i, std::int64_t n) {
  while (i < 0 || i >= n) {
    if (mode == PadMode::edge) return i < 0 ? 0 : n - 1;
    if (mode == PadMode::wrap) {
      i += i < 0 ? n : -n;
    } else if (mode == PadMode::symmetric) {
      i = i < 0 ? -1 - i : 2 * n - 1 - i;
    } else if (n == 1) {
      return 0;
    } else {
      i = i < 0 ? -i : 2 * n - 2 - i;
    }
  }
  return i;
}

TEST(HostRoutines, PadTakesElementsWhereItsModeSays) {
  const ndarray a = arange(12).reshape({3, 4}), turned = a.T().copy().T();
  for (const PadMode mode : {PadMode::edge, PadMode::wrap, PadMode::symmetric, PadMode::reflect}) {
    for (const ndarray& x : {a, turned}) {
      const ndarray padded = pad(x, {{5, 2}, {0, 9}}, {.mode = mode});
      ASSERT_EQ(padded.shape(), (Shape{10, 13}));
      for (std::int64_t i = 0; i < 10; ++i) {
        for (std::int64_t j = 0; j < 13; ++j) {
          EXPECT_EQ(padded(i, j).item<std::int64_t>(),
                    a(source_of(mode, i - 5, 3), source_of(mode, j, 4)).item<std::int64_t>());
        }
      }
    }
  }
  const ndarray framed = pad(a, 1, {.constant_values = 7});
  EXPECT_EQ(sum(framed).item<std::int64_t>(), 66 + 7 * (30 - 12));
  EXPECT_TRUE(array_equal(framed(slice(1, -1), slice(1, -1)), a));
  EXPECT_TRUE(array_equal(pad(a, {{0, 1}, {0, 0}}, {.mode = PadMode::maximum_})(3), a(2)));
  EXPECT_TRUE(array_equal(pad(array({2.0, 4.0}), 2, {.mode = PadMode::linear_ramp}),
                          array({0.0, 1.0, 2.0, 4.0, 2.0, 0.0})));
  const ndarray same = pad(a, 0);
  EXPECT_TRUE(array_equal(same, a));
  EXPECT_FALSE(same.shares_memory(a));
  EXPECT_EQ(pad(zeros({0, 2}), 1).shape(), (Shape{2, 4}));
}

TEST(HostRoutines, BitsArePackedAndUnpacked) {
  for (const std::int64_t n : {0, 1, 7, 8, 9, 16, 17, 31, 33, 100}) {
    for (const BitOrder order : {BitOrder::big, BitOrder::little}) {
      const ndarray bits = arange(3 * n).reshape({3, n}) % 5 == 0;
      for (const ndarray& x : {bits, (bits * 200).astype(uint8), (bits * -3).astype(int8),
                               (bits * 256).astype(int64)}) {
        const ndarray packed = packbits(x, 1, order);
        ASSERT_EQ(packed.shape(), (Shape{3, (n + 7) / 8}));
        for (std::int64_t row = 0; row < 3; ++row) {
          for (std::int64_t i = 0; i < (n + 7) / 8 * 8; ++i) {
            const int shift = static_cast<int>(order == BitOrder::big ? 7 - i % 8 : i % 8);
            const int bit = packed(row, i / 8).item<std::uint8_t>() >> shift & 1;
            EXPECT_EQ(bit != 0, i < n && bits(row, i).item<bool>()) << n << " " << i;
          }
        }
        if (n == 0) continue;
        const ndarray back = unpackbits(packed, 1, {.count = n, .bitorder = order});
        EXPECT_TRUE(array_equal(back, bits.astype(uint8)));
        EXPECT_EQ(unpackbits(packed, 1, {.count = -1, .bitorder = order}).shape()[1],
                  (n + 7) / 8 * 8 - 1);
        const ndarray longer = unpackbits(packed, 1, {.count = n + 30, .bitorder = order});
        EXPECT_TRUE(array_equal(longer(slice(), slice(0, n)), bits.astype(uint8)));
        EXPECT_FALSE(any(longer(slice(), slice(n, none))).item<bool>());
        EXPECT_TRUE(array_equal(packbits(x.T(), 0, order), packed.T()));
      }
    }
  }
}

TEST(HostRoutines, ResizeRepeatsAndTrimZerosCuts) {
  for (const std::int64_t n : {1, 2, 5, 6, 7, 40}) {
    const ndarray result = resize(arange(6).reshape({2, 3}).T(), {n});
    for (std::int64_t i = 0; i < n; ++i) {
      EXPECT_EQ(result(i).item<std::int64_t>(), (std::array{0, 3, 1, 4, 2, 5})[i % 6]) << n;
    }
  }
  EXPECT_EQ(resize(arange(3), {0}).size(), 0);
  ndarray a = zeros({3000});
  EXPECT_EQ(trim_zeros(a).size(), 0);
  a(1000) = 1;
  a(1234) = kNan;
  EXPECT_EQ(trim_zeros(a).size(), 235);
  EXPECT_EQ(trim_zeros(a, "f").size(), 2000);
  EXPECT_EQ(trim_zeros(a, "b").size(), 1235);
  EXPECT_EQ(trim_zeros(zeros({0})).size(), 0);
}

TEST(HostRoutines, TakeFindsEveryModesPlaces) {
  const ndarray a = arange(24).reshape({2, 3, 4});
  for (const dtype type : {bool_, int16, int32, float64, complex128}) {
    const ndarray x = a.astype(type);
    for (const dtype index : {int32, int64}) {
      const ndarray at = array({2, -3, 0, -1}).astype(index);
      const ndarray middle = take(x, at, 1);
      const std::int64_t expected[] = {2, 0, 0, 2};
      for (std::int64_t i = 0; i < 4; ++i) {
        EXPECT_TRUE(array_equal(middle(slice(), i), x(slice(), expected[i]))) << type;
      }
      const ndarray far = array({-25, -1, 24, 50}).astype(index);
      EXPECT_TRUE(
          array_equal(take(x, far, {.mode = IndexMode::wrap}), take(x, array({23, 23, 0, 2}))));
      EXPECT_TRUE(
          array_equal(take(x, far, {.mode = IndexMode::clip}), take(x, array({0, 0, 23, 23}))));
      ndarray out = full({2}, 1, type);
      EXPECT_THROW(take(x, array({0, 24}).astype(index), {.out = out}), IndexError);
      EXPECT_THROW(take(x, array({0, -25}).astype(index), {.out = out}), IndexError);
      EXPECT_TRUE(array_equal(out, full({2}, 1, type)));  // nothing was written
    }
  }
}

TEST(HostRoutines, WindowsAreTheirFormulas) {
  constexpr double kPi = 3.14159265358979323846;
  for (const std::int64_t m : {2, 3, 10, 1001}) {
    for (std::int64_t i = 0; i < m; ++i) {
      const double at = static_cast<double>(1 - m + 2 * i) / static_cast<double>(m - 1);
      EXPECT_NEAR(bartlett(m)(i).item<double>(), 1 - std::abs(at), 1e-15);
      EXPECT_NEAR(hamming(m)(i).item<double>(), 0.54 + 0.46 * std::cos(kPi * at), 2e-15);
      EXPECT_NEAR(hanning(m)(i).item<double>(), 0.5 + 0.5 * std::cos(kPi * at), 2e-15);
      EXPECT_NEAR(blackman(m)(i).item<double>(),
                  0.42 + 0.5 * std::cos(kPi * at) + 0.08 * std::cos(2 * kPi * at), 2e-15);
      if (m > 100 && i % 50 != 0) continue;
      for (const double beta : {0.0, 0.5, 8.6, 14.0, 39.0, 41.0, 100.0}) {
        const double expected =
            std::cyl_bessel_i(0.0, beta * std::sqrt(1 - at * at)) / std::cyl_bessel_i(0.0, beta);
        EXPECT_NEAR(kaiser(m, beta)(i).item<double>() / expected, 1, 1e-12) << beta;
      }
    }
  }
}

TEST(HostRoutines, OthersAreTheirDefinitions) {
  const ndarray places = array({0, 5, 22, 23});
  const auto unravelled = unravel_index(places, {2, 3, 4});
  EXPECT_TRUE(array_equal(unravelled[0], array({0, 0, 1, 1})));
  EXPECT_TRUE(array_equal(unravelled[1], array({0, 1, 2, 2})));
  EXPECT_TRUE(array_equal(unravelled[2], array({0, 1, 2, 3})));
  EXPECT_TRUE(array_equal(places, array({0, 5, 22, 23})));  // is not used up
  EXPECT_TRUE(array_equal(unravel_index(places, {2, 3, 4}, Order::F)[0], array({0, 1, 0, 1})));

  const ndarray holes = array({{kNan, 2.0, -3.0}, {5.0, kNan, 1.0}});
  EXPECT_EQ(nanmax(holes).item<double>(), 5);
  EXPECT_EQ(nanmin(holes, {}, {.keepdims = true}).shape(), (Shape{1, 1}));
  EXPECT_EQ(nanmin(holes.T()).item<double>(), -3);
  EXPECT_TRUE(std::isnan(nanmax(full({70}, kNan)).item<double>()));

  EXPECT_TRUE(array_equal(isposinf(array({kInfinity, -kInfinity, kNan, 1.0})),
                          array({true, false, false, false})));
  EXPECT_TRUE(array_equal(isneginf(array({kInfinity, -kInfinity, kNan, 1.0})),
                          array({false, true, false, false})));
  EXPECT_TRUE(array_equal(isreal(array({1.0, 2.0})), array({true, true})));
  EXPECT_TRUE(array_equal(ediff1d(array({1.0, 4.0, 9.0})), array({3.0, 5.0})));
  EXPECT_EQ(ediff1d(array({1.0})).size(), 0);

  // Accumulated along each axis of any layout, in NumPy's order.
  const ndarray m = array({{3.0, 1.0, 2.0}, {1.0, 5.0, 0.0}});
  EXPECT_TRUE(array_equal(maximum.accumulate(m, 1), array({{3.0, 3.0, 3.0}, {1.0, 5.0, 5.0}})));
  EXPECT_TRUE(array_equal(maximum.accumulate(m.T(), 1), maximum.accumulate(m, 0).T()));
  EXPECT_TRUE(array_equal(subtract.accumulate(m, 1), array({{3.0, 2.0, 0.0}, {1.0, -4.0, -4.0}})));
  EXPECT_EQ(add.accumulate(array({1e16, 1.0, 1.0}))(2).item<double>(), 1e16);
  EXPECT_TRUE(
      array_equal(add.reduceat(arange(8.0), array({0, 4, 1, 5})), array({6.0, 4.0, 10.0, 18.0})));

  // The extremes of columns pass NaN on.
  ndarray columns = arange(400.0).reshape({20, 20});
  columns(3, 7) = kNan;
  EXPECT_TRUE(std::isnan(amax(columns, 0)(7).item<double>()));
  EXPECT_EQ(amax(columns, 0)(8).item<double>(), 388);
  EXPECT_EQ(argmax(columns.ravel()).item<std::int64_t>(), 67);
  EXPECT_EQ(argmin(concatenate({arange(200, 0, -1), array({1, 1})})).item<std::int64_t>(), 199);

  const ndarray order = random::permutation(5000);
  EXPECT_TRUE(array_equal(sort(order), arange(5000)));
  EXPECT_EQ(random::permutation(0).size(), 0);
  EXPECT_EQ(random::permutation(1)(0).item<std::int64_t>(), 0);
}

TEST(HostRoutines, AroundScalesRoundsAndScalesBack) {
  for (const int n : {3, 5000}) {
    std::vector<double> x, two, tens;
    for (int i = 0; i < n; ++i) {
      x.push_back(std::sin(i * 0.7) * 1000);
      two.push_back(std::nearbyint(x.back() * 100) / 100);
      tens.push_back(std::nearbyint(x.back() / 10) * 10);
    }
    const ndarray a = array(x);
    EXPECT_EQ(values_of(around(a, 2)), two);
    EXPECT_EQ(values_of(around(a, -1)), tens);
    const ndarray out = zeros(n), same_place = array(x);
    EXPECT_TRUE(around(a, 2, out).shares_memory(out));
    EXPECT_EQ(values_of(out), two);
    around(same_place, -1, same_place);
    EXPECT_EQ(values_of(same_place), tens);
    EXPECT_EQ(values_of(a), x);
    const ndarray waves = sinc(a);
    for (int i = 0; i < n; ++i) {
      const double angle = x[static_cast<std::size_t>(i)] * 3.14159265358979323846;
      EXPECT_NEAR(waves.item<double>(i), angle == 0 ? 1 : std::sin(angle) / angle, 1e-15);
    }
    EXPECT_EQ(values_of(a), x);
  }
}

TEST(HostRoutines, VanderHasThePowersOfEachNumber) {
  for (const int n : {1, 10, 1024, 1025, 3000}) {
    std::vector<double> x;
    for (int i = 0; i < n; ++i) x.push_back(std::cos(i * 0.3) * 2);
    const ndarray falling = vander(array(x), 4), rising = vander(array(x), 4, true);
    ASSERT_EQ(falling.shape(), (Shape{n, 4}));
    const std::vector<double> down = values_of(falling), up = values_of(rising);
    for (std::size_t i = 0; i < x.size(); ++i) {
      double power = 1;
      for (std::size_t k = 0; k < 4; ++k, power *= x[i]) {
        ASSERT_EQ(up[4 * i + k], power) << i;
        ASSERT_EQ(down[4 * i + 3 - k], power) << i;
      }
    }
  }
  EXPECT_EQ(vander(array({1, 2, 3}, int32), 3).dtype(), int64);
  EXPECT_EQ(values_of(vander(array({2, 3}, int32), 3)), (std::vector<double>{4, 2, 1, 9, 3, 1}));
  EXPECT_EQ(vander(array({1, 2}), 0).shape(), (Shape{2, 0}));
}

// Python's quotient and remainder; 0 by 0, and what does not fit wraps around, as in NumPy.
std::int64_t floored(std::int64_t x, std::int64_t y) {
  if (y == 0) return 0;
  if (y == -1) return static_cast<std::int64_t>(0 - static_cast<std::uint64_t>(x));
  const std::int64_t cut = x / y;
  return cut * y != x && (x < 0) != (y < 0) ? cut - 1 : cut;
}
std::int64_t rest_of(std::int64_t x, std::int64_t y) {
  if (y == 0 || y == -1) return 0;
  return x - floored(x, y) * y;
}

TEST(HostRoutines, IntegersAreDividedAsInPython) {
  constexpr std::int64_t kTop = std::int64_t{1} << 52, kHalf = kTop / 2;
  constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
  // Those of one list are divided without branches, those of the other make a block look.
  const std::vector<std::int64_t> easy = {1,     -1,     2,        -2,        3,         -3,
                                          7,     -7,     100,      -100,      kHalf - 1, -kHalf + 1,
                                          kHalf, -kHalf, 94906265, -94906267, 4503599,   -67108859};
  const std::vector<std::int64_t> hard = {0,         kTop - 1,   kTop,   -kTop,        kTop + 1,
                                          -kTop - 1, kLeast + 1, kLeast, -(kLeast + 1)};
  std::vector<std::int64_t> all = easy;
  all.insert(all.end(), hard.begin(), hard.end());
  for (const std::vector<std::int64_t>& values : {easy, all}) {
    std::vector<std::int64_t> x, y, quotient, rest;
    for (const std::int64_t p : values) {
      for (const std::int64_t q : values) {
        for (const std::int64_t near : {-1, 0, 1}) {
          x.push_back(p < kLeast + 1 || p == -(kLeast + 1) ? p : p + near);
          y.push_back(q);
          quotient.push_back(floored(x.back(), q));
          rest.push_back(rest_of(x.back(), q));
        }
      }
    }
    const ndarray a = array(x), b = array(y);
    EXPECT_EQ(floor_divide(a, b).to_vector<std::int64_t>(), quotient);
    EXPECT_EQ((a % b).to_vector<std::int64_t>(), rest);
    const auto [q, r] = divmod(a, b);
    EXPECT_EQ(q.to_vector<std::int64_t>(), quotient);
    EXPECT_EQ(r.to_vector<std::int64_t>(), rest);
    // In place, and of other steps.
    const ndarray c = a.copy(), wide = zeros({a.size(), 2}, int64);
    c %= b;
    EXPECT_EQ(c.to_vector<std::int64_t>(), rest);
    wide(slice(), 1) = a;
    EXPECT_EQ((wide(slice(), 1) % b).to_vector<std::int64_t>(), rest);
    for (std::size_t n = 1; n < 40; ++n) {
      const auto few = static_cast<std::int64_t>(n);
      const std::vector<std::int64_t> expected(rest.begin() + 5, rest.begin() + 5 + few);
      EXPECT_EQ((a(slice(5, 5 + few)) % b(slice(5, 5 + few))).to_vector<std::int64_t>(), expected);
    }
  }
}

}  // namespace
}  // namespace cupyxx
