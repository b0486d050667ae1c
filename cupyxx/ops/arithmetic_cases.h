// SPDX-License-Identifier: MIT
#pragma once

#include "cupyxx/ops/arithmetic.h"
#include "cupyxx/ops/case.h"

namespace cupyxx::ops {

/// Floor division by its definition, on values whose quotient the wide type holds.
inline Real floor_quotient(const Reals& a) {
  if (a.y == 0 || std::isnan(a.x) || std::isnan(a.y)) return a.x / a.y;
  if (std::isinf(a.x)) return NAN;
  if (std::isinf(a.y)) return a.x == 0 ? a.x / a.y : (a.x < 0) == (a.y < 0) ? 0 : -1;
  const Real below = floorl(a.x / a.y);
  return below == 0 ? copysignl(0, a.x / a.y) : below;
}

inline Real floor_rest(const Reals& a) {
  const Real rest = fmodl(a.x, a.y);
  if (rest == 0) return copysignl(0, a.y);
  return (rest < 0) != (a.y < 0) ? rest + a.y : rest;
}

inline Integer floor_quotient(const Integers& a) {
  if (a.y == 0) return 0;
  const Integer quotient = a.x / a.y;
  return quotient * a.y != a.x && (a.x < 0) != (a.y < 0) ? quotient - 1 : quotient;
}

inline Integer floor_rest(const Integers& a) {
  return a.y == 0 ? 0 : a.x - floor_quotient(a) * a.y;
}

template <>
inline constexpr Case kCase<Add>{.real = [](const Reals& a) { return a.x + a.y; },
                                 .integer = [](const Integers& a) { return a.x + a.y; }};
template <>
inline constexpr Case kCase<Subtract>{.real = [](const Reals& a) { return a.x - a.y; },
                                      .integer = [](const Integers& a) { return a.x - a.y; }};
template <>
inline constexpr Case kCase<Multiply>{
    .real = [](const Reals& a) { return a.x * a.y; },
    .integer = [](const Integers& a) { return product(a.x, a.y); }};
template <>
inline constexpr Case kCase<TrueDivide>{.real = [](const Reals& a) { return a.x / a.y; }};
template <>
inline constexpr Case kCase<FloorDivide>{.real = floor_quotient, .integer = floor_quotient};
template <>
inline constexpr Case kCase<Remainder>{.real = floor_rest, .integer = floor_rest};
template <>
inline constexpr Case kCase<DivMod>{.real = floor_quotient,
                                    .integer = floor_quotient,
                                    .second_real = floor_rest,
                                    .second_integer = floor_rest};
template <>
inline constexpr Case kCase<Fmod>{
    .real = library<fmodl>, .integer = [](const Integers& a) { return a.y == 0 ? 0 : a.x % a.y; }};
template <>
inline constexpr Case kCase<Negative>{.real = [](const Reals& a) { return -a.x; },
                                      .integer = [](const Integers& a) { return -a.x; }};
template <>
inline constexpr Case kCase<Positive>{.real = [](const Reals& a) { return a.x; },
                                      .integer = [](const Integers& a) { return a.x; }};
template <>
inline constexpr Case kCase<Conjugate>{.real = [](const Reals& a) { return a.x; },
                                       .integer = [](const Integers& a) { return a.x; }};
template <>
inline constexpr Case kCase<Power>{.real = library<powl>,
                                   .integer =
                                       [](const Integers& a) {
                                         Integer power = 1;
                                         for (Integer i = 0; i < a.y; ++i)
                                           power = product(power, a.x);
                                         return power;
                                       },
                                   .ulp = 4,
                                   .integer_y = {0, 70}};
template <>
inline constexpr Case kCase<Absolute>{
    .real = library<fabsl>, .integer = [](const Integers& a) { return a.x < 0 ? -a.x : a.x; }};
template <>
inline constexpr Case kCase<Rint>{.real = library<rintl>};
template <>
inline constexpr Case kCase<Sign>{.real = [](const Reals& a) -> Real {
                                    return std::isnan(a.x) ? a.x : a.x > 0 ? 1 : a.x < 0 ? -1 : 0;
                                  },
                                  .integer = [](const Integers& a) -> Integer {
                                    return a.x > 0 ? 1 : a.x < 0 ? -1 : 0;
                                  }};
template <>
inline constexpr Case kCase<Square>{.real = [](const Reals& a) { return a.x * a.x; },
                                    .integer = [](const Integers& a) { return product(a.x, a.x); }};
template <>
inline constexpr Case kCase<Sqrt>{.real = library<sqrtl>, .x = {-1, 1000}};
template <>
inline constexpr Case kCase<Cbrt>{.real = library<cbrtl>, .ulp = 4};
template <>
inline constexpr Case kCase<Reciprocal>{.real = [](const Reals& a) { return 1 / a.x; },
                                        .integer = [](const Integers& a) -> Integer {
                                          if (a.x != 0) return 1 / a.x;
                                          // What x86 stores for an infinity, as NumPy shows it.
                                          if (a.type == int64) return INT64_MIN;
                                          return a.type == int32 ? INT32_MIN : 0;
                                        }};

}  // namespace cupyxx::ops
