// SPDX-License-Identifier: MIT
// Membership by each of its algorithms, and convolution, beside loops that follow the definition.
#include "cupyxx/sets.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <random>
#include <set>
#include <vector>

#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/math.h"
#include "cupyxx/reduction.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect.h"

namespace cupyxx {
namespace {

using testing::expect_array_equal;

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

class Sets : public testing::DeviceTest {};
CUPYXX_TEST_ON_DEVICES(Sets);

template <class T>
void check_members(const std::vector<T>& x, const std::vector<T>& known) {
  const std::set<T> all(known.begin(), known.end());
  std::vector<bool> expected, absent;
  for (const T& value : x) {
    expected.push_back(all.count(value) != 0);
    absent.push_back(!expected.back());
  }
  EXPECT_EQ(isin(array(x), array(known)).template to_vector<bool>(), expected);
  EXPECT_EQ(isin(array(x), array(known), {.invert = true}).template to_vector<bool>(), absent);
}

/// `count` numbers in [low, low + range).
template <class T>
std::vector<T> random_numbers(std::size_t count, T low, std::uint64_t range) {
  std::mt19937_64 generator(count + range);
  std::vector<T> values(count);
  for (T& value : values) value = static_cast<T>(low + static_cast<T>(generator() % range));
  return values;
}

TEST_P(Sets, MembersAreFoundAmongFewNearAndFarNumbers) {
  for (const std::size_t known : {1, 3, 4, 5, 12, 13, 100, 3000}) {
    check_members<std::int64_t>(random_numbers<std::int64_t>(5000, -500, 1000),
                                random_numbers<std::int64_t>(known, -300, 2000));
    check_members<std::int64_t>(random_numbers<std::int64_t>(5000, -5000000, 3000),
                                random_numbers<std::int64_t>(known, -5000000, 1u << 30));
    check_members<std::int32_t>(random_numbers<std::int32_t>(777, -9, 20),
                                random_numbers<std::int32_t>(known, -5, 8));
    check_members<std::uint8_t>(random_numbers<std::uint8_t>(300, 0, 256),
                                random_numbers<std::uint8_t>(known, 100, 100));
    check_members<std::int8_t>(random_numbers<std::int8_t>(300, -100, 200),
                               random_numbers<std::int8_t>(known, -100, 150));
  }
}

TEST_P(Sets, MembersAtTheEndsOfTheirTypes) {
  constexpr auto kLeast = std::numeric_limits<std::int64_t>::min();
  constexpr auto kMost = std::numeric_limits<std::int64_t>::max();
  std::vector<std::int64_t> known = {kLeast, kMost, 0, -1};
  const std::vector<std::int64_t> x = {kLeast, kLeast + 1, kMost, kMost - 1, 0, 1, -1, -2};
  check_members(x, known);
  for (std::int64_t i = 100; i < 200; ++i) known.push_back(i);
  check_members(x, known);
  check_members<std::int64_t>(x, std::vector<std::int64_t>(known.begin() + 4, known.end()));
  std::vector<std::uint64_t> high = {~0ul, ~0ul - 1, 1ul << 63};
  check_members<std::uint64_t>({0, 1, ~0ul, ~0ul - 2, 1ul << 63, (1ul << 63) - 1}, high);
  for (std::uint64_t i = 0; i < 50; ++i) high.push_back(~0ul - 100 - i);
  check_members<std::uint64_t>({0, 1, ~0ul, ~0ul - 2, 1ul << 63, ~0ul - 120}, high);
}

TEST_P(Sets, FloatingMembersAreEqualNumbers) {
  for (const int more : {0, 100}) {  // few are compared, many looked up
    std::vector<double> known = {-0.0, kNan, kInf, 0.5};
    for (int i = 0; i < more; ++i) known.push_back(1000 + i / 8.0);
    const std::vector<double> x = {0.0, -0.0, kNan, kInf, -kInf, 0.5, 1000.125, 1000.1};
    const std::vector<bool> expected = {true, true, false, true, false, true, more > 0, false};
    EXPECT_EQ(isin(array(x), array(known)).to_vector<bool>(), expected);
    for (const dtype type : {float32, float16, bfloat16_}) {
      const auto narrow =
          isin(array(x)(slice(0, 6)).copy().astype(type), array(known).astype(type));
      EXPECT_EQ(narrow.to_vector<bool>(), std::vector<bool>(expected.begin(), expected.end() - 2));
    }
  }
}

TEST_P(Sets, MembersOfOtherShapesAndTypes) {
  const ndarray a = arange(24, int32).reshape({4, 6});
  const ndarray part = a.T()(slice(none, none, 2));
  expect_array_equal(isin(part, array({2, 8, 100})), logical_or(equal(part, 2), equal(part, 8)));
  expect_array_equal(isin(a, array({2.0, 2.5})), equal(a, 2));
  EXPECT_EQ(isin(a, zeros({0}, int64), {.invert = true}).to_vector<bool>(),
            std::vector<bool>(24, true));
  EXPECT_EQ(isin(zeros({2, 0}), a).shape(), (Shape{2, 0}));
  EXPECT_EQ(isin(array({true, false}), array({true})).to_vector<bool>(),
            (std::vector<bool>{true, false}));
}

/// Sums by the definition, in the order of the longer sequence's window.
template <class T>
std::vector<T> full_convolution(const std::vector<T>& a, const std::vector<T>& v) {
  std::vector<T> result(a.size() + v.size() - 1, T(0));
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t j = 0; j < v.size(); ++j) {
      result[i + j] = static_cast<T>(result[i + j] + a[i] * v[j]);
    }
  }
  return result;
}

