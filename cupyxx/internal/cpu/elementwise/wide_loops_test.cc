// SPDX-License-Identifier: MIT
// Loops that do several elements at a time, and ways around what prepares a loop, against the
// elements one by one: many lengths, so that some are left over, and layouts that have no vectors.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "cupyxx/cupyxx.h"

namespace cupyxx {
namespace {

const std::vector<std::int64_t>& lengths() {
  static const std::vector<std::int64_t> all = {1, 7, 8, 9, 63, 64, 65, 200, 1027, 70001};
  return all;
}

// Every n-th number of a fixed order.
std::int64_t mixed(std::int64_t i) { return (i * 7919 + 13) % 1009; }

ndarray mixed_numbers(std::int64_t n, dtype type) {
  std::vector<std::int64_t> x(static_cast<std::size_t>(n));
  for (std::int64_t i = 0; i < n; ++i) x[static_cast<std::size_t>(i)] = mixed(i);
  return array(x).astype(type);
}

TEST(WideLoops, EverySecondElementAndBackward) {
  for (const dtype type : {int8, int16, int32, int64, float16, float32, float64, complex128}) {
    for (const std::int64_t n : lengths()) {
      const ndarray numbers = mixed_numbers(2 * n, int64);
      const ndarray whole = (numbers % 100).astype(type);
      std::vector<double> sums, differences;
      for (std::int64_t i = 0; i < n; ++i) {
        const auto at = [&](std::int64_t k) { return static_cast<double>(mixed(k) % 100); };
        sums.push_back(at(2 * i) + at(2 * i + 1));
        differences.push_back(at(n - 1 - i) - 3);
      }
      const ndarray even = whole(slice(0, none, 2)), odd = whole(slice(1, none, 2));
      const ndarray backward = whole(slice(0, n))(slice(none, none, -1));
      const auto wanted = [&](const std::vector<double>& x) { return array(x).astype(type); };
      EXPECT_TRUE(static_cast<bool>(array_equal(even + odd, wanted(sums)))) << type << " " << n;
      EXPECT_TRUE(static_cast<bool>(array_equal(backward - 3, wanted(differences))))
          << type << " " << n;
    }
  }
}

TEST(WideLoops, WhereChoosesBits) {
  for (const dtype type : {bool_, int8, int16, int32, int64, uint64, float16, bfloat16_, float32,
                           float64, complex64}) {
    const std::int64_t n = 203;
    const ndarray numbers = mixed_numbers(2 * n, int64), m = equal(remainder(numbers, 2), 0);
    ndarray x = numbers.astype(type), y = (numbers + 1).astype(type);
    if (type.is_floating() && type.itemsize() > 2) {
      x(slice(0, 3)) = array({-0.0, NAN, INFINITY});
      y(slice(2, 5)) = array({-INFINITY, -0.0, NAN});
    }
    for (const std::int64_t step : {1, 2}) {
      const ndarray c = m(slice(0, n * step, step)), a = x(slice(0, n * step, step)),
                    b = y(slice(0, n * step, step));
      const auto truth = c.to_vector<bool>();
      const ndarray chosen = where(c, a, b), with_number = where(c, a, b(0).copy());
      for (std::int64_t i = 0; i < n; ++i) {
        const ndarray expected = truth[static_cast<std::size_t>(i)] ? ndarray(a(i)) : ndarray(b(i));
        EXPECT_EQ(ndarray(chosen(i)).tobytes(), expected.tobytes()) << type << " " << i;
        const ndarray other = truth[static_cast<std::size_t>(i)] ? ndarray(a(i)) : ndarray(b(0));
        EXPECT_EQ(ndarray(with_number(i)).tobytes(), other.tobytes()) << type << " " << i;
      }
    }
  }
}

template <class T, class N>
void check_ldexp() {
  std::vector<T> x;
  std::vector<N> exponent;
  using Limits = std::numeric_limits<T>;
  for (const T value : {T(0), T(-0.0), T(1), T(-1.7), Limits::max(), Limits::min(),
                        Limits::denorm_min(), T(1.5) * Limits::min(), T(0.3), Limits::infinity(),
                        -Limits::infinity(), Limits::quiet_NaN()}) {
    for (const N by :
         {N(0), N(1), N(-1), N(30), N(-30), N(-140), N(200), N(-1060), N(-1074), N(2000), N(-2100),
          std::numeric_limits<N>::max(), std::numeric_limits<N>::min()}) {
      x.push_back(value);
      exponent.push_back(by);
    }
  }
  for (const std::int64_t step : {1, 2}) {
    const ndarray a = array(x)(slice(none, none, step)),
                  n = array(exponent)(slice(none, none, step));
    const auto y = ldexp(a, n).template to_vector<T>();
    for (std::size_t i = 0; i < y.size(); ++i) {
      const std::size_t at = i * static_cast<std::size_t>(step);
      const auto by = static_cast<int>(std::clamp<std::int64_t>(exponent[at], -10000, 10000));
      const T expected = std::ldexp(x[at], by);
      EXPECT_TRUE(std::isnan(expected)
                      ? std::isnan(y[i])
                      : y[i] == expected && std::signbit(y[i]) == std::signbit(expected))
          << x[at] << " " << by << ": " << y[i] << ", not " << expected;
    }
  }
}

TEST(WideLoops, LdexpIsRoundedOnce) {
  check_ldexp<double, std::int64_t>();
  check_ldexp<double, std::int32_t>();
  check_ldexp<float, std::int64_t>();
  check_ldexp<float, std::int32_t>();
}

TEST(WideLoops, RunningSumsOfIntegersWrapAround) {
  for (const std::int64_t n : lengths()) {
    const ndarray x = mixed_numbers(n, int64) * (std::int64_t{1} << 53);
    const auto numbers = x.to_vector<std::int64_t>(), sums = cumsum(x).to_vector<std::int64_t>();
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      sum += static_cast<std::uint64_t>(numbers[i]);
      ASSERT_EQ(sums[i], static_cast<std::int64_t>(sum)) << n << " " << i;
    }
  }
  EXPECT_TRUE(array_equal(cumsum(arange(24).reshape({2, 12}), 1),
                          array({{0, 1, 3, 6, 10, 15, 21, 28, 36, 45, 55, 66},
                                 {12, 25, 39, 54, 70, 87, 105, 124, 144, 165, 187, 210}})));
}

TEST(WideLoops, TruthsAreCounted) {
  for (const std::int64_t n : lengths()) {
    const auto numbers = mixed_numbers(n, int64).to_vector<std::int64_t>();
    std::int64_t expected = 0;
    for (const std::int64_t x : numbers) expected += x % 3 != 0;
    const ndarray truths = not_equal(remainder(array(numbers), 3), 0);
    EXPECT_EQ(count_nonzero(truths), expected);
    EXPECT_EQ(count_nonzero(ones({n}, bool_)), n);
  }
}

template <class T>
void check_extremes() {
  for (const std::int64_t n : lengths()) {
    ndarray x = mixed_numbers(n, dtype_of<T>());
    const auto numbers = x.to_vector<T>();
    const auto largest = std::max_element(numbers.begin(), numbers.end()) - numbers.begin();
    const auto least = std::min_element(numbers.begin(), numbers.end()) - numbers.begin();
    EXPECT_EQ(argmax(x).template item<std::int64_t>(), largest);
    EXPECT_EQ(argmin(x).template item<std::int64_t>(), least);
    if constexpr (std::is_floating_point_v<T>) {
      for (const std::int64_t at : {std::int64_t{0}, n / 2, n - 1}) {
        for (const double value : {static_cast<double>(INFINITY), static_cast<double>(NAN)}) {
          ndarray y = x.copy();
          y(slice(at, none)) = value;
          EXPECT_EQ(argmax(y).template item<std::int64_t>(), at) << n << " " << value;
          y(slice(at, none)) = -value;
          EXPECT_EQ(argmin(y).template item<std::int64_t>(), at) << n << " " << value;
        }
      }
    }
  }
}

TEST(WideLoops, TheFirstExtremeIsFound) {
  check_extremes<double>();
  check_extremes<float>();
  check_extremes<std::int64_t>();
  check_extremes<std::int16_t>();
}

TEST(WideLoops, RepeatedElements) {
  for (const dtype type : {int8, float16, float32, float64, complex128}) {
    for (const std::int64_t times : {1, 2, 3, 4, 7, 33}) {
      for (const std::int64_t n : {1, 9, 1027}) {
        const ndarray x = mixed_numbers(2 * n, int64).astype(type)(slice(none, none, 2));
        std::vector<std::int64_t> places;
        for (std::int64_t i = 0; i < n * times; ++i) places.push_back(i / times);
        EXPECT_TRUE(array_equal(repeat(x, times), take(x, array(places)))) << type << " " << times;
      }
    }
  }
  // Past the caches.
  const ndarray many = repeat(arange(800000), 3).reshape({800000, 3});
  for (int k = 0; k < 3; ++k) EXPECT_TRUE(array_equal(many(ellipsis, k), arange(800000)));
}

TEST(WideLoops, RepeatedElementsOntoThemselvesAreCopiedFirst) {
  const ndarray flat = arange(12);
  flat.reshape({4, 3})() = flat(slice(0, 4)).reshape({4, 1});
  EXPECT_EQ(flat.to_vector<int>(), (std::vector<int>{0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3}));
  const ndarray none = empty({3, 0});
  none() = ones({3, 1});
  EXPECT_EQ(none.size(), 0);
}

TEST(WideLoops, PackedBits) {
  for (const std::int64_t n : lengths()) {
    const ndarray x = equal(remainder(mixed_numbers(n, int64), 2), 0);
    const auto truths = x.to_vector<bool>();
    for (const BitOrder order : {BitOrder::big, BitOrder::little}) {
      const auto packed = packbits(x, {}, order).to_vector<std::uint8_t>();
      for (std::size_t i = 0; i < truths.size(); ++i) {
        const std::size_t bit = order == BitOrder::big ? 7 - i % 8 : i % 8;
        ASSERT_EQ((packed[i / 8] >> bit & 1) != 0, truths[i]) << n << " " << i;
      }
    }
  }
}

TEST(WideLoops, RangesContinueTheFirstDifference) {
  for (const std::int64_t n : lengths()) {
    const double step = 0.1;
    const auto x =
        arange(0.3, 0.3 + step * (static_cast<double>(n) - 0.5), step).to_vector<double>();
    ASSERT_EQ(static_cast<std::int64_t>(x.size()), n);
    const double delta = (0.3 + step) - 0.3;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double expected = i == 0   ? 0.3
                              : i == 1 ? 0.3 + step
                                       : 0.3 + static_cast<double>(i) * delta;
      ASSERT_EQ(x[i], expected) << i;
    }
  }
}

