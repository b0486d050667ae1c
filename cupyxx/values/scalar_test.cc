// SPDX-License-Identifier: MIT
#include "cupyxx/scalar.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>

#include "cupyxx/error.h"
#include "cupyxx/testing/expect_error.h"

namespace cupyxx {
namespace {

using testing::expect_error;

constexpr double kInf = std::numeric_limits<double>::infinity();
const double kNan = std::nan("");

template <class T>
T stored(Scalar value) {
  T element;
  value.store("add", dtype_of<T>(), &element);
  return element;
}

TEST(Scalar, HasTheDtypeOfItsKind) {
  EXPECT_EQ(Scalar(true).own_dtype(), bool_);
  EXPECT_EQ(Scalar(1).own_dtype(), int64);
  EXPECT_EQ(Scalar(std::uint8_t{1}).own_dtype(), int64);
  EXPECT_EQ(Scalar(~0ULL).own_dtype(), uint64);
  EXPECT_EQ(Scalar(1.0F).own_dtype(), float64);
  EXPECT_EQ(Scalar(half(1.0F)).own_dtype(), float64);
  EXPECT_EQ(Scalar(1, int8).own_dtype(), int8);
  EXPECT_FALSE(Scalar(1).dtype());
  EXPECT_EQ(Scalar(1, int8).dtype(), int8);
}

TEST(Scalar, KnowsWhereItFits) {
  EXPECT_TRUE(Scalar(127).fits(int8));
  EXPECT_FALSE(Scalar(128).fits(int8));
  EXPECT_TRUE(Scalar(-128).fits(int8));
  EXPECT_FALSE(Scalar(-129).fits(int8));
  EXPECT_TRUE(Scalar(255).fits(uint8));
  EXPECT_FALSE(Scalar(256).fits(uint8));
  EXPECT_FALSE(Scalar(-1).fits(uint64));
  EXPECT_TRUE(Scalar(INT64_MIN).fits(int64));
  EXPECT_TRUE(Scalar(INT64_MAX).fits(uint64));
  EXPECT_FALSE(Scalar(~0ULL).fits(int64));
  EXPECT_TRUE(Scalar(~0ULL).fits(uint64));
  EXPECT_TRUE(Scalar(INT32_MIN).fits(int32));
  EXPECT_FALSE(Scalar(std::int64_t{INT32_MAX} + 1).fits(int32));
  EXPECT_TRUE(Scalar(1 << 30).fits(float16));
  EXPECT_TRUE(Scalar(5).fits(bool_));
  EXPECT_TRUE(Scalar(1e9).fits(int8));
  EXPECT_TRUE(Scalar(true).fits(int8));
}

TEST(Scalar, StoresIntegers) {
  EXPECT_EQ(stored<std::int8_t>(-7), -7);
  EXPECT_EQ(stored<std::uint64_t>(~0ULL), ~0ULL);
  EXPECT_EQ(stored<std::int64_t>(INT64_MIN), INT64_MIN);
  EXPECT_EQ(stored<bool>(256), true);
  EXPECT_EQ(stored<bool>(0), false);
  EXPECT_EQ(stored<std::int32_t>(true), 1);
  EXPECT_EQ(stored<double>(~0ULL), 0x1p64);
  // 2^60 + 2^36 + 1 lies above the middle of two floats; through double it would seem to be the
  // middle.
  const std::int64_t above_middle = (std::int64_t{1} << 60) + (std::int64_t{1} << 36) + 1;
  EXPECT_EQ(stored<float>(above_middle), 0x1p60F + 0x1p37F);
  EXPECT_EQ(stored<half>(2051).bits, half(2052.0F).bits);
}

TEST(Scalar, RefusesIntegersThatDoNotFit) {
  expect_error<OverflowError>([] { stored<std::int8_t>(300); }, "add: 300 does not fit int8");
  expect_error<OverflowError>([] { stored<std::uint8_t>(-1); }, "add: -1 does not fit uint8");
  expect_error<OverflowError>([] { stored<std::int64_t>(~0ULL); },
                              "add: 18446744073709551615 does not fit int64");
}

TEST(Scalar, StoresFloats) {
  EXPECT_EQ(stored<float>(0.1), 0.1F);
  EXPECT_EQ(stored<double>(0.1), 0.1);
  EXPECT_EQ(stored<half>(65520.0).bits, 0x7c00);
  EXPECT_EQ(stored<half>(0.1).bits, 0x2e66);
  EXPECT_EQ(stored<bfloat16>(1.0).bits, 0x3f80);
  EXPECT_TRUE(stored<bool>(kNan));
  EXPECT_TRUE(stored<bool>(0.5));
  float parts[2] = {9, 9};
  Scalar(2.5).store("full", complex64, parts);
  EXPECT_EQ(parts[0], 2.5F);
  EXPECT_EQ(parts[1], 0.0F);
}

TEST(Scalar, TruncatesAndSaturatesFloatsIntoIntegers) {
  EXPECT_EQ(stored<std::int32_t>(-2.9), -2);
  EXPECT_EQ(stored<std::uint8_t>(-0.9), 0);
  EXPECT_EQ(stored<std::int8_t>(1e9), 127);
  EXPECT_EQ(stored<std::int8_t>(-1e9), -128);
  EXPECT_EQ(stored<std::uint8_t>(-5.0), 0);
  EXPECT_EQ(stored<std::int64_t>(kInf), INT64_MAX);
  EXPECT_EQ(stored<std::int64_t>(-kInf), INT64_MIN);
  EXPECT_EQ(stored<std::uint64_t>(1e19), 10000000000000000000ULL);
  EXPECT_EQ(stored<std::uint64_t>(kInf), UINT64_MAX);
  EXPECT_EQ(stored<std::int32_t>(kNan), 0);
  EXPECT_EQ(Scalar(kNan).as_int64(), 0);
  EXPECT_EQ(Scalar(1e300).as_int64(), INT64_MAX);
  EXPECT_EQ(Scalar(-1e300).as_int64(), INT64_MIN);
  EXPECT_EQ(Scalar(-1.5).as_int64(), -1);
}

TEST(Scalar, IsNotStoredInTypesWithoutNumbers) {
  char element[8];
  expect_error<DtypeError>([&] { Scalar(1).store("full", dtype::Code::float8_e4m3, element); },
                           "full: no number can be stored as this dtype; float8_e4m3");
}

TEST(Scalar, PrintsAsPython) {
  EXPECT_EQ(Scalar(true).str(), "True");
  EXPECT_EQ(Scalar(false).str(), "False");
  EXPECT_EQ(Scalar(-3).str(), "-3");
  EXPECT_EQ(Scalar(~0ULL).str(), "18446744073709551615");
  EXPECT_EQ(Scalar(1.0).str(), "1.0");
  EXPECT_EQ(Scalar(-0.0).str(), "-0.0");
  EXPECT_EQ(Scalar(0.1).str(), "0.1");
  EXPECT_EQ(Scalar(0.1F, float32).str(), "0.1");
  EXPECT_EQ(Scalar(kInf).str(), "inf");
  EXPECT_EQ(Scalar(-kInf).str(), "-inf");
  EXPECT_EQ(Scalar(kNan).str(), "nan");
  EXPECT_EQ(Scalar(1e15).str(), "1000000000000000.0");
  EXPECT_EQ(Scalar(1e16).str(), "1e+16");
  EXPECT_EQ(Scalar(1.5e-5).str(), "1.5e-05");
  EXPECT_EQ(Scalar(0.0001).str(), "0.0001");
  EXPECT_EQ(Scalar(1e100).str(), "1e+100");
}

TEST(Scalar, ConvertsExactlyWhereItCan) {
  EXPECT_EQ(Scalar(~0ULL).as_double(), 0x1p64);
  EXPECT_EQ(Scalar(-5).as_double(), -5.0);
  EXPECT_TRUE(Scalar(0.1).is_true());
  EXPECT_FALSE(Scalar(0).is_true());
  EXPECT_FALSE(Scalar(-0.0).is_true());
}

}  // namespace
}  // namespace cupyxx
