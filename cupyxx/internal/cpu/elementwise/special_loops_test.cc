// SPDX-License-Identifier: MIT
#include "cupyxx/internal/cpu/elementwise/special_loops.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "cupyxx/cupyxx.h"
#include "cupyxx/internal/cpu/arch.h"

namespace cupyxx::internal::cpu {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kSpecial[] = {0.0,       -0.0,       1,      -1,        0.5,        -0.5,
                               2,         3,          -7,     1e-310,    -4.9e-324,  1.7e308,
                               -1.7e308,  1e155,      1e-160, kInfinity, -kInfinity, kNan,
                               0x1p-1022, 0x1.8p-149, 1e39,   -1e-46,    1e20};

std::vector<Arch> archs() {
  std::vector<Arch> all;
  for (const Arch arch : {Arch::baseline, Arch::avx2, Arch::avx512}) {
    if (is_compiled(arch) && arch <= cpu::arch()) all.push_back(arch);
  }
  return all;
}

// Special numbers and others, more than a vector of each.
std::vector<double> numbers(std::size_t count = 301) {
  std::vector<double> all(std::begin(kSpecial), std::end(kSpecial));
  for (std::size_t i = 0; all.size() < count; ++i) {
    all.push_back(
        std::ldexp(std::sin(static_cast<double>(i * i + 1)), static_cast<int>(i % 41) - 20));
  }
  return all;
}

template <class T>
std::vector<T> as(const std::vector<double>& values) {
  return {values.begin(), values.end()};
}

template <class T>
bool same(T x, T y) {
  return x != x ? y != y : x == y && std::signbit(x) == std::signbit(y);
}

// How far apart two numbers of a type are, in steps of it.
template <class T>
double steps(T x, T y) {
  return x == y ? 0 : std::abs(static_cast<double>(x - y)) / (std::abs(std::nextafter(x, y) - x));
}

template <class T>
void check_powers(Arch arch, double ulp) {
  const std::vector<T> x = as<T>(numbers());
  const double exponents[] = {0, 1, -1, 0.5, 2, 3};
  for (int e = 0; e < kExponentCount; ++e) {
    const LoopFn loop =
        arch == Arch::avx512 ? SpecialLoops<Arch::avx512>::power(dtype_of<T>(), Exponent(e))
        : arch == Arch::avx2 ? SpecialLoops<Arch::avx2>::power(dtype_of<T>(), Exponent(e))
                             : SpecialLoops<Arch::baseline>::power(dtype_of<T>(), Exponent(e));
    ASSERT_NE(loop, nullptr);
    for (const std::size_t step : {1u, 3u}) {  // contiguous and not
      std::vector<T> out(x.size());
      char* const data[] = {reinterpret_cast<char*>(out.data()),
                            const_cast<char*>(reinterpret_cast<const char*>(x.data()))};
      const auto stride = static_cast<std::int64_t>(step * sizeof(T));
      const std::int64_t strides[] = {stride, stride};
      loop(data, strides, static_cast<std::int64_t>(x.size() / step));
      for (std::size_t i = 0; i / step < x.size() / step; i += step) {
        const T expected = std::pow(x[i], static_cast<T>(exponents[e]));
        const bool ordinary = std::isnormal(expected);
        EXPECT_TRUE(ordinary ? steps(expected, out[i]) <= ulp : same(expected, out[i]))
            << x[i] << " ** " << exponents[e] << ": " << out[i] << ", not " << expected << " "
            << arch_name(arch);
      }
    }
  }
}

TEST(SpecialLoops, PowersAreThoseOfTheLibrary) {
  for (const Arch arch : archs()) {
    check_powers<double>(arch, 1);
    check_powers<float>(arch, 1);
  }
}

// Whatever is special gives the bits of the operation's own loop; magnitudes may be one step off,
// powers and long functions as far as the library's vectors, of which they take none.
TEST(SpecialLoops, AgreeWithTheOrdinaryOnes) {
  int loops = 0;
  for (const ufunc* f : all_ufuncs()) {
    const OpInfo& op = f->op();
    for (const dtype type : {bool_, int64, float32, float64, complex64, complex128}) {
      const int index = op.same_loop[static_cast<int>(type.code())];
      if (index < 0) continue;
      for (const Arch arch : archs()) {
        const LoopFn plain = cpu_loop(op, index, arch);
        const LoopFn special = best_loop(op, index, arch, nullptr, type);
        if (special == plain) continue;
        ++loops;
        const std::int64_t n = 293;
        const auto whole = array(numbers(600)).astype(float32).astype(float64);
        ndarray x = whole(slice(0, n)).astype(type),
                y = whole(slice(none, none, -1))(slice(0, n)).astype(type);
        if (type.is_complex()) {
          x.imag() = whole(slice(5, n + 5));
          y.imag() = whole(slice(300, 300 + n));
          y(slice(0, 40)) = x(slice(0, 40));  // equal ones, too
        }
        const LoopInfo& info = op.loops[index];
        ndarray results[2][2];
        for (int which = 0; which < 2; ++which) {
          char* data[4];
          std::int64_t strides[4];
          for (int k = 0; k < op.nout; ++k) {
            results[which][k] = zeros({n}, info.out[k]);
            data[k] = static_cast<char*>(results[which][k].data());
            strides[k] = info.out[k].itemsize();
          }
          const ndarray inputs[] = {x, y};
          for (int i = 0; i < op.nin; ++i) {
            data[op.nout + i] = static_cast<char*>(inputs[i].data());
            strides[op.nout + i] = type.itemsize();
          }
          (which == 0 ? plain : special)(data, strides, n);
        }
        for (int k = 0; k < op.nout; ++k) {
          const ndarray a = results[0][k], b = results[1][k];
          const std::string name = op.name;
          const bool is_power = type.is_floating() && name.ends_with("power");
          const bool is_sum = name.starts_with("logaddexp");  // of at least 1
          const bool is_long =
              is_sum || name == "log" || name == "tanh" || name == "arccosh" || name == "i0";
          const bool near = name == "absolute" || is_power || (is_long && type.is_floating());
          const double rtol = is_power && type == float64  ? 1e-15
                              : is_long && type == float64 ? 1.5e-15
                                                           : 6e-7;
          EXPECT_TRUE(
              near
                  ? allclose(a, b, {.rtol = rtol, .atol = is_sum ? rtol : 1e-44, .equal_nan = true})
                  : array_equal(a, b, info.out[k].is_inexact()))
              << op.name << " " << type << " " << arch_name(arch);
        }
      }
    }
  }
  EXPECT_GE(loops, archs().size() > 1 ? 26 : 13);
}

// Runs an operation's best loop of an instruction set over elements that are `step` apart.
template <class T>
std::vector<T> run_best(const ufunc& f, Arch arch, const std::vector<T>& x, const std::vector<T>& y,
                        std::size_t step = 1, int which = 0) {
  const OpInfo& op = f.op();
  const dtype type = dtype_of<T>();
  std::vector<T> outs[2];
  std::vector<char*> data;
  for (int k = 0; k < op.nout; ++k) {
    outs[k].resize(x.size());
    data.push_back(reinterpret_cast<char*>(outs[k].data()));
  }
  for (const std::vector<T>* in : {&x, &y}) {
    if (static_cast<int>(data.size()) < op.nout + op.nin) {
      data.push_back(const_cast<char*>(reinterpret_cast<const char*>(in->data())));
    }
  }
  const std::vector<std::int64_t> strides(data.size(), static_cast<std::int64_t>(step * sizeof(T)));
  best_loop(op, op.same_loop[static_cast<int>(type.code())], arch, nullptr, type)(
      data.data(), strides.data(), static_cast<std::int64_t>(x.size() / step));
  return outs[which];
}

// Dividends at, just below and just above multiples of divisors, up to the quotients that the
// vectors leave to the library.
template <class T>
void check_rests(Arch arch) {
  std::vector<T> x, y;
  for (int i = 0; i < 1200; ++i) {
    const T divisor = static_cast<T>(std::ldexp(1 + (i * 37 % 101) / 101.0, i % 23 - 11));
    const T multiple =
        std::round(std::ldexp(T(1 + i % 7), i % (sizeof(T) == 8 ? 49 : 20))) * divisor;
    const T dividend = i % 3 == 0   ? multiple
                       : i % 3 == 1 ? std::nextafter(multiple, T(0))
                                    : std::nextafter(multiple, T(1e30));
    x.push_back(i % 2 == 0 ? dividend : -dividend);
    y.push_back(i % 5 < 2 ? -divisor : divisor);
  }
  const T extremes[] = {T(0),
                        T(-0.0),
                        std::numeric_limits<T>::denorm_min(),
                        std::numeric_limits<T>::min(),
                        T(3),
                        std::numeric_limits<T>::max(),
                        static_cast<T>(kInfinity),
                        -static_cast<T>(kInfinity),
                        static_cast<T>(kNan)};
  for (const T a : extremes) {
    for (const T b : extremes) {
      x.push_back(a);
      y.push_back(b);
    }
  }
  for (const std::size_t step : {1u, 2u}) {
    const std::vector<T> c = run_best(fmod, arch, x, y, step);
    const std::vector<T> python = run_best(remainder, arch, x, y, step);
    for (std::size_t i = 0; i / step < x.size() / step; i += step) {
      const T rest = std::fmod(x[i], y[i]);
      EXPECT_TRUE(same(rest, c[i])) << x[i] << " % " << y[i] << ": " << c[i] << ", not " << rest;
      T floored = rest;
      if (rest == 0) {
        floored = std::copysign(T(0), y[i]);
      } else if ((rest < 0) != (y[i] < 0) && rest == rest) {
        floored = rest + y[i];
      }
      if (y[i] == 0) floored = rest;
      EXPECT_TRUE(same(floored, python[i]))
          << x[i] << " % " << y[i] << ": " << python[i] << ", not " << floored;
    }
  }
}

TEST(SpecialLoops, RestsAreThoseOfTheLibrary) {
  for (const Arch arch : archs()) {
    check_rests<double>(arch);
    check_rests<float>(arch);
  }
}

// All pairs of special numbers, to the sign of zeros: of two zeros the second one is taken.
template <class T>
void check_extremes(Arch arch) {
  std::vector<T> x, y;
  for (const double a : kSpecial) {
    for (const double b : kSpecial) {
      x.push_back(static_cast<T>(a));
      y.push_back(static_cast<T>(b));
    }
  }
  for (const std::size_t step : {1u, 2u}) {
    const auto larger = run_best(maximum, arch, x, y, step);
    const auto smaller = run_best(minimum, arch, x, y, step);
    const auto larger_number = run_best(fmax, arch, x, y, step);
    const auto smaller_number = run_best(fmin, arch, x, y, step);
    for (std::size_t i = 0; i / step < x.size() / step; i += step) {
      const bool no_x = std::isnan(x[i]), no_y = std::isnan(y[i]);
      const auto check = [&](const char* name, T found, T expected) {
        EXPECT_TRUE(same(found, expected))
            << name << " of " << x[i] << " and " << y[i] << ": " << found << " " << arch_name(arch);
      };
      check("maximum", larger[i], x[i] > y[i] || no_x ? x[i] : y[i]);
      check("minimum", smaller[i], x[i] < y[i] || no_x ? x[i] : y[i]);
      check("fmax", larger_number[i], x[i] > y[i] || no_y ? x[i] : y[i]);
      check("fmin", smaller_number[i], x[i] < y[i] || no_y ? x[i] : y[i]);
    }
  }
}

TEST(SpecialLoops, ExtremesKeepTheSignsOfZeros) {
  for (const Arch arch : archs()) {
    check_extremes<double>(arch);
    check_extremes<float>(arch);
  }
  // One number beside an array, on either side.
  const ndarray a = array({-1.0, 0.5, 3.0, kNan, kInfinity, -0.0, 2.0});
  EXPECT_TRUE(
      array_equal(maximum(a, 1.0), array({1.0, 1.0, 3.0, kNan, kInfinity, 1.0, 2.0}), true));
  EXPECT_TRUE(array_equal(minimum(1.0, a), array({-1.0, 0.5, 1.0, kNan, 1.0, -0.0, 1.0}), true));
  EXPECT_TRUE(array_equal(fmax(1.0, a), array({1.0, 1.0, 3.0, 1.0, kInfinity, 1.0, 2.0})));
  EXPECT_TRUE(
      array_equal(fmin(a, kNan), array({-1.0, 0.5, 3.0, kNan, kInfinity, -0.0, 2.0}), true));
}

TEST(SpecialLoops, IntegersAreDividedExactly) {
  using Integer = std::int64_t;
  std::vector<Integer> x, y;
  for (Integer i = 0; i < 2000; ++i) {
    const Integer divisor = (Integer{1} << i % 40) + i * 31;
    const Integer most = ((Integer{1} << 52) - 1) / divisor;
    const Integer dividend = (most - i % 5) * divisor + i % 3 - 1;
    x.push_back(i % 2 == 0 ? dividend : -dividend);
    y.push_back(i % 7 < 3 ? -divisor : divisor);
  }
  constexpr Integer kLeast = std::numeric_limits<Integer>::min();
  for (const Integer a : {kLeast, kLeast + 1, Integer{-1}, Integer{0}, Integer{7}, -(kLeast + 1)}) {
    for (const Integer b : {kLeast, Integer{-1}, Integer{0}, Integer{1}, Integer{-3}}) {
      x.push_back(a);
      y.push_back(b);
    }
  }
  for (const Arch arch : archs()) {
    for (const std::size_t step : {1u, 3u}) {
      const auto quotients = run_best(floor_divide, arch, x, y, step);
      const auto rests = run_best(remainder, arch, x, y, step);
      const auto first = run_best(divmod, arch, x, y, step, 0);
      const auto second = run_best(divmod, arch, x, y, step, 1);
      for (std::size_t i = 0; i / step < x.size() / step; i += step) {
        const __int128 a = x[i], b = y[i];
        __int128 quotient = b == 0 ? 0 : a / b;
        if (b != 0 && a % b != 0 && (a % b < 0) != (b < 0)) quotient -= 1;
        const auto q = static_cast<Integer>(quotient);
        const auto r = static_cast<Integer>(b == 0 ? 0 : a - quotient * b);
        EXPECT_EQ(quotients[i], q) << x[i] << " // " << y[i];
        EXPECT_EQ(rests[i], r) << x[i] << " % " << y[i];
        EXPECT_EQ(first[i], q) << x[i] << " // " << y[i];
        EXPECT_EQ(second[i], r) << x[i] << " % " << y[i];
      }
    }
  }
}

TEST(SpecialLoops, PowersOfIntegersWrapAround) {
  using Integer = std::int64_t;
  std::vector<Integer> x, y;
  for (Integer i = 0; i < 700; ++i) {
    x.push_back((i - 350) * (i % 9 + 1));
    y.push_back(i % 50 == 49 ? 64 + i : i % 64);
  }
  for (const Arch arch : archs()) {
    const auto powers = run_best(power, arch, x, y);
    for (std::size_t i = 0; i < x.size(); ++i) {
      std::uint64_t expected = 1;
      for (Integer k = 0; k < y[i]; ++k) expected *= static_cast<std::uint64_t>(x[i]);
      EXPECT_EQ(powers[i], static_cast<Integer>(expected)) << x[i] << " ** " << y[i];
    }
  }
}

// Bases near 1 with large exponents, of every size, and near 1; then all pairs of special numbers.
template <class T>
void check_general_powers(Arch arch) {
  constexpr bool is_double = sizeof(T) == 8;
  std::vector<T> x, y;
  for (int i = 0; i < 20000; ++i) {
    const double turn = std::sin(i * 0.7),
                 size = std::ldexp(1.0, i % 9 * (is_double ? 220 : 12) - (is_double ? 900 : 60));
    x.push_back(static_cast<T>(i % 3 == 0   ? 1 + turn * 1e-3
                               : i % 3 == 1 ? size * (1.5 + 0.5 * turn)
                                            : 1.5 + turn));
    y.push_back(static_cast<T>(std::cos(i * 1.3) * (i % 3 == 0   ? (is_double ? 6e5 : 3e4)
                                                    : i % 3 == 1 ? 2
                                                                 : (is_double ? 700 : 40))));
  }
  for (const double a : kSpecial) {
    for (const double b : kSpecial) {
      x.push_back(static_cast<T>(a));
      y.push_back(static_cast<T>(b));
    }
  }
  const auto powers = run_best(power, arch, x, y);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const auto expected =
        static_cast<T>(is_double ? std::pow(x[i], y[i])
                                 : std::pow(static_cast<double>(x[i]), static_cast<double>(y[i])));
    EXPECT_TRUE(same(expected, powers[i]) || steps(expected, powers[i]) <= 4)
        << x[i] << " ** " << y[i] << ": " << powers[i] << ", not " << expected;
  }
}

