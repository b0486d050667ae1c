// SPDX-License-Identifier: MIT
// Floor division and remainders of integers of up to 32 bits, beside C++'s division of 64.
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "cupyxx/cupyxx.h"
#include "cupyxx/internal/cpu/arch.h"
#include "cupyxx/internal/cpu/elementwise/special_loops.h"

namespace cupyxx::internal::cpu {
namespace {

LoopFn loop_of(const char* name, dtype type, Arch arch) {
  OpInfo op{};
  op.name = name;
  return with_arch(arch,
                   [&]<Arch kArch>() { return SpecialLoops<kArch>::short_quotient(op, type); });
}

template <class T>
T floored(T x, T y) {
  if (y == 0) return 0;
  const std::int64_t a = x, b = y, quotient = a / b;
  return static_cast<T>(a % b != 0 && (a % b < 0) != (b < 0) ? quotient - 1 : quotient);
}

template <class T>
T rest(T x, T y) {
  if (y == 0) return 0;
  const std::int64_t a = x, b = y, left = a % b;
  return static_cast<T>(left != 0 && (left < 0) != (b < 0) ? left + b : left);
}

// What floors differ at: multiples of the divisor and their neighbours, and the extremes.
template <class T>
std::vector<T> numerators(T y) {
  using Limits = std::numeric_limits<T>;
  std::vector<T> all;
  for (const std::int64_t top :
       {std::int64_t{Limits::max()}, std::int64_t{Limits::min()}, std::int64_t{0},
        std::int64_t{Limits::max()} / 2, std::int64_t{y} * 17}) {
    const std::int64_t multiple = y == 0 ? top : top / y * y;
    for (const std::int64_t near : {top, multiple}) {
      for (std::int64_t k = -3; k <= 3; ++k) {
        if (near + k >= Limits::min() && near + k <= Limits::max()) {
          all.push_back(static_cast<T>(near + k));
        }
      }
    }
  }
  return all;
}

template <class T>
std::vector<T> divisors() {
  using Limits = std::numeric_limits<T>;
  std::vector<T> all = {Limits::max(),        Limits::min(),        T(Limits::max() - 1),
                        T(Limits::min() + 1), T(Limits::max() / 2), T(Limits::max() / 3)};
  if (sizeof(T) <= 2) {
    for (std::int64_t y = Limits::min(); y <= Limits::max(); y += sizeof(T) == 1 ? 1 : 13) {
      all.push_back(static_cast<T>(y));
    }
  } else {
    std::uint32_t y = 1;
    for (int i = 0; i < 4000; ++i)
      all.push_back(static_cast<T>((y = y * 2654435761u + 7) >> i % 31));
  }
  for (int y = -20; y <= 20; ++y) all.push_back(static_cast<T>(y));
  return all;
}

template <class T>
void check(const char* name, T (*wanted)(T, T), bool divides_arrays) {
  for (const Arch arch : {Arch::baseline, Arch::avx2, Arch::avx512}) {
    if (!is_compiled(arch) || arch > cpu::arch()) continue;
    const LoopFn loop = loop_of(name, dtype_of<T>(), arch);
    if (loop == nullptr) continue;  // the usual one
    for (const T y : divisors<T>()) {
      const std::vector<T> x = numerators(y), by(x.size(), y);
      std::vector<T> out(x.size());
      char* const data[] = {reinterpret_cast<char*>(out.data()),
                            reinterpret_cast<char*>(const_cast<T*>(x.data())),
                            reinterpret_cast<char*>(const_cast<T*>(by.data()))};
      constexpr std::int64_t kSize = sizeof(T);
      const std::int64_t strides[] = {kSize, kSize, divides_arrays ? kSize : 0};
      loop(data, strides, static_cast<std::int64_t>(x.size()));
      for (std::size_t i = 0; i < x.size(); ++i) {
        ASSERT_EQ(out[i], wanted(x[i], y)) << name << " of " << +x[i] << " and " << +y;
      }
    }
  }
}

template <class T>
class ShortQuotients : public ::testing::Test {};
using Types = ::testing::Types<std::int8_t, std::uint8_t, std::int16_t, std::uint16_t, std::int32_t,
                               std::uint32_t>;
TYPED_TEST_SUITE(ShortQuotients, Types);

TYPED_TEST(ShortQuotients, ByNumbers) {
  check<TypeParam>("floor_divide", &floored<TypeParam>, false);
  check<TypeParam>("remainder", &rest<TypeParam>, false);
}

TYPED_TEST(ShortQuotients, ByArrays) {
  check<TypeParam>("floor_divide", &floored<TypeParam>, true);
  check<TypeParam>("remainder", &rest<TypeParam>, true);
}

// Also int64, whose loop takes a number in blocks.
TEST(Quotients, OfArraysAndNumbers) {
  for (const dtype type : {int8, uint8, int16, uint16, int32, uint32, int64, uint64}) {
    for (const int n : {1, 15, 16, 17, 100}) {
      const ndarray x = arange(n).astype(type);
      for (const int y : {1, 3, 7, 100}) {
        const ndarray quotient = floor_divide(x, array(y).astype(type));
        const ndarray left = remainder(x, array(y).astype(type));
        EXPECT_EQ(quotient.dtype(), type);
        for (int i = 0; i < n; ++i) {
          const auto number = x(i).item<std::int64_t>();
          EXPECT_EQ(quotient(i).item<std::int64_t>(), number / y) << type.name();
          EXPECT_EQ(left(i).item<std::int64_t>(), number % y) << type.name();
        }
      }
      ndarray turned = x.copy();
      floor_divide(turned, turned(0), {.out = turned});  // by zero
      EXPECT_TRUE(array_equal(turned, zeros_like(turned)));
    }
  }
}

}  // namespace
}  // namespace cupyxx::internal::cpu
