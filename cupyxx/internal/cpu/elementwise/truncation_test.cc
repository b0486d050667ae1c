// SPDX-License-Identifier: MIT
// Casts in vectors, of every length, against ops::cast of each element.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "cupyxx/cupyxx.h"
#include "cupyxx/internal/cpu/elementwise/cast.h"
#include "cupyxx/ops/prelude.h"

namespace cupyxx::internal::cpu {
namespace {

// Numbers about every power of two, of either sign, with and without a fraction, and special ones.
template <class From>
std::vector<From> numbers() {
  std::vector<From> all;
  if constexpr (std::numeric_limits<From>::is_integer) {
    for (int bit = 0; bit < 63; ++bit) {
      const auto power = static_cast<std::int64_t>(1) << bit;
      for (const std::int64_t x : {power, -power, power - 1, power + 1, -power - 1, power + 100}) {
        all.push_back(static_cast<From>(x));
      }
    }
    all.push_back(std::numeric_limits<From>::min());
    all.push_back(std::numeric_limits<From>::max());
  } else {
    for (int exponent = -3; exponent < 70; ++exponent) {
      for (const double factor : {1.0, -1.0, 1.3, -1.3, 1.999999, -1.999999}) {
        all.push_back(static_cast<From>(std::ldexp(factor, exponent)));
      }
      const auto power = static_cast<From>(std::ldexp(1.0, exponent));
      all.push_back(std::nextafter(power, From(0)));
      all.push_back(-std::nextafter(power, From(0)));
      all.push_back(power + From(0.5));
    }
    using Limits = std::numeric_limits<From>;
    for (const From x : {Limits::infinity(), -Limits::infinity(), Limits::quiet_NaN(),
                         Limits::max(), Limits::denorm_min(), From(-0.0), From(-0.75)}) {
      all.push_back(x);
    }
    // A run of small ones, which no large one sends the long way.
    for (int i = 0; i < 100; ++i) all.push_back(static_cast<From>(i * 1.37 - 70));
  }
  return all;
}

template <class To, class From>
void check() {
  const std::vector<From> from = numbers<From>();
  const dtype to_type = dtype_of<To>(), from_type = dtype_of<From>();
  const LoopFn loop = cast_loop(from_type, to_type);
  for (std::size_t begin = 0; begin < from.size(); begin += 61) {
    for (std::size_t n = 0; n <= 75 && begin + n <= from.size(); ++n) {
      std::vector<To> to(n + 1, To(77));
      char* const data[] = {reinterpret_cast<char*>(to.data()),
                            const_cast<char*>(reinterpret_cast<const char*>(from.data() + begin))};
      const std::int64_t strides[] = {sizeof(To), sizeof(From)};
      loop(data, strides, static_cast<std::int64_t>(n));
      for (std::size_t i = 0; i < n; ++i) {
        ASSERT_EQ(to[i], ops::cast<To>(from[begin + i]))
            << from_type << " " << from[begin + i] << " as " << to_type << ", " << i << " of " << n;
      }
      ASSERT_EQ(to[n], To(77)) << from_type << " as " << to_type << " of " << n;
    }
  }
}

template <class From>
void check_integers() {
  check<std::int8_t, From>();
  check<std::uint8_t, From>();
  check<std::int16_t, From>();
  check<std::uint16_t, From>();
  check<std::int32_t, From>();
  check<std::uint32_t, From>();
  check<ops::i64, From>();
  check<ops::u64, From>();
}

TEST(Truncation, OfFloatingNumbersIsThatOfEachOne) {
  check_integers<double>();
  check_integers<float>();
}

TEST(Truncation, CutsIntegersOff) {
  check_integers<ops::i64>();
  check_integers<ops::u64>();
}

// One number everywhere, as fills are.
TEST(Truncation, CopiesOneNumberEverywhere) {
  for (const dtype type : {uint16, uint32, uint64, float32, float64}) {
    for (const std::int64_t n : {0, 1, 3, 31, 64, 1000}) {
      const ndarray one = full({1}, 3, type), all = zeros({n + 1}, type);
      char* const data[] = {static_cast<char*>(all.data()), static_cast<char*>(one.data())};
      const std::int64_t strides[] = {type.itemsize(), 0};
      cast_loop(type, type)(data, strides, n);
      EXPECT_EQ(count_nonzero(all == 3), n) << type;
      EXPECT_EQ(all(n).item<double>(), 0) << type;
    }
  }
}

// Elements that are apart on either side, forward and backward, and one number to places apart.
TEST(Truncation, CopiesElementsThatAreApart) {
  for (const dtype type : {bool_, int8, uint16, float16, float32, int64, float64}) {
    for (const std::int64_t n : {0, 1, 3, 4, 5, 8, 30}) {
      for (const std::int64_t to_step : {1, 2, 3, -2}) {
        for (const std::int64_t from_step : {0, 1, 2, 3, -1, -3}) {
          const ndarray from = (arange(100) % 7 + 1).astype(type), to = zeros({100}, type);
          const std::int64_t size = type.itemsize();
          char* const data[] = {static_cast<char*>(to.data()) + (to_step < 0 ? 90 : 0) * size,
                                static_cast<char*>(from.data()) + (from_step < 0 ? 95 : 2) * size};
          const std::int64_t strides[] = {to_step * size, from_step * size};
          cast_loop(type, type)(data, strides, n);
          EXPECT_EQ(count_nonzero(to), n) << type << " " << to_step << " " << from_step;
          for (std::int64_t i = 0; i < n; ++i) {
            const auto written = (to_step < 0 ? 90 : 0) + i * to_step;
            const auto read = (from_step < 0 ? 95 : 2) + i * from_step;
            ASSERT_EQ(to(written).item<double>(), from(read).item<double>())
                << type << " " << to_step << " " << from_step << " element " << i;
          }
        }
      }
    }
  }
}

// Past the caches: from every place within a line, and what stands beside it stays.
TEST(Truncation, LargeFillsAreWhole) {
  for (const dtype type : {bool_, int16, float32, float64, complex128}) {
    const std::int64_t n = (std::int64_t{17} << 20) / type.itemsize() + 5;
    for (const std::int64_t begin : {0, 1, 3, 64}) {
      const ndarray a = zeros({n + 70}, type);
      const ndarray part = a(slice(begin, begin + n));
      part.fill(1);
      EXPECT_EQ(count_nonzero(part == 1), n) << type << " from " << begin;
      EXPECT_EQ(count_nonzero(a), n) << type << " from " << begin;
    }
  }
  // Numbers that do not begin at multiples of their size.
  const ndarray bytes = zeros({(std::int64_t{17} << 20) + 8}, uint8);
  const ndarray odd = bytes(slice(8, none)).view(complex128);
  odd.fill(complex<double>(1, 2));
  EXPECT_EQ(count_nonzero(odd == complex<double>(1, 2)), odd.size());
}

// Below and above the bytes from which on a whole result is filled at once.
TEST(Truncation, FillsOfEverySizeAreWhole) {
  for (const dtype type : {int8, int16, float16, int32, int64, complex64, complex128}) {
    for (const std::int64_t n : {1, 63, 64, 129, 513, 3001, 70001}) {
      const ndarray a = zeros({n + 2}, type);
      a(slice(1, n + 1)).fill(-3);
      EXPECT_EQ(count_nonzero(a(slice(1, n + 1)) == -3), n) << type << " " << n;
      EXPECT_EQ(count_nonzero(a), n) << type << " " << n;
    }
  }
}

}  // namespace
}  // namespace cupyxx::internal::cpu
