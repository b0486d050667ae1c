// SPDX-License-Identifier: MIT
// Products over raw memory against a triple loop in float64 or modulo 2^64.
#include "cupyxx/internal/cpu/blas/gemm.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "cupyxx/half.h"

namespace cupyxx::internal {
namespace {

struct Case {
  std::int64_t m, n, k;
  bool trans_a = false, trans_b = false;
  bool accumulate = false, bias = false, relu = false;
  std::int64_t gap = 0;  // added to each leading dimension
  std::int64_t batch = 1;
};

std::string str(const Case& c) {
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
    } else {
      value = static_cast<T>(static_cast<double>(bits() % 2001) / 1000.0 - 1.0);
    }
  }
  return values;
}

// Sum type of the reference and the largest relative error of one rounding.
template <class T>
using Wide = std::conditional_t<std::is_integral_v<T>, std::uint64_t, double>;
template <class T>
double epsilon() {
  if (std::is_same_v<T, half>) return std::ldexp(1.0, -11);
  return std::is_same_v<T, float> ? std::ldexp(1.0, -24) : std::ldexp(1.0, -53);
}
template <class T>
Wide<T> widen(T value) {
  if constexpr (std::is_same_v<T, half>) return static_cast<double>(static_cast<float>(value));
  else return static_cast<Wide<T>>(value);
}

template <class T>
void check(const Case& c) {
  SCOPED_TRACE(str(c));
  const std::int64_t rows_a = c.trans_a ? c.k : c.m, rows_b = c.trans_b ? c.n : c.k;
  GemmCall call{.dtype = dtype_of<T>(), .trans_a = c.trans_a, .trans_b = c.trans_b,
                .accumulate = c.accumulate, .relu = c.relu, .m = c.m, .n = c.n, .k = c.k};
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
  cpu::gemm(call);

  auto expected = before;
  for (std::int64_t item = 0; item < c.batch; ++item) {
    for (std::int64_t i = 0; i < c.m; ++i) {
      for (std::int64_t j = 0; j < c.n; ++j) {
        const auto at = static_cast<std::size_t>(item * call.stride_c + i * call.ldc + j);
        Wide<T> sum = 0;
        double size = 0;  // of the terms; bounds the error of any order of summation
        const auto add = [&](Wide<T> term) {
          sum = static_cast<Wide<T>>(sum + term);
          size += std::abs(static_cast<double>(term));
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
          if (c.relu && sum < 0) sum = 0;
          // float16 sums in float32 and rounds once.
          const double terms = static_cast<double>(c.k + 3);
          const double bound = std::is_same_v<T, half>
                                   ? size * terms * epsilon<float>() +
                                         (std::abs(sum) + 1e-4) * epsilon<half>() * 1.01
                                   : size * terms * epsilon<T>();
          ASSERT_NEAR(widen(actual[at]), sum, bound) << item << ", " << i << ", " << j;
        }
      }
      for (std::int64_t j = c.n; j < call.ldc; ++j) {  // the gap keeps its elements
        const auto at = static_cast<std::size_t>(item * call.stride_c + i * call.ldc + j);
        ASSERT_EQ(widen(actual[at]), widen(before[at]));
      }
    }
  }
}

template <class T>
class GemmTest : public ::testing::Test {};
using Types = ::testing::Types<std::int8_t, std::uint8_t, std::int16_t, std::uint16_t, std::int32_t,
                               std::uint32_t, std::int64_t, std::uint64_t, half, float, double>;
TYPED_TEST_SUITE(GemmTest, Types);

TYPED_TEST(GemmTest, MatchesTheTripleLoopForShapesAndTransposes) {
  const std::int64_t shapes[][3] = {{1, 1, 1},   {2, 2, 2},    {3, 4, 5},   {1, 7, 9},
                                    {7, 1, 9},   {5, 6, 1},    {8, 8, 8},   {9, 8, 8},
                                    {17, 9, 33}, {33, 65, 17}, {4, 300, 5}, {70, 70, 70}};
  for (const auto& [m, n, k] : shapes) {
    for (int trans = 0; trans < 4; ++trans) {
      for (const std::int64_t gap : {0, 3}) {
        check<TypeParam>({.m = m, .n = n, .k = k, .trans_a = (trans & 1) != 0,
                          .trans_b = (trans & 2) != 0, .gap = gap});
      }
    }
  }
}

TYPED_TEST(GemmTest, AddsOldElementsAndBiasAndClips) {
  for (const auto& [m, n, k] : {std::array<std::int64_t, 3>{2, 3, 4}, {20, 30, 40}, {1, 1, 50}}) {
    for (int what = 0; what < 8; ++what) {
      check<TypeParam>({.m = m, .n = n, .k = k, .trans_b = true, .accumulate = (what & 1) != 0,
                        .bias = (what & 2) != 0, .relu = (what & 4) != 0, .gap = 2});
    }
  }
}

TYPED_TEST(GemmTest, EmptyInnerDimensionGivesZerosAndBias) {
  check<TypeParam>({.m = 3, .n = 4, .k = 0});
  check<TypeParam>({.m = 3, .n = 4, .k = 0, .bias = true});
  check<TypeParam>({.m = 3, .n = 4, .k = 0, .accumulate = true});
  check<TypeParam>({.m = 1, .n = 1, .k = 0});
}

TYPED_TEST(GemmTest, EmptyResultsWriteNothing) {
  check<TypeParam>({.m = 0, .n = 4, .k = 3});
  check<TypeParam>({.m = 4, .n = 0, .k = 3});
}

TYPED_TEST(GemmTest, BatchesAreIndependent) {
  check<TypeParam>({.m = 3, .n = 4, .k = 5, .batch = 2});
  check<TypeParam>({.m = 12, .n = 14, .k = 5, .bias = true, .gap = 1, .batch = 7});
  check<TypeParam>({.m = 30, .n = 40, .k = 50, .trans_a = true, .batch = 40});
}

TYPED_TEST(GemmTest, LongDotProductsAreSplit) {
  check<TypeParam>({.m = 1, .n = 1, .k = 300000});
  check<TypeParam>({.m = 1, .n = 1, .k = 5001, .trans_a = true, .gap = 2});
}

TYPED_TEST(GemmTest, LargeProductsUseTheWholeTeam) {
  check<TypeParam>({.m = 101, .n = 131, .k = 257, .trans_b = true, .bias = true});
}

TEST(GemmBool, IsOrOfAnds) {
  const std::uint8_t a[] = {1, 0, 0, 0, 1, 1}, b[] = {1, 0, 1, 1, 1, 1};
  std::uint8_t c[4] = {9, 9, 9, 9};
  cpu::gemm({.dtype = bool_, .m = 2, .n = 2, .k = 3, .a = a, .lda = 3, .b = b, .ldb = 2, .c = c,
             .ldc = 2});
  EXPECT_EQ(std::vector<std::uint8_t>(c, c + 4), (std::vector<std::uint8_t>{1, 0, 1, 1}));
}

}  // namespace
}  // namespace cupyxx::internal
