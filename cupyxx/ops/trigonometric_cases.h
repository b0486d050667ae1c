// SPDX-License-Identifier: MIT
#pragma once

#include "cupyxx/ops/case.h"
#include "cupyxx/ops/trigonometric.h"

namespace cupyxx::ops {

template <>
inline constexpr Case kCase<Sin>{.real = library<sinl>, .ulp = 4};
template <>
inline constexpr Case kCase<Cos>{.real = library<cosl>, .ulp = 4};
template <>
inline constexpr Case kCase<Tan>{.real = library<tanl>, .ulp = 4};
template <>
inline constexpr Case kCase<Arcsin>{.real = library<asinl>, .ulp = 4, .x = {-1, 1}};
template <>
inline constexpr Case kCase<Arccos>{.real = library<acosl>, .ulp = 4, .x = {-1, 1}};
template <>
inline constexpr Case kCase<Arctan>{.real = library<atanl>, .ulp = 4};
template <>
inline constexpr Case kCase<Arctan2>{.real = library<atan2l>, .ulp = 4};
template <>
inline constexpr Case kCase<Hypot>{.real = library<hypotl>, .ulp = 4};
template <>
inline constexpr Case kCase<Sinh>{.real = library<sinhl>, .ulp = 4, .x = {-10, 10}};
template <>
inline constexpr Case kCase<Cosh>{.real = library<coshl>, .ulp = 4, .x = {-10, 10}};
template <>
inline constexpr Case kCase<Tanh>{.real = library<tanhl>, .ulp = 4, .x = {-10, 10}};
template <>
inline constexpr Case kCase<Arcsinh>{.real = library<asinhl>, .ulp = 4};
template <>
inline constexpr Case kCase<Arccosh>{.real = library<acoshl>, .ulp = 4, .x = {0.5, 100}};
template <>
inline constexpr Case kCase<Arctanh>{.real = library<atanhl>, .ulp = 4, .x = {-1, 1}};
// One rounding of the constant, one of the product.
template <>
inline constexpr Case kCase<Deg2rad>{
    .real = [](const Reals& a) { return a.x * acosl(-1) / 180; }, .ulp = 2, .x = {-720, 720}};
template <>
inline constexpr Case kCase<Rad2deg>{.real = [](const Reals& a) { return a.x * 180 / acosl(-1); },
                                     .ulp = 2};

}  // namespace cupyxx::ops
