// SPDX-License-Identifier: MIT
// The cases of matrix products over raw memory, for every backend: each against a triple loop in
// float64 or modulo 2^64.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

#include "cupyxx/complex.h"
#include "cupyxx/half.h"
#include "cupyxx/internal/gemm_call.h"

namespace cupyxx::internal::gemm_cases {

struct Case {
  std::int64_t m, n, k;
  bool trans_a = false, trans_b = false;
  bool accumulate = false, bias = false, relu = false;
  std::int64_t gap = 0;  // added to each leading dimension
  std::int64_t batch = 1;
};

inline std::string str(const Case& c) {
  return "m=" + std::to_string(c.m) + " n=" + std::to_string(c.n) + " k=" + std::to_string(c.k) +
         " trans=" + std::to_string(c.trans_a) + std::to_string(c.trans_b) +
         " accumulate=" + std::to_string(c.accumulate) + " bias=" + std::to_string(c.bias) +
         " relu=" + std::to_string(c.relu) + " gap=" + std::to_string(c.gap) +
         " batch=" + std::to_string(c.batch);
}

template <class T>
std::vector<T> random_elements(std::int64_t count, unsigned seed) {
  std::mt19937_64 bits(seed);
  std::vector<T> values(static_cast<std::size_t>(count));
  for (T& value : values) {
    if constexpr (std::is_integral_v<T>) {
      value = static_cast<T>(bits());
    } else if constexpr (is_complex<T>) {
      const auto part = [&] { return static_cast<double>(bits() % 2001) / 1000.0 - 1.0; };
      const double real = part();
      value = T(complex<double>(real, part()));
    } else {
      value = static_cast<T>(static_cast<double>(bits() % 2001) / 1000.0 - 1.0);
    }
  }
  return values;
}

// Sum type of the reference and the largest relative error of one rounding.
template <class T>
using Wide = std::conditional_t<std::is_integral_v<T>, std::uint64_t,
                                std::conditional_t<is_complex<T>, complex<double>, double>>;
inline double size_of(double x) { return std::abs(x); }
inline double size_of(std::uint64_t x) { return static_cast<double>(x); }
inline double size_of(const complex<double>& z) { return std::abs(z.re) + std::abs(z.im); }
template <class T>
double epsilon() {
  if (std::is_same_v<T, half>) return std::ldexp(1.0, -11);
  if (std::is_same_v<T, bfloat16>) return std::ldexp(1.0, -8);
  return std::is_same_v<RealOf<T>, float> ? std::ldexp(1.0, -24) : std::ldexp(1.0, -53);
}
template <class T>
Wide<T> widen(T value) {
  if constexpr (std::is_same_v<T, half> || std::is_same_v<T, bfloat16>) {
    return static_cast<double>(static_cast<float>(value));
  } else {
    return static_cast<Wide<T>>(value);
  }
}

// Runs a call whose matrices are host memory of these sizes in bytes.
using Runner = void (*)(const GemmCall& call, std::size_t a, std::size_t b, std::size_t c,
                        std::size_t bias);

template <class T>
void check(Runner run, const Case& c) {
  if (is_complex<T> && c.relu) return;  // complex numbers are not negative
  SCOPED_TRACE(str(c));
  const std::int64_t rows_a = c.trans_a ? c.k : c.m, rows_b = c.trans_b ? c.n : c.k;
  GemmCall call{.dtype = dtype_of<T>(),
                .trans_a = c.trans_a,
                .trans_b = c.trans_b,
                .accumulate = c.accumulate,
                .relu = c.relu,
                .m = c.m,
                .n = c.n,
                .k = c.k};
  call.lda = std::max<std::int64_t>(c.trans_a ? c.m : c.k, 1) + c.gap;
  call.ldb = std::max<std::int64_t>(c.trans_b ? c.k : c.n, 1) + c.gap;
  call.ldc = c.n + c.gap;
  call.batch = c.batch;
  call.stride_a = rows_a * call.lda;
  call.stride_b = c.batch > 2 ? 0 : rows_b * call.ldb;  // one B for all
  call.stride_c = c.m * call.ldc;
  const auto a = random_elements<T>(c.batch * call.stride_a, 1);
  const auto b = random_elements<T>(c.batch * rows_b * call.ldb, 2);
  const auto before = random_elements<T>(c.batch * call.stride_c, 3);
  const auto bias = random_elements<T>(c.n, 4);
  auto actual = before;
  call.a = a.data();
  call.b = b.data();
  call.c = actual.data();
  call.bias = c.bias ? bias.data() : nullptr;
  run(call, a.size() * sizeof(T), b.size() * sizeof(T), actual.size() * sizeof(T),
      bias.size() * sizeof(T));

  for (std::int64_t item = 0; item < c.batch; ++item) {
    for (std::int64_t i = 0; i < c.m; ++i) {
      for (std::int64_t j = 0; j < c.n; ++j) {
        const auto at = static_cast<std::size_t>(item * call.stride_c + i * call.ldc + j);
        Wide<T> sum = 0;
        double size = 0;  // of the terms; bounds the error of any order of summation
        const auto add = [&](Wide<T> term) {
          sum = static_cast<Wide<T>>(sum + term);
          size += size_of(term);
        };
        if (c.accumulate) add(widen(before[at]));
        if (c.bias) add(widen(bias[static_cast<std::size_t>(j)]));
        for (std::int64_t l = 0; l < c.k; ++l) {
          const auto x = item * call.stride_a + i * call.row_a() + l * call.col_a();
          const auto y = item * call.stride_b + l * call.row_b() + j * call.col_b();
          add(static_cast<Wide<T>>(widen(a[static_cast<std::size_t>(x)]) *
                                   widen(b[static_cast<std::size_t>(y)])));
        }
        if constexpr (std::is_integral_v<T>) {
          T value = static_cast<T>(sum);
          if (c.relu && value < T(0)) value = 0;
          ASSERT_EQ(actual[at], value) << "element " << item << ", " << i << ", " << j;
        } else {
          if (c.relu && sum < Wide<T>(0)) sum = 0;
          // 16-bit floats sum in float32 and round once; a library may round before a bias, too.
          const auto terms = static_cast<double>(c.k + 3);
          double rounded = size_of(sum) + 1e-4;
          if (c.bias) rounded += rounded + size_of(widen(bias[static_cast<std::size_t>(j)]));
          const double bound = sizeof(T) == 2
                                   ? size * terms * epsilon<float>() + rounded * epsilon<T>() * 1.01
                                   : size * terms * epsilon<T>();
          ASSERT_LE(size_of(widen(actual[at]) - sum), bound) << item << ", " << i << ", " << j;
        }
      }
      for (std::int64_t j = c.n; j < call.ldc; ++j) {  // the gap keeps its elements
        const auto at = static_cast<std::size_t>(item * call.stride_c + i * call.ldc + j);
        ASSERT_TRUE(widen(actual[at]) == widen(before[at]));
      }
    }
  }
}

/// Element type and runner of a typed test.
template <class T, Runner kRunner>
struct On {
  using Element = T;
  static constexpr Runner kRun = kRunner;
};

template <Runner kRun>
using AllTypes =
    ::testing::Types<On<std::int8_t, kRun>, On<std::uint8_t, kRun>, On<std::int16_t, kRun>,
                     On<std::uint16_t, kRun>, On<std::int32_t, kRun>, On<std::uint32_t, kRun>,
                     On<std::int64_t, kRun>, On<std::uint64_t, kRun>, On<half, kRun>,
                     On<float, kRun>, On<double, kRun>, On<bfloat16, kRun>,
                     On<complex<float>, kRun>, On<complex<double>, kRun>>;

template <class T>
class GemmTest : public ::testing::Test {
 protected:
  static void check(const Case& c) { gemm_cases::check<typename T::Element>(T::kRun, c); }
};
TYPED_TEST_SUITE_P(GemmTest);

TYPED_TEST_P(GemmTest, MatchesTheTripleLoopForShapesAndTransposes) {
  const std::int64_t shapes[][3] = {
      {1, 1, 1}, {2, 2, 2},   {3, 4, 5},    {1, 7, 9},   {7, 1, 9},    {5, 6, 1},   {8, 8, 8},
      {9, 8, 8}, {17, 9, 33}, {33, 65, 17}, {4, 300, 5}, {70, 70, 70}, {1, 70, 90}, {90, 1, 70}};
  for (const auto& [m, n, k] : shapes) {
    for (int trans = 0; trans < 4; ++trans) {
      for (const std::int64_t gap : {0, 3}) {
        this->check({.m = m,
                     .n = n,
                     .k = k,
                     .trans_a = (trans & 1) != 0,
                     .trans_b = (trans & 2) != 0,
                     .gap = gap});
      }
    }
  }
}

TYPED_TEST_P(GemmTest, AddsOldElementsAndBiasAndClips) {
  for (const auto& [m, n, k] :
       {std::array<std::int64_t, 3>{2, 3, 4}, {20, 30, 40}, {1, 1, 50}, {1, 30, 40}, {30, 1, 40}}) {
    for (int what = 0; what < 8; ++what) {
      this->check({.m = m,
                   .n = n,
                   .k = k,
                   .trans_b = true,
                   .accumulate = (what & 1) != 0,
                   .bias = (what & 2) != 0,
                   .relu = (what & 4) != 0,
                   .gap = 2});
    }
  }
}

TYPED_TEST_P(GemmTest, EmptyInnerDimensionGivesZerosAndBias) {
  this->check({.m = 3, .n = 4, .k = 0});
  this->check({.m = 3, .n = 4, .k = 0, .bias = true});
  this->check({.m = 3, .n = 4, .k = 0, .accumulate = true});
  this->check({.m = 1, .n = 1, .k = 0});
}

TYPED_TEST_P(GemmTest, EmptyResultsWriteNothing) {
  this->check({.m = 0, .n = 4, .k = 3});
  this->check({.m = 4, .n = 0, .k = 3});
}

TYPED_TEST_P(GemmTest, BatchesAreIndependent) {
  this->check({.m = 3, .n = 4, .k = 5, .batch = 2});
  this->check({.m = 12, .n = 14, .k = 5, .bias = true, .gap = 1, .batch = 7});
  this->check({.m = 30, .n = 40, .k = 50, .trans_a = true, .batch = 40});
}

TYPED_TEST_P(GemmTest, LongDotProductsAreSplit) {
  this->check({.m = 1, .n = 1, .k = 300000});
  this->check({.m = 1, .n = 1, .k = 5001, .trans_a = true, .gap = 2});
}

TYPED_TEST_P(GemmTest, LargeProductsUseTheWholeTeam) {
  this->check({.m = 101, .n = 131, .k = 257, .trans_b = true, .bias = true});
}

REGISTER_TYPED_TEST_SUITE_P(GemmTest, MatchesTheTripleLoopForShapesAndTransposes,
                            AddsOldElementsAndBiasAndClips, EmptyInnerDimensionGivesZerosAndBias,
                            EmptyResultsWriteNothing, BatchesAreIndependent,
                            LongDotProductsAreSplit, LargeProductsUseTheWholeTeam);

}  // namespace cupyxx::internal::gemm_cases
