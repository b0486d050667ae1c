// SPDX-License-Identifier: MIT
#pragma once

#include "cupyxx/ops/case.h"
#include "cupyxx/ops/exp_log.h"

namespace cupyxx::ops {

template <>
inline constexpr Case kCase<Exp>{.real = library<expl>, .ulp = 4};
template <>
inline constexpr Case kCase<Exp2>{.real = library<exp2l>, .ulp = 4};
template <>
inline constexpr Case kCase<Expm1>{.real = library<expm1l>, .ulp = 4};
template <>
inline constexpr Case kCase<Log>{.real = library<logl>, .ulp = 4, .x = {-1, 1000}};
template <>
inline constexpr Case kCase<Log2>{.real = library<log2l>, .ulp = 4, .x = {-1, 1000}};
template <>
inline constexpr Case kCase<Log10>{.real = library<log10l>, .ulp = 4, .x = {-1, 1000}};
template <>
inline constexpr Case kCase<Log1p>{.real = library<log1pl>, .ulp = 4, .x = {-2, 1000}};

// Positive operands: sums that cancel have the error of their terms, in NumPy too.
template <>
inline constexpr Case kCase<LogAddExp>{.real =
                                           [](const Reals& a) {
                                             if (a.x == a.y) return a.x + logl(2);
                                             return fmaxl(a.x, a.y) +
                                                    log1pl(expl(-fabsl(a.x - a.y)));
                                           },
                                       .ulp = 4,
                                       .x = {1, 20},
                                       .y = {1, 20}};
template <>
inline constexpr Case kCase<LogAddExp2>{.real =
                                            [](const Reals& a) {
                                              if (a.x == a.y) return a.x + 1;
                                              return fmaxl(a.x, a.y) +
                                                     log1pl(exp2l(-fabsl(a.x - a.y))) / logl(2);
                                            },
                                        .ulp = 4,
                                        .x = {1, 20},
                                        .y = {1, 20}};

}  // namespace cupyxx::ops
