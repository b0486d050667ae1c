// SPDX-License-Identifier: MIT
// The loops of logarithms and hyperbolic functions of every instruction set, against long double.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "cupyxx/cupyxx.h"
#include "cupyxx/internal/cpu/arch.h"
#include "cupyxx/internal/cpu/elementwise/special_loops.h"

namespace cupyxx::internal::cpu {
namespace {

struct Function {
  const ufunc& call;
  long double (*reference)(long double);
};

const std::vector<Function>& functions() {
  static const std::vector<Function> all = {{log, logl}, {tanh, tanhl}, {arccosh, acoshl}};
  return all;
}

std::vector<Arch> arches() {
  std::vector<Arch> result;
  for (const Arch arch : {Arch::baseline, Arch::avx2, Arch::avx512}) {
    if (is_compiled(arch) && arch <= cpu::arch()) result.push_back(arch);
  }
  return result;
}

// What the best loop of an instruction set gives, every element `step` apart in memory.
template <class T>
std::vector<T> run(const ufunc& f, Arch arch, const std::vector<T>& x, std::size_t step = 1) {
  const OpInfo& op = f.op();
  const dtype type = dtype_of<T>();
  const LoopFn loop =
      best_loop(op, op.same_loop[static_cast<int>(type.code())], arch, nullptr, type);
  std::vector<T> spread(x.size() * step), y(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) spread[i * step] = x[i];
  char* data[] = {reinterpret_cast<char*>(y.data()), reinterpret_cast<char*>(spread.data())};
  const std::int64_t strides[] = {sizeof(T), static_cast<std::int64_t>(step * sizeof(T))};
  loop(data, strides, static_cast<std::int64_t>(x.size()));
  return y;
}

// The distance in units of the last place of the true result; infinite where one of the two is a
// number and the other none.
template <class T>
double ulps(T actual, long double expected) {
  using Limits = std::numeric_limits<T>;
  const auto rounded = static_cast<T>(expected);
  if (std::isnan(rounded) || std::isnan(actual)) {
    return std::isnan(rounded) && std::isnan(actual) ? 0 : INFINITY;
  }
  if (std::isinf(rounded) || std::isinf(actual)) return rounded == actual ? 0 : INFINITY;
  int exponent = 0;
  std::frexp(expected, &exponent);
  const int place = std::max(exponent, Limits::min_exponent) - Limits::digits;
  return static_cast<double>(std::fabs(actual - expected) / std::ldexp(1.0L, place));
}

// Numbers of all sizes, near 1 and between 0 and 20, of both signs, and those beside the ends of
// the vectors' cases.
template <class T>
std::vector<T> numbers() {
  using Limits = std::numeric_limits<T>;
  std::vector<T> x = {T(0),
                      T(-0.0),
                      T(1),
                      T(-1),
                      std::nextafter(T(1), T(0)),
                      std::nextafter(T(1), T(2)),
                      Limits::infinity(),
                      -Limits::infinity(),
                      Limits::quiet_NaN(),
                      Limits::max(),
                      -Limits::max(),
                      Limits::min(),
                      Limits::denorm_min(),
                      -Limits::denorm_min(),
                      T(0x1p14),
                      T(0x1p28),
                      std::nextafter(T(0x1p28), T(0))};
  for (int i = 0; i < 20000; ++i) {
    const double u = std::fmod(i * 0.618033988749895, 1);
    x.push_back(static_cast<T>((i % 2 == 0 ? 1 : -1) * std::ldexp(1 + u, i % 250 - 140)));
    x.push_back(static_cast<T>(1 + u * u * u * u * u * u));
    x.push_back(static_cast<T>(0.9 + u / 5));
    x.push_back(static_cast<T>(u * 20));
  }
  for (int exponent = -6; exponent < 5; ++exponent) {
    for (const double m : {1.0, 1.25, 1.5, 1.75}) {
      const T edge = static_cast<T>(std::ldexp(m, exponent));
      for (const T value : {std::nextafter(edge, T(0)), edge, std::nextafter(edge, T(100))}) {
        x.push_back(value);
        x.push_back(-value);
      }
    }
  }
  return x;
}

template <class T>
void check() {
  const std::vector<T> x = numbers<T>();
  for (const Function& f : functions()) {
    for (const Arch arch : arches()) {
      const std::vector<T> y = run(f.call, arch, x);
      double worst = 0;
      T at = 0;
      for (std::size_t i = 0; i < x.size(); ++i) {
        const double error = ulps(y[i], f.reference(x[i]));
        if (!(error > worst)) continue;
        worst = error;
        at = x[i];
      }
      // The C library's are within 4: all of AVX2 and the logarithm of float32.
      const bool is_ours = arch == Arch::avx512 && !(sizeof(T) == 4 && &f == functions().data());
      EXPECT_LT(worst, is_ours ? 3 : 4) << f.call.name() << "(" << at << ") " << arch_name(arch);
    }
  }
}

TEST(VectorFunctions, AreNearTheTrueValue) {
  check<double>();
  check<float>();
}

TEST(VectorFunctions, KeepTheSignOfZero) {
  for (const Arch arch : arches()) {
    EXPECT_TRUE(std::signbit(run<double>(tanh, arch, {-0.0})[0]));
    EXPECT_FALSE(std::signbit(run<float>(tanh, arch, {0.0f})[0]));
    EXPECT_FALSE(std::signbit(run<float>(arccosh, arch, {1.0f})[0]));
  }
}

template <class T>
void check_places(Arch arch) {
  std::vector<T> x;
  for (int i = 0; i < 75; ++i) x.push_back(static_cast<T>(1 + i * 0.271));
  for (const Function& f : functions()) {
    const std::vector<T> y = run(f.call, arch, x);
    EXPECT_EQ(y, run(f.call, arch, x, 3)) << f.call.name();
    for (std::size_t i = 0; i < x.size(); ++i) {
      EXPECT_EQ(y[i], run(f.call, arch, std::vector<T>{x[i]})[0]) << f.call.name() << " " << x[i];
    }
  }
}

TEST(VectorFunctions, GiveTheSameBitsAtEveryPlace) {
  if (cpu::arch() != Arch::avx512)
    GTEST_SKIP() << "the C library's vectors differ from its numbers";
  check_places<double>(Arch::avx512);
  // The logarithm of float32 is the C library's.
  std::vector<float> x;
  for (int i = 0; i < 75; ++i) x.push_back(1 + static_cast<float>(i) * 0.271f);
  for (const int which : {1, 2}) {
    const ufunc& f = functions()[which].call;
    EXPECT_EQ(run(f, Arch::avx512, x), run(f, Arch::avx512, x, 3)) << f.name();
  }
}

}  // namespace
}  // namespace cupyxx::internal::cpu
