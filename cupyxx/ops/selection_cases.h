// SPDX-License-Identifier: MIT
#pragma once

#include "cupyxx/ops/case.h"
#include "cupyxx/ops/selection.h"

namespace cupyxx::ops {

template <>
inline constexpr Case kCase<Where>{
    .real = [](const Reals& a) { return a.x != 0 ? a.y : a.z; },
    .integer = [](const Integers& a) { return a.x != 0 ? a.y : a.z; }};
// NaN wins, wherever it stands; the upper limit wins over the lower one.
template <>
inline constexpr Case kCase<Clip>{.real = [](const Reals& a) -> Real {
                                    if (std::isnan(a.x) || std::isnan(a.y) || std::isnan(a.z))
                                      return NAN;
                                    return fminl(fmaxl(a.x, a.y), a.z);
                                  },
                                  .integer =
                                      [](const Integers& a) {
                                        const Integer raised = a.x > a.y ? a.x : a.y;
                                        return raised < a.z ? raised : a.z;
                                      },
                                  .zero_sign = false};
template <>
inline constexpr Case kCase<NanToNum>{.real = [](const Reals& a) -> Real {
  if (std::isnan(a.x)) return a.y;
  if (std::isinf(a.x)) return a.x > 0 ? a.z : a.w;
  return a.x;
}};
template <>
inline constexpr Case kCase<Copy>{.real = [](const Reals& a) { return a.x; },
                                  .integer = [](const Integers& a) { return a.x; }};

}  // namespace cupyxx::ops
