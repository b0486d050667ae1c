// SPDX-License-Identifier: MIT
// Each pass on each instruction set against what it stands for, written down element by element.
#include "cupyxx/internal/cpu/elementwise/passes.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "cupyxx/complex.h"
#include "cupyxx/internal/cpu/arch.h"

namespace cupyxx::internal::cpu {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

std::vector<const Passes*> all_passes() {
  std::vector<const Passes*> all;
  for (const Arch arch : {Arch::baseline, Arch::avx2, Arch::avx512}) {
    if (arch <= cpu::arch()) all.push_back(&passes(arch));
  }
  return all;
}

template <class T>
std::vector<T> numbers(std::size_t n) {
  std::vector<T> x;
  for (std::size_t i = 0; i < n; ++i)
    x.push_back(static_cast<T>(100 * std::sin(1.0 + 3.0 * static_cast<double>(i))));
  return x;
}
template <class T>
const char* bytes(const std::vector<T>& x) {
  return reinterpret_cast<const char*>(x.data());
}
template <class T>
char* bytes(std::vector<T>& x) {
  return reinterpret_cast<char*>(x.data());
}

template <class T>
void check_accumulate() {
  for (const Passes* p : all_passes()) {
    const std::vector<T> x = numbers<T>(77);
    std::vector<T> sum = x, top = x;
    ASSERT_TRUE(p->accumulate("add", dtype_of<T>(), bytes(sum), 77));
    ASSERT_TRUE(p->accumulate("maximum", dtype_of<T>(), bytes(top), 77));
    T total = 0, most = x[0];
    for (std::size_t i = 0; i < x.size(); ++i) {
      total = static_cast<T>(total + x[i]);
      most = std::max(most, x[i]);
      EXPECT_EQ(sum[i], total) << i;
      EXPECT_EQ(top[i], most) << i;
    }
  }
}

TEST(Passes, AccumulateInOrder) {
  check_accumulate<double>();
  check_accumulate<float>();
  check_accumulate<std::int32_t>();
  check_accumulate<std::int64_t>();
  std::vector<double> none;
  EXPECT_TRUE(passes().accumulate("add", float64, bytes(none), 0));
  EXPECT_FALSE(passes().accumulate("hypot", float64, bytes(none), 0));
}

TEST(Passes, ReduceSegments) {
  const std::vector<double> x = numbers<double>(700);
  const std::vector<std::int64_t> starts = {0, 5, 4, 5, 20, 300, 699};
  const std::int64_t lengths[] = {5, 1, 1, 15, 280, 399, 1};
  for (const Passes* p : all_passes()) {
    std::vector<double> sum(7), low(7);
    ASSERT_TRUE(p->reduce_segments("add", float64, bytes(x), 700, starts.data(), 7, bytes(sum)));
    ASSERT_TRUE(
        p->reduce_segments("minimum", float64, bytes(x), 700, starts.data(), 7, bytes(low)));
    for (std::size_t i = 0; i < 7; ++i) {
      long double total = 0;
      double least = kInfinity;
      for (std::int64_t k = 0; k < lengths[i]; ++k) {
        const double value = x[static_cast<std::size_t>(starts[i] + k)];
        total += value;
        least = std::min(least, value);
      }
      EXPECT_NEAR(sum[i], static_cast<double>(total), 1e-11) << i;
      EXPECT_EQ(low[i], least) << i;
    }
  }
}

TEST(Passes, ExtremesPassOverNan) {
  for (const Passes* p : all_passes()) {
    for (const std::int64_t n : {1, 3, 32, 33, 64, 129, 1000}) {
      std::vector<double> x = numbers<double>(static_cast<std::size_t>(n));
      double most = -kInfinity, least = kInfinity;
      for (std::size_t i = 0; i < x.size(); ++i) {
        if (n > 1 && i % 3 == 0) {
          x[i] = kNan;
          continue;
        }
        most = std::max(most, x[i]);
        least = std::min(least, x[i]);
      }
      double found[2];
      ASSERT_TRUE(p->extreme_number(true, float64, bytes(x), n, reinterpret_cast<char*>(found)));
      ASSERT_TRUE(
          p->extreme_number(false, float64, bytes(x), n, reinterpret_cast<char*>(found + 1)));
      EXPECT_EQ(found[0], most) << n;
      EXPECT_EQ(found[1], least) << n;
    }
    const std::vector<float> nothing(70, static_cast<float>(kNan)),
        depth(70, -static_cast<float>(kInfinity));
    float found;
    ASSERT_TRUE(
        p->extreme_number(true, float32, bytes(nothing), 70, reinterpret_cast<char*>(&found)));
    EXPECT_TRUE(std::isnan(found));
    ASSERT_TRUE(
        p->extreme_number(true, float32, bytes(depth), 70, reinterpret_cast<char*>(&found)));
    EXPECT_EQ(found, -kInfinity);
    EXPECT_FALSE(
        p->extreme_number(true, int64, bytes(nothing), 1, reinterpret_cast<char*>(&found)));
  }
}

template <class T>
void check_spacing(T infinity) {
  std::vector<T> x = numbers<T>(50);
  for (const double value : {0.0, -0.0, 1.0, -1.0, 1e-310, 3.0, 1e38, -2.5e-45})
    x.push_back(static_cast<T>(value));
  x.insert(x.end(), {infinity, -infinity, static_cast<T>(kNan), std::numeric_limits<T>::max()});
  for (const Passes* p : all_passes()) {
    std::vector<T> out(x.size());
    ASSERT_TRUE(
        p->spacing(dtype_of<T>(), bytes(x), static_cast<std::int64_t>(x.size()), bytes(out)));
    for (std::size_t i = 0; i < x.size(); ++i) {
      const T a = x[i] + 0;  // without the sign of zero
      const T expected = std::nextafter(a, std::copysign(infinity, a)) - a;
      EXPECT_TRUE(std::isfinite(a)
                      ? out[i] == expected && std::signbit(out[i]) == std::signbit(expected)
                      : std::isnan(out[i]))
          << x[i] << ": " << out[i] << ", not " << expected;
    }
  }
}

TEST(Passes, Spacing) {
  check_spacing<double>(kInfinity);
  check_spacing<float>(static_cast<float>(kInfinity));
}

TEST(Passes, IsClose) {
  const std::vector<double> values = {0,  1e-9,      1,          1.000001, 1.0001,
                                      -1, kInfinity, -kInfinity, kNan};
  for (const Passes* p : all_passes()) {
    for (const bool equal_nan : {false, true}) {
      std::vector<double> x, y;
      for (const double a : values) {
        for (const double b : values) x.push_back(a), y.push_back(b);
      }
      const auto n = static_cast<std::int64_t>(x.size());
      bool out[100];
      ASSERT_TRUE(p->isclose(float64, bytes(x), bytes(y), n, 1e-5, 1e-8, equal_nan, out));
      for (std::size_t i = 0; i < x.size(); ++i) {
        const bool finite = std::isfinite(x[i]) && std::isfinite(y[i]);
        const bool near = std::abs(x[i] - y[i]) <= 1e-8 + 1e-5 * std::abs(y[i]);
        const bool nan = equal_nan && std::isnan(x[i]) && std::isnan(y[i]);
        EXPECT_EQ(out[i], (finite ? near : x[i] == y[i]) || nan) << x[i] << " " << y[i];
      }
    }
  }
}

TEST(Passes, ConjugateDot) {
  for (const Passes* p : all_passes()) {
    for (const std::int64_t n : {0, 1, 7, 8, 9, 100}) {
      std::vector<complex<double>> x, y;
      complex<double> expected(0);
      for (std::int64_t i = 0; i < n; ++i) {
        const auto k = static_cast<double>(i);
        x.emplace_back(k + 1, 2 - k);
        y.emplace_back(3 - k, 2 * k);
        expected += complex<double>(x.back().re, -x.back().im) * y.back();
      }
      complex<double> found;
      ASSERT_TRUE(
          p->conjugate_dot(complex128, bytes(x), bytes(y), n, reinterpret_cast<char*>(&found)));
      EXPECT_EQ(found, expected) << n;
    }
  }
}

}  // namespace
}  // namespace cupyxx::internal::cpu