TEST(SpecialLoops, PowersAreNearTheExactOnes) {
  for (const Arch arch : archs()) {
    check_general_powers<float>(arch);
    check_general_powers<double>(arch);
  }
}

TEST(SpecialLoops, MagnitudesNeitherOverflowNorVanish) {
  const std::pair<double, double> parts[] = {
      {3, 4},         {-5, 12},           {1e300, 1e300}, {3e-310, 4e-310}, {1e-200, 1e200},
      {0x1p-1074, 0}, {1.2e308, 1.2e308}, {-0.0, -0.0},   {0x1p+500, 1}};
  for (const auto& [re, im] : parts) {
    const ndarray z = full({9}, complex<double>(re, im), complex128);
    const double expected = std::hypot(re, im), found = absolute(z)(8).item<double>();
    EXPECT_LE(steps(expected, found), 1) << re << " " << im;
    EXPECT_EQ(std::signbit(found), false);
  }
  for (const auto& [re, im] : {std::pair{kInfinity, kNan}, {kNan, -kInfinity}, {1.0, kInfinity}}) {
    EXPECT_EQ(absolute(full({9}, complex<double>(re, im), complex128))(3).item<double>(),
              kInfinity);
    EXPECT_EQ(absolute(full({9}, complex<double>(re, im), complex64))(3).item<float>(), kInfinity);
  }
  EXPECT_TRUE(
      std::isnan(absolute(full({9}, complex<double>(kNan, 1), complex128))(3).item<double>()));
}

