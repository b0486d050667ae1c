// SPDX-License-Identifier: MIT
// Powers and long functions over blocks.
#if defined(__AVX512DQ__)
#include <immintrin.h>
#endif

#include <string_view>

#include "cupyxx/internal/cpu/block_loops.h"
#include "cupyxx/internal/cpu/loops.h"
#include "cupyxx/internal/cpu/special_loops.h"
#include "cupyxx/ops/arithmetic.h"
#include "cupyxx/ops/special.h"

namespace cupyxx::internal::cpu {
namespace {

#if defined(__AVX512DQ__)

// GCC 12 warns of what its own header leaves undefined on purpose.
#pragma GCC diagnostic push
#ifndef __clang__
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#pragma GCC diagnostic ignored "-Wuninitialized"

template <int kCount>
__m512d polynomial(__m512d x, const double (&c)[kCount]) {
  __m512d sum = _mm512_set1_pd(c[kCount - 1]);
#pragma GCC unroll 16
  for (int i = kCount - 2; i >= 0; --i) sum = _mm512_fmadd_pd(sum, x, _mm512_set1_pd(c[i]));
  return sum;
}

// x = 2^e m with m in [0.75, 1.5), which is near k / 16 for an integer k of 12 to 24: entry k mod
// 16 of both tables is 16 / k and the logarithm of k / 16.
alignas(64) constexpr double kInverses[16] = {1,
                                              0x1.e1e1e1e1e1e1ep-1,
                                              0x1.c71c71c71c71cp-1,
                                              0x1.af286bca1af28p-1,
                                              0x1.999999999999ap-1,
                                              0x1.8618618618618p-1,
                                              0x1.745d1745d1746p-1,
                                              0x1.642c8590b2164p-1,
                                              0x1.5555555555555p-1,
                                              1,
                                              1,
                                              1,
                                              0x1.5555555555555p+0,
                                              0x1.3b13b13b13b14p+0,
                                              0x1.2492492492492p+0,
                                              0x1.1111111111111p+0};
alignas(64) constexpr double kLogs[16] = {0,
                                          0x1.663f6fac91318p-4,
                                          0x1.5c01a39fbd68bp-3,
                                          0x1.fbc16b902680dp-3,
                                          0x1.49a784bcd1b8ap-2,
                                          0x1.91bba891f170ap-2,
                                          0x1.d6753e032ea0ep-2,
                                          0x1.0c10500d63aa7p-1,
                                          0x1.2b803473f7ad2p-1,
                                          0,
                                          0,
                                          0,
                                          -0x1.a8ff971810a5dp-2,
                                          -0x1.32bfee370ee6ap-2,
                                          -0x1.8a8980abfbd30p-3,
                                          -0x1.7d60496cfbb4bp-4};

__m512d from_table(const double (&table)[16], __m512i index) {
  return _mm512_permutex2var_pd(_mm512_load_pd(table), index, _mm512_load_pd(table + 8));
}

/// The logarithm of base 2 of positive numbers, with a relative error of 2^-35 also near 1.
__m512d log2(__m512d x) {
  constexpr double kLog2[] = {0x1.71547652dd519p+0,  -0x1.71547652f932ap-1, 0x1.ec708644d2e61p-2,
                              -0x1.715461c387a76p-2, 0x1.2803ae51cca70p-2,  -0x1.ed673706f2d91p-3};
  constexpr double kRound = 0x1.8p52;  // the low bits of the sum are the rounded number
  const __m512d m = _mm512_getmant_pd(x, _MM_MANT_NORM_p75_1p5, _MM_MANT_SIGN_src);
  const __m512d e = _mm512_getexp_pd(_mm512_mul_pd(x, _mm512_set1_pd(0x1.5555555555555p+0)));
  const __m512i k =
      _mm512_castpd_si512(_mm512_fmadd_pd(m, _mm512_set1_pd(16), _mm512_set1_pd(kRound)));
  const __m512d r = _mm512_fmsub_pd(m, from_table(kInverses, k), _mm512_set1_pd(1));
  return _mm512_fmadd_pd(r, polynomial(r, kLog2), _mm512_add_pd(e, from_table(kLogs, k)));
}

/// 2^x with a relative error of 2^-28.
__m512d exp2(__m512d x) {
  constexpr double kExp2[] = {1,
                              0x1.62e430d03470fp-1,
                              0x1.ebfbe045f4d57p-3,
                              0x1.c6aecc669a6d3p-5,
                              0x1.3b2a1b71521c4p-7,
                              0x1.5f48c04fd4e49p-10,
                              0x1.443fffc7ffc45p-13};
  const __m512d n = _mm512_roundscale_pd(x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
  return _mm512_scalef_pd(polynomial(_mm512_sub_pd(x, n), kExp2), n);
}

__m256 power(__m256 x, __m256 y) {
  const __m512d exponent = _mm512_cvtps_pd(y);
  return _mm512_cvtpd_ps(exp2(_mm512_mul_pd(exponent, log2(_mm512_cvtps_pd(x)))));
}

/// Powers of positive float32 numbers, in float64.
struct FloatPowers {
  template <int kLanes>
  static bool run(const float (&x)[kLanes], const float (&y)[kLanes], float (&out)[kLanes]) {
    constexpr int kNoNumber = 0x01 | 0x80, kInfinite = 0x08 | 0x10, kZero = 0x02 | 0x04;
    constexpr int kNegative = 0x40;
    __mmask16 bad = 0;
    for (int l = 0; l < kLanes; l += 16) {
      const __m512 base = _mm512_load_ps(x + l), exponent = _mm512_load_ps(y + l);
      bad |= _mm512_fpclass_ps_mask(base, kNoNumber | kInfinite | kZero | kNegative);
      bad |= _mm512_fpclass_ps_mask(exponent, kNoNumber | kInfinite);
    }
    if (bad != 0) return false;
    for (int l = 0; l < kLanes; l += 8) {
      _mm256_store_ps(out + l, power(_mm256_load_ps(x + l), _mm256_load_ps(y + l)));
    }
    return true;
  }
  static float one(float x, float y) { return ops::Power::apply(x, y); }
};

#endif

using Integer = ops::i64;

/// Powers with exponents of up to six bits: squares, and products where a bit of the exponent is
/// set, of all elements alike.
struct IntegerPowers {
  template <int kLanes>
  static bool run(const Integer (&x)[kLanes], const Integer (&y)[kLanes], Integer (&out)[kLanes]) {
    using Eight = ops::u64 __attribute__((vector_size(64)));
    static_assert(kLanes == 16);
    ops::u64 all = 0;
    for (int l = 0; l < kLanes; ++l) all |= static_cast<ops::u64>(y[l]);
    if (all >= 64) return false;
    Eight base[2], exponent[2], power[2];
    std::memcpy(base, x, sizeof(x));
    std::memcpy(exponent, y, sizeof(y));
    const Eight one = {1, 1, 1, 1, 1, 1, 1, 1};
    power[0] = power[1] = one;
    for (; all != 0; all >>= 1) {
      for (int k = 0; k < 2; ++k) {
        power[k] = (exponent[k] & one) != 0 ? power[k] * base[k] : power[k];
        base[k] *= base[k];
        exponent[k] >>= 1;
      }
    }
    std::memcpy(out, power, sizeof(out));
    return true;
  }
  static Integer one(Integer x, Integer y) { return ops::Power::apply(x, y); }
};

/// The power series of Bessel's function I0 in x^2 / 4: its terms are positive, so nothing cancels.
/// What follows the last one is below 2^-40 of the sum for |x| <= 8.
struct BesselSeries {
  static constexpr int kCount = 18;
  double c[kCount] = {1};
  constexpr BesselSeries() {
    for (int k = 1; k < kCount; ++k) c[k] = c[k - 1] / (static_cast<double>(k) * k);
  }
};

void bessel_loop(char* const* data, const std::int64_t* strides, std::int64_t n) {
  static constexpr BesselSeries kSeries;
  constexpr int kLanes = 32;
  for (std::int64_t i = 0; i < n; i += kLanes) {
    const std::int64_t count = std::min<std::int64_t>(kLanes, n - i);
    alignas(64) float x[kLanes], out[kLanes];
    load_block(x, data[1] + i * strides[1], strides[1], count);
    int good = 1;
    for (int l = 0; l < kLanes; ++l) good &= ops::m::fabs(x[l]) <= 8;
    if (good != 0) {
      double quarter[kLanes], sum[kLanes];
      for (int l = 0; l < kLanes; ++l) {
        const double wide = x[l];
        quarter[l] = 0.25 * wide * wide;
        sum[l] = kSeries.c[BesselSeries::kCount - 1];
      }
      for (int k = BesselSeries::kCount - 2; k >= 0; --k) {
        for (int l = 0; l < kLanes; ++l) sum[l] = sum[l] * quarter[l] + kSeries.c[k];
      }
      for (int l = 0; l < kLanes; ++l) out[l] = static_cast<float>(sum[l]);
    } else {
      for (int l = 0; l < count; ++l) out[l] = ops::I0::apply(x[l]);
    }
    store_block(out, data[0] + i * strides[0], strides[0], count);
  }
}

struct Entry {
  const char* op;
  dtype type;
  LoopFn loop;
};

constexpr Entry kEntries[] = {
#if defined(__AVX512DQ__)
    {"power", float32, &BlockLoop<FloatPowers, float>::run},
#endif
    {"power", int64, &BlockLoop<IntegerPowers, Integer>::run},
    {"i0", float32, &bessel_loop},
};

#if defined(__AVX512DQ__)
#pragma GCC diagnostic pop
#endif

}  // namespace

template <>
LoopFn SpecialLoops<Arch::CUPYXX_ARCH>::function(const OpInfo& op, dtype type) {
  for (const Entry& entry : kEntries) {
    if (entry.type == type && std::string_view(entry.op) == op.name) return entry.loop;
  }
  return nullptr;
}

}  // namespace cupyxx::internal::cpu
