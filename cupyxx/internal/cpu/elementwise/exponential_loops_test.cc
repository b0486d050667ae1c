// SPDX-License-Identifier: MIT
// The loops of exp and exp2 for processors with fused multiply-add, against long double.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "cupyxx/cupyxx.h"
#include "cupyxx/internal/cpu/arch.h"
#include "cupyxx/internal/op_info.h"

namespace cupyxx::internal::cpu {
namespace {

struct Function {
  const ufunc& call;
  long double (*reference)(long double);
};

const std::vector<Function>& functions() {
  static const std::vector<Function> all = {{exp, expl}, {exp2, exp2l}};
  return all;
}

std::vector<Arch> arches() {
  std::vector<Arch> result;
  for (const Arch arch : {Arch::avx2, Arch::avx512}) {
    if (is_compiled(arch) && arch <= cpu::arch()) result.push_back(arch);
  }
  return result;
}

// What the loop of one instruction set gives, every element `step` apart in memory.
template <class T>
std::vector<T> run(const Function& f, Arch arch, const std::vector<T>& x, std::size_t step = 1) {
  const OpInfo& op = f.call.op();
  const LoopFn loop = cpu_loop(op, op.same_loop[static_cast<int>(dtype_of<T>().code())], arch);
  std::vector<T> spread(x.size() * step), y(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) spread[i * step] = x[i];
  char* data[] = {reinterpret_cast<char*>(y.data()), reinterpret_cast<char*>(spread.data())};
  const std::int64_t strides[] = {sizeof(T), static_cast<std::int64_t>(step * sizeof(T))};
  loop(data, strides, static_cast<std::int64_t>(x.size()));
  return y;
}

// The distance in units of the last place of the true result, where numbers of T are that dense.
template <class T>
double ulps(T actual, long double expected) {
  using Limits = std::numeric_limits<T>;
  const long double biggest = Limits::max();
  const long double end = biggest + std::ldexp(1.0L, Limits::max_exponent - Limits::digits - 1);
  if (std::isnan(expected) != std::isnan(actual)) return INFINITY;
  if (std::isnan(expected)) return 0;
  if (expected >= end) return std::isinf(actual) && actual > 0 ? 0 : INFINITY;
  if (std::isinf(actual)) return INFINITY;
  int exponent = 0;
  std::frexp(expected, &exponent);
  const int place = std::max(exponent, Limits::min_exponent) - Limits::digits;
  return static_cast<double>(std::fabs(actual - expected) / std::ldexp(1.0L, place));
}

template <class T>
void expect_within_one_ulp(const std::vector<T>& x) {
  for (const Function& f : functions()) {
    for (const Arch arch : arches()) {
      const std::vector<T> y = run(f, arch, x);
      double worst = 0;
      T at = 0;
      for (std::size_t i = 0; i < x.size(); ++i) {
        const double error = ulps(y[i], f.reference(x[i]));
        if (!(error > worst)) continue;
        worst = error;
        at = x[i];
      }
      EXPECT_LT(worst, 1) << f.call.name() << "(" << at << ") " << arch_name(arch);
    }
  }
}

TEST(ExponentialLoops, AreWithinOneUlpForNumbersOfEverySize) {
  std::vector<float> x;
  for (std::uint64_t bits = 0; bits < std::uint64_t{1} << 32; bits += 4093) {
    const auto low = static_cast<std::uint32_t>(bits);
    float value;
    std::memcpy(&value, &low, sizeof(value));
    x.push_back(value);
  }
  expect_within_one_ulp(x);
  expect_within_one_ulp(std::vector<double>(x.begin(), x.end()));
}

TEST(ExponentialLoops, AreWithinOneUlpUpToTheEndsOfTheRange) {
  std::vector<float> singles;
  for (int i = -160000; i < 160000; ++i) singles.push_back(static_cast<float>(i) * 0x1.00123p-10f);
  expect_within_one_ulp(singles);
  std::vector<double> doubles;
  for (int i = -110000; i < 110000; ++i) doubles.push_back(i * 0x1.00123456789p-6 * 0.63);
  expect_within_one_ulp(doubles);
}

TEST(ExponentialLoops, SpecialValues) {
  const float inf = std::numeric_limits<float>::infinity();
  for (const Arch arch : arches()) {
    const std::vector<float> y = run<float>(
        functions()[0], arch, {0, -0.0f, inf, -inf, 88.72283f, 88.722839f, -103.97208f, -104, NAN});
    EXPECT_EQ(y[0], 1);
    EXPECT_EQ(y[1], 1);
    EXPECT_EQ(y[2], inf);
    EXPECT_EQ(y[3], 0);
    EXPECT_TRUE(std::isfinite(y[4]));
    EXPECT_EQ(y[5], inf);
    EXPECT_EQ(y[6], std::numeric_limits<float>::denorm_min());
    EXPECT_EQ(y[7], 0);
    EXPECT_TRUE(std::isnan(y[8]));
    const std::vector<double> powers = run<double>(functions()[1], arch, {-1074, -1, 10, 1023});
    EXPECT_EQ(powers, (std::vector<double>{0x1p-1074, 0.5, 1024, 0x1p1023}));
  }
}

TEST(ExponentialLoops, GiveTheSameBitsAtEveryPlaceAndInEveryInstructionSet) {
  std::vector<double> x;
  for (int i = 0; i < 75; ++i) x.push_back((i - 37) * 2.71);
  for (const Function& f : functions()) {
    for (const Arch arch : arches()) {
      const std::vector<double> y = run(f, arch, x);
      EXPECT_EQ(y, run(f, arch, x, 3));
      EXPECT_EQ(y, run(f, arches().front(), x));
      const std::vector<float> narrow(x.begin(), x.end());
      EXPECT_EQ(run(f, arch, narrow), run(f, arches().front(), narrow, 3));
    }
  }
}

}  // namespace
}  // namespace cupyxx::internal::cpu