// What users see: dtypes, layouts, numbers and arrays as exponents.
TEST(SpecialLoops, PowersKeepTheRulesOfDtypes) {
  EXPECT_EQ(power(arange(5, int32), 2).dtype(), int32);
  EXPECT_EQ(power(arange(5, int64), 2.0).dtype(), float64);
  EXPECT_EQ(power(arange(5, float32), 2).dtype(), float32);
  EXPECT_EQ(power(arange(5, float32), array(Scalar(0.5, float64))).dtype(), float64);
  EXPECT_EQ(power(arange(5, float16), 3).dtype(), float16);
  EXPECT_TRUE(
      array_equal(power(arange(200, int8), 2), multiply(arange(200, int8), arange(200, int8))));
  EXPECT_TRUE(array_equal(power(arange(-3, 9, 1, int64), 3),
                          array({-27, -8, -1, 0, 1, 8, 27, 64, 125, 216, 343, 512})));
  EXPECT_TRUE(array_equal(power(arange(5000.0), 2), arange(5000.0) * arange(5000.0)));
  const ndarray x = array({-0.0, -kInfinity, 4.0, kNan});
  EXPECT_TRUE(array_equal(power(x, 0.5), array({0.0, kInfinity, 2.0, kNan}), true));
  EXPECT_FALSE(std::signbit(power(x, 0.5)(0).item<double>()));
  EXPECT_TRUE(array_equal(power(x, 0), ones({4})));
  EXPECT_TRUE(array_equal(power(x, -1), array({-kInfinity, -0.0, 0.25, kNan}), true));
  const ndarray m = arange(12.0).reshape({3, 4});
  EXPECT_TRUE(array_equal(power(m.T(), array({{2.0}})), (m * m).T()));
  EXPECT_TRUE(array_equal(power(m, 2, {.out = m.copy(), .where = m > 5})(2), (m * m)(2)));
  EXPECT_TRUE(array_equal(float_power(arange(5), 2), array({0.0, 1.0, 4.0, 9.0, 16.0})));
  const ndarray z = full({5}, complex<double>(1, 2), complex128);
  EXPECT_EQ(power(z, 2)(4).item<complex<double>>(), (complex<double>(-3, 4)));
}

