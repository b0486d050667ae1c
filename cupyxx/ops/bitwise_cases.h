// SPDX-License-Identifier: MIT
#pragma once

#include "cupyxx/ops/bitwise.h"
#include "cupyxx/ops/case.h"

namespace cupyxx::ops {

template <>
inline constexpr Case kCase<BitwiseAnd>{.integer = [](const Integers& a) { return a.x & a.y; }};
template <>
inline constexpr Case kCase<BitwiseOr>{.integer = [](const Integers& a) { return a.x | a.y; }};
template <>
inline constexpr Case kCase<BitwiseXor>{.integer = [](const Integers& a) { return a.x ^ a.y; }};
template <>
inline constexpr Case kCase<Invert>{
    .integer = [](const Integers& a) { return a.is_bool() ? 1 - a.x : -1 - a.x; }};
template <>
inline constexpr Case kCase<LeftShift>{.integer = [](const Integers& a) -> Integer {
                                         if (a.y < 0 || a.y >= a.bits()) return 0;
                                         return product(a.x, static_cast<Integer>(1) << a.y);
                                       },
                                       .integer_y = {-3, 70}};
template <>
inline constexpr Case kCase<RightShift>{.integer = [](const Integers& a) -> Integer {
                                          if (a.y < 0 || a.y >= a.bits()) return a.x < 0 ? -1 : 0;
                                          return a.x >> a.y;  // floor division by a power of two
                                        },
                                        .integer_y = {-3, 70}};

}  // namespace cupyxx::ops