template <class T>
void check_convolution(std::size_t n, std::size_t m) {
  SCOPED_TRACE(::testing::Message() << n << " and " << m << " of " << dtype_of<T>());
  std::mt19937_64 generator(n * 1000 + m);
  const auto numbers = [&](std::size_t count) {
    std::vector<T> values(count);
    for (T& value : values) value = static_cast<T>(generator() % 7);  // sums are exact
    return values;
  };
  const std::vector<T> a = numbers(n), v = numbers(m), full = full_convolution(a, v);
  const ndarray x = array(a), y = array(v);
  EXPECT_EQ(convolve(x, y).template to_vector<T>(), full);
  const std::size_t longer = std::max(n, m), shorter = std::min(n, m);
  const auto middle = full.begin() + static_cast<std::ptrdiff_t>((shorter - 1) / 2);
  EXPECT_EQ(convolve(x, y, ConvolveMode::same).template to_vector<T>(),
            std::vector<T>(middle, middle + static_cast<std::ptrdiff_t>(longer)));
  const auto inner = static_cast<std::ptrdiff_t>(shorter - 1);
  EXPECT_EQ(convolve(x, y, ConvolveMode::valid).template to_vector<T>(),
            std::vector<T>(full.begin() + inner, full.end() - inner));
  EXPECT_EQ(correlate(x, flip(y), ConvolveMode::full).template to_vector<T>(), full);
}

TEST_P(Sets, ConvolutionIsTheSumOfProducts) {
  for (const std::size_t n : {1, 2, 7, 31, 64, 65, 300}) {
    for (const std::size_t m : {1, 2, 5, 31, 33, 63, 64, 200}) {
      check_convolution<double>(n, m);
      check_convolution<float>(n, m);
      check_convolution<std::int64_t>(n, m);
      check_convolution<std::int32_t>(n, m);
      check_convolution<std::uint16_t>(n, m);
      check_convolution<std::int8_t>(n, m);  // wraps around
    }
  }
}

TEST_P(Sets, ConvolutionOfOtherTypes) {
  const ndarray a = remainder(arange(300, int64), 3), v = remainder(arange(40, int64), 2);
  const ndarray expected = convolve(a, v);
  for (const dtype type : {float16, bfloat16_, complex64, complex128}) {
    const ndarray result = convolve(a.astype(type), v.astype(type));
    EXPECT_EQ(result.dtype(), type);
    expect_array_equal(result, expected.astype(type));
  }
  expect_array_equal(convolve(not_equal(a, 0), not_equal(v, 0)), not_equal(expected, 0));
  const ndarray i = array({std::complex<double>(0, 1), std::complex<double>(2, 0)});
  expect_array_equal(convolve(i, i), array({std::complex<double>(-1, 0), std::complex<double>(0, 4),
                                            std::complex<double>(4, 0)}));
  const ndarray every = a(slice(none, none, -2));
  expect_array_equal(convolve(every, v), convolve(every.copy(), v));
}

// Where a window has no element, nothing is added: not 0 * inf either.
TEST_P(Sets, NothingIsAddedBesideTheSequence) {
  expect_array_equal(convolve(array({1.0, 2.0, 3.0}), array({kInf, 1.0})),
                     array({kInf, kInf, kInf, 3.0}));
  const ndarray taps = zeros({80});
  taps(79) = kInf;
  const ndarray result = convolve(ones({200}), taps);
  EXPECT_FALSE(any(isnan(result(slice(0, 79)))).item<bool>());
  expect_array_equal(convolve(array({2.0, kInf}), array({1.0, 0.0, 3.0})),
                     array({2.0, kInf, kNan, kInf}));
  expect_array_equal(convolve(array({1.0, 2.0}, complex64), array({3.0, 1.0}, complex64)),
                     array({3.0, 7.0, 2.0}, complex64));
}

}  // namespace
}  // namespace cupyxx