TEST(SpecialLoops, NumbersFillAndGapsAreClosed) {
  for (const dtype type : {bool_, int8, int16, float32, float64, complex128}) {
    for (const std::int64_t n : {1, 2, 7, 5000, 1500000}) {
      const ndarray a = full({n}, 1, type);
      EXPECT_EQ(count_nonzero(equal(a, 1)), n) << type << " " << n;
    }
  }
  ndarray rows = zeros({30, 40});
  rows(slice(), slice(3, 20)) = array({{7.0}});
  EXPECT_EQ(sum(rows).item<double>(), 7.0 * 30 * 17);
  const ndarray x = arange(3000.0) / 3000;
  EXPECT_TRUE(array_equal(sin(x(slice(none, none, 3))), sin(x(slice(none, none, 3)).copy())));
  // Also where results are long enough to go past the caches.
  const ndarray many = arange(1400000.0) / 1e6;
  EXPECT_TRUE(array_equal(cos(many(slice(none, none, 2))), cos(many(slice(none, none, 2)).copy())));
  const ndarray out = zeros({2000});
  exp(x(slice(0, 1000)), {.out = out(slice(none, none, 2))});
  EXPECT_TRUE(array_equal(out(slice(none, none, 2)), exp(x(slice(0, 1000)))));
  EXPECT_EQ(sum(out(slice(1, none, 2))).item<double>(), 0);
}

}  // namespace
}  // namespace cupyxx::internal::cpu
