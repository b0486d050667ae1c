// SPDX-License-Identifier: MIT
#pragma once

#include <numeric>

#include "cupyxx/ops/case.h"
#include "cupyxx/ops/numeric.h"

namespace cupyxx::ops {

inline unsigned long long magnitude_of(Integer x) {
  return static_cast<unsigned long long>(x < 0 ? -x : x);
}

template <>
inline constexpr Case kCase<Gcd>{.integer = [](const Integers& a) -> Integer {
  return std::gcd(magnitude_of(a.x), magnitude_of(a.y));
}};
template <>
inline constexpr Case kCase<Lcm>{.integer = [](const Integers& a) -> Integer {
  const auto divisor = std::gcd(magnitude_of(a.x), magnitude_of(a.y));
  if (divisor == 0) return 0;
  return product(static_cast<Integer>(magnitude_of(a.x) / divisor),
                 static_cast<Integer>(magnitude_of(a.y)));
}};
template <>
inline constexpr Case kCase<Fabs>{.real = library<fabsl>};
template <>
inline constexpr Case kCase<Heaviside>{.real = [](const Reals& a) -> Real {
  if (std::isnan(a.x)) return NAN;
  return a.x == 0 ? a.y : a.x > 0;
}};
template <>
inline constexpr Case kCase<FloatPower>{.real = library<powl>, .ulp = 1, .y = {-10, 10}};

}  // namespace cupyxx::ops
