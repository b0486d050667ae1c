// SPDX-License-Identifier: MIT
#pragma once

#include "cupyxx/ops/case.h"
#include "cupyxx/ops/comparison.h"

namespace cupyxx::ops {

template <>
inline constexpr Case kCase<Greater>{
    .real = [](const Reals& a) -> Real { return a.x > a.y; },
    .integer = [](const Integers& a) -> Integer { return a.x > a.y; }};
template <>
inline constexpr Case kCase<GreaterEqual>{
    .real = [](const Reals& a) -> Real { return a.x >= a.y; },
    .integer = [](const Integers& a) -> Integer { return a.x >= a.y; }};
template <>
inline constexpr Case kCase<Less>{
    .real = [](const Reals& a) -> Real { return a.x < a.y; },
    .integer = [](const Integers& a) -> Integer { return a.x < a.y; }};
template <>
inline constexpr Case kCase<LessEqual>{
    .real = [](const Reals& a) -> Real { return a.x <= a.y; },
    .integer = [](const Integers& a) -> Integer { return a.x <= a.y; }};
template <>
inline constexpr Case kCase<Equal>{
    .real = [](const Reals& a) -> Real { return a.x == a.y; },
    .integer = [](const Integers& a) -> Integer { return a.x == a.y; }};
template <>
inline constexpr Case kCase<NotEqual>{
    .real = [](const Reals& a) -> Real { return a.x != a.y; },
    .integer = [](const Integers& a) -> Integer { return a.x != a.y; }};

// NaN is not zero, so it is true.
template <>
inline constexpr Case kCase<LogicalAnd>{
    .real = [](const Reals& a) -> Real { return !(a.x == 0 || a.y == 0); },
    .integer = [](const Integers& a) -> Integer { return a.x != 0 && a.y != 0; }};
template <>
inline constexpr Case kCase<LogicalOr>{
    .real = [](const Reals& a) -> Real { return !(a.x == 0 && a.y == 0); },
    .integer = [](const Integers& a) -> Integer { return a.x != 0 || a.y != 0; }};
template <>
inline constexpr Case kCase<LogicalXor>{
    .real = [](const Reals& a) -> Real { return (a.x == 0) != (a.y == 0); },
    .integer = [](const Integers& a) -> Integer { return (a.x == 0) != (a.y == 0); }};
template <>
inline constexpr Case kCase<LogicalNot>{
    .real = [](const Reals& a) -> Real { return a.x == 0; },
    .integer = [](const Integers& a) -> Integer { return a.x == 0; }};

// Which of two zeros is taken depends on the dtype: ufunc_test.cc.
template <>
inline constexpr Case kCase<Maximum>{
    .real = [](const Reals& a) -> Real {
      return std::isnan(a.x) || std::isnan(a.y) ? NAN : fmaxl(a.x, a.y);
    },
    .integer = [](const Integers& a) { return a.x > a.y ? a.x : a.y; },
    .zero_sign = false};
template <>
inline constexpr Case kCase<Minimum>{
    .real = [](const Reals& a) -> Real {
      return std::isnan(a.x) || std::isnan(a.y) ? NAN : fminl(a.x, a.y);
    },
    .integer = [](const Integers& a) { return a.x < a.y ? a.x : a.y; },
    .zero_sign = false};
template <>
inline constexpr Case kCase<Fmax>{
    .real = library<fmaxl>,
    .integer = [](const Integers& a) { return a.x > a.y ? a.x : a.y; },
    .zero_sign = false};
template <>
inline constexpr Case kCase<Fmin>{
    .real = library<fminl>,
    .integer = [](const Integers& a) { return a.x < a.y ? a.x : a.y; },
    .zero_sign = false};

}  // namespace cupyxx::ops