TEST(WideLoops, FewElementsAreFilled) {
  for (const dtype type : {bool_, int16, bfloat16_, float32, float64, complex64, complex128}) {
    for (const std::int64_t n : {1, 5, 100, 5000}) {
      ndarray x = zeros({n + 2}, type);
      ndarray(x(slice(1, n + 1))).fill(1);
      EXPECT_EQ(count_nonzero(x), n) << type;
      EXPECT_TRUE(array_equal(x(slice(1, n + 1)), ones({n}, type))) << type;
    }
  }
  // A selection shows what was there before.
  ndarray x = arange(4.0);
  const auto chosen = x(array({1, 2}));
  x.fill(7);
  EXPECT_TRUE(array_equal(chosen, array({1.0, 2.0})));
}

TEST(WideLoops, SmallMatricesAreTurned) {
  for (const dtype type : {int8, float16, float64, complex128}) {
    for (const std::int64_t rows : {1, 3, 10, 20}) {
      const ndarray x = mixed_numbers(rows * 11, int64).astype(type).reshape({rows, 11});
      const ndarray turned = asfortranarray(x), back = ascontiguousarray(turned);
      EXPECT_TRUE(turned.flags().f_contiguous);
      EXPECT_TRUE(back.flags().c_contiguous);
      for (std::int64_t i = 0; i < rows; ++i) {
        for (std::int64_t j = 0; j < 11; ++j) {
          EXPECT_TRUE(array_equal(turned(i, j), x(i, j)) && array_equal(back(i, j), x(i, j)));
        }
      }
    }
  }
}

TEST(WideLoops, ZerosAreTrimmed) {
  EXPECT_TRUE(
      array_equal(trim_zeros(array({-0.0, 0.0, 1.0, 0.0, 2.0, -0.0})), array({1.0, 0.0, 2.0})));
  EXPECT_TRUE(array_equal(trim_zeros(array({-0.0, 3.0})), array({3.0})));
  EXPECT_TRUE(array_equal(trim_zeros(array({std::int64_t{1} << 63, std::int64_t{0}})),
                          array({std::int64_t{1} << 63})));
  EXPECT_EQ(trim_zeros(zeros({70})).size(), 0);
  EXPECT_TRUE(array_equal(trim_zeros(array({5, 0, 6})(slice(none, none, -1))), array({6, 0, 5})));
}

}  // namespace
}  // namespace cupyxx
