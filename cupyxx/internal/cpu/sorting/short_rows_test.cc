// SPDX-License-Identifier: MIT
// Rows of a few elements, beside the standard library's stable order: NaNs are last, and zeros of
// both signs stay as they came.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include "cupyxx/internal/cpu/arch.h"
#include "cupyxx/internal/cpu/sorting/sort_loops.h"

namespace cupyxx::internal::cpu {
namespace {

template <class T>
std::vector<T> numbers() {
  using Limits = std::numeric_limits<T>;
  std::vector<T> all = {T(0), T(1), T(2), Limits::max(), Limits::lowest(), T(7)};
  if constexpr (Limits::has_infinity) {
    for (const T special : {Limits::infinity(), -Limits::infinity(), Limits::quiet_NaN(),
                            -Limits::quiet_NaN(), T(-0.0), Limits::denorm_min()}) {
      all.push_back(special);
    }
  }
  return all;
}

template <class T>
void check(SortType type) {
  std::mt19937 random(1);
  const std::vector<T> some = numbers<T>();
  for (const Arch arch : {Arch::baseline, Arch::avx2, Arch::avx512}) {
    if (!is_compiled(arch) || arch > cpu::arch()) continue;
    for (std::size_t n = 0; n <= 9; ++n) {
      for (int trial = 0; trial < 500; ++trial) {
        std::vector<T> row(n), out(n);
        for (T& number : row) number = some[random() % some.size()];
        std::vector<T> wanted = row;
        std::stable_sort(wanted.begin(), wanted.end(),
                         [](T x, T y) { return x < y || (y != y && x == x); });
        const SortLoop loop{type, row.data(), out.data(), static_cast<std::int64_t>(n)};
        ASSERT_TRUE(
            with_arch(arch, [&]<Arch kArch>() { return SortLoops<kArch>::sort_values(loop); }));
        ASSERT_TRUE(n == 0 || std::memcmp(out.data(), wanted.data(), n * sizeof(T)) == 0) << n;
      }
    }
  }
}

TEST(SortedShortRows, AreStable) {
  check<std::int32_t>(SortType::i32);
  check<std::uint32_t>(SortType::u32);
  check<float>(SortType::f32);
  check<std::int64_t>(SortType::i64);
  check<std::uint64_t>(SortType::u64);
  check<double>(SortType::f64);
}

}  // namespace
}  // namespace cupyxx::internal::cpu
