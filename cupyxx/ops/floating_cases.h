// SPDX-License-Identifier: MIT
#pragma once

#include "cupyxx/ops/case.h"
#include "cupyxx/ops/floating.h"

namespace cupyxx::ops {

/// Steps by the distance of neighbours in the loop's type.
inline Real next_towards(const Reals& a) {
  if (std::isnan(a.x) || std::isnan(a.y)) return NAN;
  if (a.x == a.y) return a.y;
  if (a.x == 0) return copysignl(spacing(0, a.type), a.y);
  const Real magnitude = fabsl(a.x);
  const bool grows = (a.x < a.y) == (a.x > 0);
  if (std::isinf(a.x)) {
    const int top = a.type == float16 ? 16 : a.type == float64 ? 1024 : 128;
    const Real largest = ldexpl(1, top);
    return copysignl(largest - spacing(largest, a.type) / 2, a.x);
  }
  if (grows) return copysignl(magnitude + spacing(magnitude, a.type), a.x);
  // Below a power of two neighbours are closer, except among subnormals.
  const Real step = spacing(magnitude, a.type);
  int exponent = 0;
  const bool is_power = frexpl(magnitude, &exponent) == 0.5L;
  const Real below = is_power ? spacing(magnitude / 2, a.type) : step;
  return copysignl(magnitude - below, a.x);
}

template <>
inline constexpr Case kCase<IsFinite>{
    .real = [](const Reals& a) -> Real { return std::isfinite(a.x); },
    .integer = [](const Integers&) -> Integer { return 1; }};
template <>
inline constexpr Case kCase<IsInf>{.real = [](const Reals& a) -> Real { return std::isinf(a.x); },
                                   .integer = [](const Integers&) -> Integer { return 0; }};
template <>
inline constexpr Case kCase<IsNan>{.real = [](const Reals& a) -> Real { return std::isnan(a.x); },
                                   .integer = [](const Integers&) -> Integer { return 0; }};
template <>
inline constexpr Case kCase<Signbit>{
    .real = [](const Reals& a) -> Real { return std::signbit(a.x); }};
template <>
inline constexpr Case kCase<Copysign>{.real = library<copysignl>};
// Which of two zeros is taken depends on the dtype: ufunc_test.cc.
template <>
inline constexpr Case kCase<Nextafter>{.real = next_towards, .zero_sign = false};
template <>
inline constexpr Case kCase<Modf>{
    .real = [](const Reals& a) { return copysignl(std::isinf(a.x) ? 0 : a.x - truncl(a.x), a.x); },
    .second_real = library<truncl>};
template <>
inline constexpr Case kCase<Ldexp>{.real =
                                       [](const Reals& a) {
                                         return ldexpl(
                                             a.x, static_cast<int>(fmaxl(-9999, fminl(9999, a.y))));
                                       },
                                   .integer_y = {-12, 10}};
template <>
inline constexpr Case kCase<Frexp>{.real =
                                       [](const Reals& a) {
                                         int exponent = 0;
                                         return frexpl(a.x, &exponent);
                                       },
                                   .second_real = [](const Reals& a) -> Real {
                                     int exponent = 0;
                                     frexpl(a.x, &exponent);
                                     return std::isfinite(a.x) ? exponent : 0;
                                   }};
template <>
inline constexpr Case kCase<Floor>{.real = library<floorl>};
template <>
inline constexpr Case kCase<Ceil>{.real = library<ceill>};
template <>
inline constexpr Case kCase<Trunc>{.real = library<truncl>};

}  // namespace cupyxx::ops
