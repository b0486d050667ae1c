// SPDX-License-Identifier: MIT
// Comparisons, logic and tests of all lengths, layouts and numbers, against C++'s own operators.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "cupyxx/cupyxx.h"
#include "cupyxx/internal/cpu/arch.h"
#include "cupyxx/internal/cpu/elementwise/special_loops.h"

namespace cupyxx::internal::cpu {
namespace {

std::vector<Arch> archs() {
  std::vector<Arch> all;
  for (const Arch arch : {Arch::baseline, Arch::avx2, Arch::avx512}) {
    if (is_compiled(arch) && arch <= cpu::arch()) all.push_back(arch);
  }
  return all;
}

// Extremes of a type and numbers that meet each other; every length from 0 on is taken of them.
template <class T>
std::vector<T> numbers(int seed) {
  using Limits = std::numeric_limits<T>;
  std::vector<T> all = {T(0),          Limits::max(), Limits::lowest(), T(1),
                        Limits::max(), T(-1),         Limits::min(),    T(0)};
  if constexpr (Limits::has_infinity) {
    for (const T special : {Limits::infinity(), -Limits::infinity(), Limits::quiet_NaN(),
                            Limits::denorm_min(), T(-0.0)}) {
      all.push_back(special);
    }
  }
  for (int i = 0; all.size() < 150; ++i) all.push_back(static_cast<T>((i * 37 + seed) % 11 - 5));
  // Another order for another seed: all pairs of specials meet somewhere.
  std::vector<T> turned;
  for (std::size_t i = 0; i < all.size(); ++i) {
    turned.push_back(
        all[(i * (seed % 2 == 0 ? 1 : 7) + static_cast<std::size_t>(seed)) % all.size()]);
  }
  return turned;
}
template <>
std::vector<complex<double>> numbers(int seed) {
  const std::vector<double> re = numbers<double>(seed), im = numbers<double>(seed + 3);
  std::vector<complex<double>> all;
  for (std::size_t i = 0; i < re.size(); ++i) all.emplace_back(re[i], im[i * 11 % im.size()]);
  return all;
}

// What the operations are, in words of C++.
template <class T>
bool is_less(T x, T y) {
  if constexpr (is_complex<T>) {
    const bool numbers = x.im == x.im && y.im == y.im;
    return x.re == y.re ? x.im < y.im : x.re < y.re && numbers;
  } else {
    return x < y;
  }
}
template <class T>
bool is_at_most(T x, T y) {
  return is_less(x, y) || x == y;
}
template <class T>
bool is_nan(T x) {
  if constexpr (is_complex<T>) return std::isnan(x.re) || std::isnan(x.im);
  return x != x;
}
template <class T>
bool is_infinite(T x) {
  if constexpr (is_complex<T>) {
    return is_infinite(x.re) || is_infinite(x.im);
  } else {
    return !is_nan(x) && std::isinf(static_cast<double>(x));
  }
}

template <class T>
bool truth(const std::string& name, T x, T y) {
  const bool first = x != T(0), second = y != T(0);
  if (name == "less") return is_less(x, y);
  if (name == "less_equal") return is_at_most(x, y);
  if (name == "greater") return is_less(y, x);
  if (name == "greater_equal") return is_at_most(y, x);
  if (name == "equal") return x == y;
  if (name == "not_equal") return x != y;
  if (name == "logical_and") return first && second;
  if (name == "logical_or") return first || second;
  if (name == "logical_xor") return first != second;
  if (name == "logical_not") return !first;
  if (name == "isnan") return is_nan(x);
  if (name == "isinf") return is_infinite(x);
  return !is_nan(x) && !is_infinite(x);
}

// `step` elements apart; a step of 0 is one number for all. What stands behind the results stays.
template <class T>
void check(const ufunc& f, Arch arch, std::int64_t n, std::int64_t x_step, std::int64_t y_step,
           std::int64_t out_step) {
  const OpInfo& op = f.op();
  const dtype type = dtype_of<T>();
  const std::vector<T> x = numbers<T>(static_cast<int>(n) % 40), y = numbers<T>(5);
  std::vector<char> out(160 * 3, 0x55);
  char* data[] = {out.data() + 1, const_cast<char*>(reinterpret_cast<const char*>(x.data())),
                  const_cast<char*>(reinterpret_cast<const char*>(y.data()))};
  constexpr auto kSize = static_cast<std::int64_t>(sizeof(T));
  const std::int64_t strides[] = {out_step, x_step * kSize, y_step * kSize};
  best_loop(op, op.same_loop[static_cast<int>(type.code())], arch, nullptr, type)(data, strides, n);
  for (std::int64_t i = 0; i < n; ++i) {
    const T a = x[static_cast<std::size_t>(i * x_step)],
            b = y[static_cast<std::size_t>(i * y_step)];
    ASSERT_EQ(out[static_cast<std::size_t>(1 + i * out_step)], truth(op.name, a, b) ? 1 : 0)
        << op.name << " " << type << " " << arch_name(arch) << " element " << i << " of " << n
        << ", steps " << x_step << " " << y_step;
  }
  ASSERT_EQ(out[static_cast<std::size_t>(1 + n * out_step)], 0x55) << op.name << " of " << n;
  ASSERT_EQ(out[0], 0x55) << op.name << " of " << n;
}

template <class T>
void check_all(bool tests) {
  std::vector<const ufunc*> all = {&find_ufunc("greater"),     &find_ufunc("greater_equal"),
                                   &find_ufunc("less"),        &find_ufunc("less_equal"),
                                   &find_ufunc("equal"),       &find_ufunc("not_equal"),
                                   &find_ufunc("logical_and"), &find_ufunc("logical_or"),
                                   &find_ufunc("logical_xor"), &find_ufunc("logical_not")};
  if (tests) {
    for (const char* name : {"isnan", "isinf", "isfinite"}) all.push_back(&find_ufunc(name));
  }
  for (const ufunc* f : all) {
    for (const Arch arch : archs()) {
      for (std::int64_t n = 0; n <= 140; ++n) check<T>(*f, arch, n, 1, 1, 1);
      for (const std::int64_t n : {1, 31, 32, 70}) {
        check<T>(*f, arch, n, 1, 0, 1);
        check<T>(*f, arch, n, 0, 1, 1);
        check<T>(*f, arch, n, 0, 0, 1);
        check<T>(*f, arch, n, 2, 1, 1);
        check<T>(*f, arch, n, 1, 2, 1);
        check<T>(*f, arch, n, 1, 1, 3);
      }
    }
  }
}

TEST(TruthLoops, AreTheOperatorsOfIntegers) {
  check_all<std::int32_t>(false);
  check_all<std::uint32_t>(false);
  check_all<std::int64_t>(false);
  check_all<std::uint64_t>(false);
}

TEST(TruthLoops, AreTheOperatorsOfFloatingNumbers) {
  check_all<float>(true);
  check_all<double>(true);
}

TEST(TruthLoops, AreInTheOrderOfComplexNumbers) { check_all<complex<double>>(true); }

// Signed beside unsigned numbers have loops of their own, which the one dtype of a special loop
// does not name.
TEST(TruthLoops, SignedBesideUnsignedNumbersAreWhatTheyAre) {
  const std::vector<std::int64_t> x(40, -1);
  const std::vector<std::uint64_t> y(40, std::numeric_limits<std::uint64_t>::max());
  const ndarray a = array(x), b = array(y);
  EXPECT_EQ(count_nonzero(a < b), 40);
  EXPECT_EQ(count_nonzero(b < a), 0);
  EXPECT_EQ(count_nonzero(a == b), 0);
  EXPECT_EQ(count_nonzero(b > a), 40);
}

}  // namespace
}  // namespace cupyxx::internal::cpu
