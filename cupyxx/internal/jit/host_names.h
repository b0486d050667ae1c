// SPDX-License-Identifier: MIT
// What users' kernels find in the global namespace on the host, as they do on a device.
#pragma once

namespace cupyxx::internal::jit {

/// Stands for cupyxx/ops/host_math.h beside a user's text. Functions have CUDA's definitions: of a
/// NaN and a number min and max take the number, sinpi(1) is 0.
inline constexpr char kHostNames[] = R"(#pragma once
#include <assert.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <type_traits>
#define __device__
#define __host__
#define __constant__ const
#define __forceinline__ inline
#define __noinline__
#define __restrict__ __restrict
extern "C" int printf(const char* format, ...);
#define CUPYXX_EXTREME(name, beyond) \
  template <class A, class B> inline auto name(A a, B b) { \
    if constexpr (std::is_integral_v<A> && std::is_integral_v<B>) { \
      return b beyond a ? b : a; \
    } else if constexpr (std::is_arithmetic_v<A> && std::is_arithmetic_v<B>) { \
      using Both = std::common_type_t<A, B>; \
      const Both x = static_cast<Both>(a), y = static_cast<Both>(b); \
      return y beyond x || x != x ? y : x; \
    } else if constexpr (std::is_convertible_v<A, float> && std::is_convertible_v<B, float>) { \
      return name(static_cast<float>(a), static_cast<float>(b)); \
    } else { \
      return b beyond a ? b : a; \
    } \
  }
CUPYXX_EXTREME(min, <)
CUPYXX_EXTREME(max, >)
#undef CUPYXX_EXTREME
#define CUPYXX_HOST(name, expression) \
  inline float name(float x) { return static_cast<float>(expression); } \
  inline double name(double x) { return expression; }
CUPYXX_HOST(rsqrt, 1 / sqrt(x))
CUPYXX_HOST(rcbrt, 1 / cbrt(x))
CUPYXX_HOST(exp10, pow(10.0, x))
CUPYXX_HOST(normcdf, 0.5 * erfc(x * -0.70710678118654752440))
#undef CUPYXX_HOST
// Of x - 2 k in [-1, 1], mirrored into [-1/2, 1/2]: exact at the zeros, however large x is.
inline double sinpi(double x) {
  const double rest = x - 2 * rint(x / 2);
  const double near = fabs(rest) > 0.5 ? copysign(1 - fabs(rest), rest) : rest;
  return sin(3.14159265358979323846 * near);
}
inline double cospi(double x) { return sinpi(0.5 - fabs(x - 2 * rint(x / 2))); }
inline float sinpi(float x) { return static_cast<float>(sinpi(static_cast<double>(x))); }
inline float cospi(float x) { return static_cast<float>(cospi(static_cast<double>(x))); }
inline float rsqrtf(float x) { return rsqrt(x); }
inline float __expf(float x) { return expf(x); }
inline float __logf(float x) { return logf(x); }
inline float __sinf(float x) { return sinf(x); }
inline float __cosf(float x) { return cosf(x); }
inline float __tanf(float x) { return tanf(x); }
inline float __powf(float x, float y) { return powf(x, y); }
inline float __fdividef(float x, float y) { return x / y; }
inline float __saturatef(float x) { return x >= 0 ? (x <= 1 ? x : 1) : 0; }
inline float __fmaf_rn(float x, float y, float z) { return fmaf(x, y, z); }
inline double __fma_rn(double x, double y, double z) { return fma(x, y, z); }
inline int __popc(unsigned x) { return __builtin_popcount(x); }
inline int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
inline int __clz(int x) { return x == 0 ? 32 : __builtin_clz(static_cast<unsigned>(x)); }
inline int __clzll(long long x) {
  return x == 0 ? 64 : __builtin_clzll(static_cast<unsigned long long>(x));
}
inline int __ffs(int x) { return __builtin_ffs(x); }
inline int __ffsll(long long x) { return __builtin_ffsll(x); }
inline unsigned __brev(unsigned x) {
  unsigned turned = 0;
  for (int k = 0; k < 32; ++k) turned |= (x >> k & 1u) << (31 - k);
  return turned;
}
#define CUPYXX_BITS(name, From, To) \
  inline To name(From x) { To y; __builtin_memcpy(&y, &x, sizeof y); return y; }
CUPYXX_BITS(__float_as_int, float, int)
CUPYXX_BITS(__float_as_uint, float, unsigned)
CUPYXX_BITS(__int_as_float, int, float)
CUPYXX_BITS(__uint_as_float, unsigned, float)
CUPYXX_BITS(__double_as_longlong, double, long long)
CUPYXX_BITS(__longlong_as_double, long long, double)
#undef CUPYXX_BITS
template <class T> inline T __ldg(const T* at) { return *at; }
#define CUPYXX_ATOMIC(name, expression) \
  template <class T, class U> inline T name(T* at, U value) { \
    T old, fresh; \
    __atomic_load(at, &old, __ATOMIC_RELAXED); \
    do { \
      fresh = static_cast<T>(expression); \
    } while (!__atomic_compare_exchange(at, &old, &fresh, true, __ATOMIC_RELAXED, \
                                        __ATOMIC_RELAXED)); \
    return old; \
  }
CUPYXX_ATOMIC(atomicAdd, old + value)
CUPYXX_ATOMIC(atomicSub, old - value)
CUPYXX_ATOMIC(atomicMin, value < old ? value : old)
CUPYXX_ATOMIC(atomicMax, value > old ? value : old)
CUPYXX_ATOMIC(atomicAnd, old & value)
CUPYXX_ATOMIC(atomicOr, old | value)
CUPYXX_ATOMIC(atomicXor, old ^ value)
CUPYXX_ATOMIC(atomicExch, value)
#undef CUPYXX_ATOMIC
template <class T> inline T atomicCAS(T* at, T expected, T value) {
  __atomic_compare_exchange(at, &expected, &value, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  return expected;
}
)";

}  // namespace cupyxx::internal::jit
