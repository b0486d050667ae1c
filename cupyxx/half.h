// SPDX-License-Identifier: MIT
// Device-safe: read by the host compiler and, embedded as text, by NVRTC. Includes nothing.
// 16-bit floating types as plain data; arithmetic happens in float through the conversions.
#pragma once

#if defined(__CUDACC__)
#define CUPYXX_FN __device__ __forceinline__
#else
#define CUPYXX_FN inline __attribute__((always_inline))
#endif

namespace cupyxx {

namespace internal {

CUPYXX_FN unsigned float_bits(float x) {
#if defined(__CUDACC__)
  return __float_as_uint(x);
#else
  return __builtin_bit_cast(unsigned, x);
#endif
}

CUPYXX_FN float bits_float(unsigned x) {
#if defined(__CUDACC__)
  return __uint_as_float(x);
#else
  return __builtin_bit_cast(float, x);
#endif
}

/// Nearest float16, ties to even.
CUPYXX_FN unsigned short float_to_half_bits(float value) {
#if defined(__CUDACC__)
  unsigned short bits;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(value));
  return bits;
#else
  const unsigned x = float_bits(value);
  const unsigned sign = (x >> 16) & 0x8000u;
  const unsigned magnitude = x & 0x7fffffffu;
  if (magnitude > 0x7f800000u) {
    return static_cast<unsigned short>(sign | 0x7e00u | ((magnitude >> 13) & 0x3ffu));
  }
  if (magnitude >= 0x477ff000u) return static_cast<unsigned short>(sign | 0x7c00u);
  if (magnitude < 0x38800000u) {  // subnormal: let the adder round at the right bit
    const float shifted = bits_float(magnitude) + bits_float(0x3f000000u);
    return static_cast<unsigned short>(sign | (float_bits(shifted) - 0x3f000000u));
  }
  const unsigned rounded = magnitude + 0xfffu + ((magnitude >> 13) & 1u);
  return static_cast<unsigned short>(sign | ((rounded - 0x38000000u) >> 13));
#endif
}

CUPYXX_FN float half_bits_to_float(unsigned short bits) {
#if defined(__CUDACC__)
  float value;
  asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(bits));
  return value;
#else
  const unsigned sign = static_cast<unsigned>(bits & 0x8000u) << 16;
  const unsigned exponent = (bits >> 10) & 0x1fu;
  const unsigned mantissa = bits & 0x3ffu;
  if (exponent == 31) return bits_float(sign | 0x7f800000u | (mantissa << 13));
  if (exponent == 0) {
    const float magnitude = static_cast<float>(mantissa) * 5.9604644775390625e-8f;  // 2^-24
    return bits_float(sign | float_bits(magnitude));
  }
  return bits_float(sign | ((exponent + 112u) << 23) | (mantissa << 13));
#endif
}

/// Nearest bfloat16, ties to even.
CUPYXX_FN unsigned short float_to_bfloat16_bits(float value) {
#if defined(__CUDACC__) && __CUDA_ARCH__ >= 800
  unsigned short bits;
  asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(bits) : "f"(value));
  return bits;
#else
  const unsigned x = float_bits(value);
  return value != value ? static_cast<unsigned short>((x >> 16) | 0x40u)
                        : static_cast<unsigned short>((x + 0x7fffu + ((x >> 16) & 1u)) >> 16);
#endif
}

/// A float whose rounding to a narrower type equals that of the double: the low bit holds
/// whether anything was cut off (rounding to odd).
CUPYXX_FN float double_to_float_odd(double value) {
#if defined(__CUDACC__)
  const float nearest = __double2float_rz(value);
#else
  auto nearest = static_cast<float>(value);
  if (nearest == nearest && (nearest < 0 ? -nearest : nearest) > (value < 0 ? -value : value)) {
    nearest = bits_float(float_bits(nearest) - 1u);  // towards zero, as the device rounds
  }
#endif
  if (static_cast<double>(nearest) == value || nearest != nearest) return nearest;
  return bits_float(float_bits(nearest) | 1u);
}

}  // namespace internal

/// IEEE 754 binary16.
struct half {
  unsigned short bits;

  half() = default;
  CUPYXX_FN half(float x) : bits(internal::float_to_half_bits(x)) {}
  CUPYXX_FN half(double x) : bits(internal::float_to_half_bits(internal::double_to_float_odd(x))) {}
  CUPYXX_FN half(bool x) : half(static_cast<float>(x)) {}
  CUPYXX_FN half(int x) : half(static_cast<double>(x)) {}
  CUPYXX_FN half(unsigned x) : half(static_cast<double>(x)) {}
  CUPYXX_FN half(long x) : half(static_cast<double>(x)) {}
  CUPYXX_FN half(unsigned long x) : half(static_cast<double>(x)) {}
  CUPYXX_FN half(long long x) : half(static_cast<double>(x)) {}
  CUPYXX_FN half(unsigned long long x) : half(static_cast<double>(x)) {}
  CUPYXX_FN operator float() const { return internal::half_bits_to_float(bits); }
};

/// The upper half of a binary32: 8 bits of exponent, 7 of mantissa.
struct bfloat16 {
  unsigned short bits;

  bfloat16() = default;
  CUPYXX_FN bfloat16(float x) : bits(internal::float_to_bfloat16_bits(x)) {}
  CUPYXX_FN bfloat16(double x) : bfloat16(internal::double_to_float_odd(x)) {}
  CUPYXX_FN bfloat16(bool x) : bfloat16(static_cast<float>(x)) {}
  CUPYXX_FN bfloat16(int x) : bfloat16(static_cast<double>(x)) {}
  CUPYXX_FN bfloat16(unsigned x) : bfloat16(static_cast<double>(x)) {}
  CUPYXX_FN bfloat16(long x) : bfloat16(static_cast<double>(x)) {}
  CUPYXX_FN bfloat16(unsigned long x) : bfloat16(static_cast<double>(x)) {}
  CUPYXX_FN bfloat16(long long x) : bfloat16(static_cast<double>(x)) {}
  CUPYXX_FN bfloat16(unsigned long long x) : bfloat16(static_cast<double>(x)) {}
  CUPYXX_FN operator float() const {
    return internal::bits_float(static_cast<unsigned>(bits) << 16);
  }
};

}  // namespace cupyxx
