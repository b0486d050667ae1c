// SPDX-License-Identifier: MIT
// Powers and long functions over blocks.

#include "cupyxx/internal/cpu/elementwise/block_loops.h"
#include "cupyxx/internal/cpu/elementwise/power_loops.h"
#include "cupyxx/internal/cpu/elementwise/special_loops.h"
#include "cupyxx/internal/cpu/elementwise/vector_functions.h"
#include "cupyxx/internal/cpu/loops.h"
#include "cupyxx/ops/arithmetic.h"
#include "cupyxx/ops/exp_log.h"
#include "cupyxx/ops/special.h"

namespace cupyxx::internal::cpu {
namespace {

using Integer = ops::i64;

/// Powers with exponents of up to six bits: squares, and products where a bit of the exponent is
/// set, of all elements alike.
struct IntegerPowers {
  template <int kLanes>
  static bool run(const Integer (&x)[kLanes], const Integer (&y)[kLanes], Integer (&out)[kLanes]) {
#if defined(__AVX512DQ__)
    constexpr int kBytes = 64;
#else
    constexpr int kBytes = 32;  // two registers in the place of one would be spilled
#endif
    using Lanes = ops::u64 __attribute__((vector_size(kBytes)));
    constexpr int kParts = kLanes * 8 / kBytes;
    ops::u64 all = 0;
    for (int l = 0; l < kLanes; ++l) all |= static_cast<ops::u64>(y[l]);
    if (all >= 64) return false;
    Lanes base[kParts], exponent[kParts], power[kParts];
    std::memcpy(base, x, sizeof(x));
    std::memcpy(exponent, y, sizeof(y));
    const Lanes one = Lanes{} + 1;
    for (int k = 0; k < kParts; ++k) power[k] = (exponent[k] & one) != 0 ? base[k] : one;
    for (all >>= 1; all != 0; all >>= 1) {
      for (int k = 0; k < kParts; ++k) {
        base[k] *= base[k];
        exponent[k] >>= 1;
        power[k] = (exponent[k] & one) != 0 ? power[k] * base[k] : power[k];
      }
    }
    std::memcpy(out, power, sizeof(out));
    return true;
  }
  static Integer one(Integer x, Integer y) { return ops::Power::apply(x, y); }
};

/// The power series of Bessel's function I0 in x^2 / 4: its terms are positive, so nothing cancels.
/// What follows the last one is below 2^-40 of the sum for |x| <= 8, 2^-60 in float64.
template <class T>
struct BesselSeries {
  static constexpr int kCount = sizeof(T) == 8 ? 25 : 18;
  double c[kCount] = {1};
  constexpr BesselSeries() {
    for (int k = 1; k < kCount; ++k) c[k] = c[k - 1] / (static_cast<double>(k) * k);
  }
};

template <class T>
void bessel_loop(char* const* data, const std::int64_t* strides, std::int64_t n) {
  static constexpr BesselSeries<T> kSeries;
  constexpr int kLanes = 32;
  for (std::int64_t i = 0; i < n; i += kLanes) {
    const auto count = std::min<std::int64_t>(kLanes, n - i);
    alignas(64) T x[kLanes], out[kLanes];
    load_block(x, data[1] + i * strides[1], strides[1], count);
    int good = 1;
    for (int l = 0; l < kLanes; ++l) good &= ops::m::fabs(x[l]) <= 8;
    if (good != 0) {
      double quarter[kLanes], sum[kLanes];
      for (int l = 0; l < kLanes; ++l) {
        const double wide = x[l];
        quarter[l] = 0.25 * wide * wide;
        sum[l] = kSeries.c[BesselSeries<T>::kCount - 1];
      }
      for (int k = BesselSeries<T>::kCount - 2; k >= 0; --k) {
        for (int l = 0; l < kLanes; ++l) sum[l] = sum[l] * quarter[l] + kSeries.c[k];
      }
      for (int l = 0; l < kLanes; ++l) out[l] = static_cast<T>(sum[l]);
    } else {
      for (int l = 0; l < count; ++l) out[l] = ops::I0::apply(x[l]);
    }
    store_block(out, data[0] + i * strides[0], strides[0], count);
  }
}

/// logaddexp and logaddexp2 without branches, of which exp and log1p make vectors.
template <class T, bool kBinary>
struct LogarithmsOfSums {
  template <int kLanes>
  static bool run(const T (&x)[kLanes], const T (&y)[kLanes], T (&out)[kLanes]) {
    constexpr T kLog2e = static_cast<T>(1.442695040888963407359924681001892137);
    constexpr T kOfTwo = kBinary ? T(1) : static_cast<T>(0.693147180559945309417232121458176568);
#pragma omp simd
    for (int l = 0; l < kLanes; ++l) {
      const T difference = x[l] - y[l], least = -ops::m::fabs(difference);
      const T rest = ops::m::log1p(kBinary ? ops::m::exp2(least) : ops::m::exp(least));
      const T sum = (difference > 0 ? x[l] : y[l]) + (kBinary ? kLog2e * rest : rest);
      const T result = difference != difference ? difference : sum;
      out[l] = x[l] == y[l] ? x[l] + kOfTwo : result;  // equal infinities, too
    }
    return true;
  }
  static T one(T x, T y) {
    return kBinary ? ops::LogAddExp2::apply(x, y) : ops::LogAddExp::apply(x, y);
  }
};

constexpr LoopEntry kEntries[] = {
#if defined(__AVX512DQ__)
    {"power", float32, &BlockLoop<FloatPowers, float, 128, true>::run},
    {"power", float64, &BlockLoop<DoublePowers, double, 256, true>::run},
    {"float_power", float64, &BlockLoop<DoublePowers, double, 256, true>::run},
    {"log", float64, &vector_loop<VectorLog, DoubleVector>},
    {"tanh", float32, &vector_loop<VectorTanh, FloatVector>},
    {"tanh", float64, &vector_loop<VectorTanh, DoubleVector>},
    {"arccosh", float32, &vector_loop<VectorArccosh, FloatVector>},
    {"arccosh", float64, &vector_loop<VectorArccosh, DoubleVector>},
#endif
    {"power", int64, &BlockLoop<IntegerPowers, Integer>::run},
    {ops::LogAddExp::name, float32, &BlockLoop<LogarithmsOfSums<float, false>, float>::run},
    {ops::LogAddExp::name, float64, &BlockLoop<LogarithmsOfSums<double, false>, double>::run},
    {ops::LogAddExp2::name, float32, &BlockLoop<LogarithmsOfSums<float, true>, float>::run},
    {ops::LogAddExp2::name, float64, &BlockLoop<LogarithmsOfSums<double, true>, double>::run},
    {"i0", float32, &bessel_loop<float>},
    {"i0", float64, &bessel_loop<double>},
};

}  // namespace

template <>
LoopFn SpecialLoops<Arch::CUPYXX_ARCH>::function(const OpInfo& op, dtype type) {
  return find_loop(kEntries, op, type);
}

}  // namespace cupyxx::internal::cpu
