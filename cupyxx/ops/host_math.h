// SPDX-License-Identifier: MIT
// The C library's mathematics for the host's loops. In files compiled with CUPYXX_VECTOR_MATH the
// prototypes say that glibc's libmvec has vector versions (below 4 ulp), which glibc's own header
// says only under -ffast-math. Where there is fused multiply-add, exponentials are our own,
// inlined: a call per vector costs as much as they do.
#pragma once

#include <math.h>

#include "cupyxx/ops/vector_math.h"

#if defined(CUPYXX_VECTOR_MATH) && defined(__x86_64__)

#if defined(__clang__)
// Clang has no such pragma: it calls the scalar functions.
#define CUPYXX_VECTOR_1(name)
#define CUPYXX_VECTOR_2(name)
#else
#define CUPYXX_VECTOR_1(name)                                                       \
  _Pragma("omp declare simd notinbranch") extern "C" float name##f(float) noexcept; \
  _Pragma("omp declare simd notinbranch") extern "C" double name(double) noexcept;
#define CUPYXX_VECTOR_2(name)                                                              \
  _Pragma("omp declare simd notinbranch") extern "C" float name##f(float, float) noexcept; \
  _Pragma("omp declare simd notinbranch") extern "C" double name(double, double) noexcept;

#endif

#if defined(__FMA__)
#define CUPYXX_INLINE_1(name)                                                                    \
  extern "C" inline __attribute__((gnu_inline, always_inline)) float name##f(float x) noexcept { \
    return cupyxx::ops::vector_math::name(x);                                                    \
  }                                                                                              \
  extern "C" inline __attribute__((gnu_inline, always_inline)) double name(double x) noexcept {  \
    return cupyxx::ops::vector_math::name(x);                                                    \
  }
CUPYXX_INLINE_1(exp)
CUPYXX_INLINE_1(exp2)
#undef CUPYXX_INLINE_1
#else
CUPYXX_VECTOR_1(exp)
CUPYXX_VECTOR_1(exp2)
#endif
CUPYXX_VECTOR_1(expm1)
CUPYXX_VECTOR_1(log)
CUPYXX_VECTOR_1(log2)
CUPYXX_VECTOR_1(log10)
CUPYXX_VECTOR_1(log1p)
CUPYXX_VECTOR_1(cbrt)
CUPYXX_VECTOR_1(sin)
CUPYXX_VECTOR_1(cos)
CUPYXX_VECTOR_1(tan)
CUPYXX_VECTOR_1(asin)
CUPYXX_VECTOR_1(acos)
CUPYXX_VECTOR_1(atan)
CUPYXX_VECTOR_1(sinh)
CUPYXX_VECTOR_1(cosh)
CUPYXX_VECTOR_1(tanh)
CUPYXX_VECTOR_1(asinh)
CUPYXX_VECTOR_1(acosh)
CUPYXX_VECTOR_1(atanh)
CUPYXX_VECTOR_2(pow)
CUPYXX_VECTOR_2(atan2)
CUPYXX_VECTOR_2(hypot)

#undef CUPYXX_VECTOR_1
#undef CUPYXX_VECTOR_2

#endif
