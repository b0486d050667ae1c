// SPDX-License-Identifier: MIT
// References in long double: the C library's functions, sums that converge, and bisection.
#pragma once

#include "cupyxx/ops/case.h"
#include "cupyxx/ops/special.h"

namespace cupyxx::ops {

namespace special_reference {

constexpr Real kInf = __builtin_infl();
constexpr Real kRootHalf = 0.707106781186547524400844362104849039L;
constexpr Real kLog2Pi = 1.83787706640934548356065947281123527972L;

inline Real erfcx(Real x) {
  if (x < -100) return kInf;
  if (x < 5) return expl(x * x) * (1 + fmal(x, x, -(x * x))) * erfcl(x);
  Real rest = x;  // x + (1/2) / (x + (2/2) / (x + (3/2) / ...))
  for (int k = 100; k > 0 && x < 1e9L; --k) rest = x + static_cast<Real>(k) / 2 / rest;
  return 0.564189583547756286948079451560772586L / rest;
}
inline Real erfcinv(Real q) {
  if (!(q >= 0 && q <= 2)) return NAN;
  if (q == 0 || q == 2) return q == 0 ? kInf : -kInf;
  Real low = -30, high = 30;
  for (int i = 0; i < 90; ++i) {
    const Real middle = (low + high) / 2;
    (erfcl(middle) > q ? low : high) = middle;
  }
  return low;
}
inline Real erfinv(Real x) {
  if (fabsl(x) > 0.5L) return x > 0 ? erfcinv(1 - x) : -erfcinv(1 + x);
  // Newton's steps from the line.
  Real y = x;
  for (int i = 0; i < 12; ++i)
    y -= (erfl(y) - x) * expl(y * y) * 0.886226925452758013649083741670572L;
  return y;
}
inline Real log_ndtr(Real x) {
  if (x > 0) return log1pl(-erfcl(x * kRootHalf) / 2);
  return x < -100 ? -x * x / 2 - logl(-x) - kLog2Pi / 2 : logl(erfcl(-x * kRootHalf) / 2);
}
inline Real digamma(Real x) {
  if (x == 0) return copysignl(kInf, -x);
  if (std::isinf(x)) return x > 0 ? x : NAN;
  if (x < 0) {
    if (x == floorl(x)) return NAN;
    const Real pi = acosl(-1);
    return digamma(1 - x) - pi / tanl(pi * x);
  }
  Real steps = 0;
  for (; x < 40; x += 1) steps += 1 / x;
  const Real z = 1 / (x * x);
  return logl(x) - 1 / (2 * x) -
         z * (1 / 12.0L - z * (1 / 120.0L - z * (1 / 252.0L - z * (1 / 240.0L - z / 132.0L)))) -
         steps;
}
inline Real zeta(Real s, Real q) {
  if (std::isnan(s) || std::isnan(q) || s < 1) return NAN;
  if (s == 1) return kInf;
  if (q <= 0 && q == floorl(q)) return kInf;
  if (q < 0) return NAN;
  if (std::isinf(q)) return 0;
  if (std::isinf(s)) return q < 1 ? kInf : q == 1 ? 1 : 0;
  Real sum = 0;
  for (int n = 0; n < 60; ++n, q += 1) sum += powl(q, -s);
  const Real z = 1 / (q * q);
  return sum + powl(q, 1 - s) / (s - 1) + powl(q, -s) / 2 +
         s * powl(q, -s - 1) / 12 *
             (1 - (s + 1) * (s + 2) * z / 60 *
                      (1 - (s + 3) * (s + 4) * z / 42 * (1 - (s + 5) * (s + 6) * z / 40)));
}
inline Real riemann_zeta(Real s) {
  if (std::isinf(s)) return s > 0 ? 1 : NAN;
  if (s >= 1 || std::isnan(s)) return zeta(s, 1);
  if (s < 0 && s / 2 == floorl(s / 2)) return 0;
  const Real pi = acosl(-1);
  if (s < 0) {
    return powl(2 * pi, s) / pi * sinl(pi * s / 2) * tgammal(1 - s) * zeta(1 - s, 1);
  }
  // Alternating sums, accelerated: eta(s) = (1 - 2^(1-s)) zeta(s), by Borwein.
  constexpr int kN = 30;
  Real d = 0, part[kN + 1];
  Real term = 1;  // n (n + i - 1)! 4^i / ((n - i)! (2i)!)
  for (int i = 0; i <= kN; ++i) {
    if (i > 0) {
      term *= 4.0L * static_cast<Real>(kN + i - 1) * static_cast<Real>(kN - i + 1) /
              (static_cast<Real>(2 * i) * static_cast<Real>(2 * i - 1));
    }
    d += term;
    part[i] = d;
  }
  Real sum = 0;
  for (int k = 0; k < kN; ++k) {
    sum += (k % 2 == 0 ? 1 : -1) * (part[k] - d) * powl(static_cast<Real>(k + 1), -s);
  }
  return -sum / (d * (1 - powl(2, 1 - s)));
}
// sum of (x / 2)^(2k + order) / (k! (k + order)!)
inline Real modified_bessel(int order, Real x) {
  if (std::isinf(x)) return order == 1 ? x : kInf;
  Real term = order == 0 ? 1 : x / 2;
  Real sum = term;
  for (int k = 1; k < 200; ++k) {
    term *= x * x / 4 / static_cast<Real>(k) / static_cast<Real>(k + order);
    sum += term;
  }
  return sum;
}
inline Real scaled_bessel(int order, Real x) {
  if (std::isinf(x)) return order == 1 ? copysignl(0, x) : 0;
  return modified_bessel(order, x) * expl(-fabsl(x));
}
inline Real of_positive(Real (*f)(Real), Real x) {
  if (std::isnan(x) || x < 0) return NAN;
  return x == 0 ? -kInf : f(x);
}
inline Real rel_entr(Real x, Real y) {
  if (std::isnan(x) || std::isnan(y)) return NAN;
  if (x > 0 && y > 0) return x * (fabsl(x - y) < y / 2 ? log1pl((x - y) / y) : logl(x / y));
  return x == 0 && y >= 0 ? 0 : kInf;
}

}  // namespace special_reference

template <>
inline constexpr Case kCase<Erf>{.real = library<erfl>, .ulp = 4};
template <>
inline constexpr Case kCase<Erfc>{.real = library<erfcl>, .ulp = 6, .x = {-5, 9}};
template <>
inline constexpr Case kCase<Erfcx>{
    .real = [](const Reals& a) { return special_reference::erfcx(a.x); },
    .ulp = 6,
    .x = {-26, 100}};
template <>
inline constexpr Case kCase<Erfinv>{
    .real = [](const Reals& a) { return special_reference::erfinv(a.x); }, .ulp = 6, .x = {-1, 1}};
template <>
inline constexpr Case kCase<Erfcinv>{.real =
                                         [](const Reals& a) {
                                           return a.x > 0.5L && a.x < 1.5L
                                                      ? special_reference::erfinv(1 - a.x)
                                                      : special_reference::erfcinv(a.x);
                                         },
                                     .ulp = 6,
                                     .x = {0, 2},
                                     .zero_sign = false};
template <>
inline constexpr Case kCase<Ndtr>{
    .real = [](const Reals& a) { return erfcl(-a.x * special_reference::kRootHalf) / 2; },
    .ulp = 8,
    .x = {-6, 6}};
template <>
inline constexpr Case kCase<Ndtri>{
    .real =
        [](const Reals& a) {
          if (!(a.x >= 0 && a.x <= 1)) return static_cast<Real>(NAN);
          return a.x > 0.25L && a.x < 0.75L
                     ? special_reference::erfinv(2 * a.x - 1) / special_reference::kRootHalf
                 : a.x < 0.5L
                     ? -special_reference::erfcinv(2 * a.x) / special_reference::kRootHalf
                     : special_reference::erfcinv(2 * (1 - a.x)) / special_reference::kRootHalf;
        },
    .ulp = 6,
    .x = {0, 1},
    .zero_sign = false};
template <>
inline constexpr Case kCase<LogNdtr>{
    .real = [](const Reals& a) { return special_reference::log_ndtr(a.x); },
    .ulp = 12,
    .x = {-60, 6},
    .zero_sign = false};
template <>
inline constexpr Case kCase<Gamma>{.real = library<tgammal>, .ulp = 12, .x = {0.1, 30}};
template <>
inline constexpr Case kCase<Gammaln>{// CUDA's has 4 ulp, but more between -10.001 and -2.264.
                                     .real = library<lgammal>,
                                     .ulp = 12,
                                     .x = {0.1, 30},
                                     .zero_sign = false};
template <>
inline constexpr Case kCase<Digamma>{
    .real = [](const Reals& a) { return special_reference::digamma(a.x); },
    .ulp = 16,
    .x = {0.05, 40}};
template <>
inline constexpr Case kCase<RiemannZeta>{
    .real = [](const Reals& a) { return special_reference::riemann_zeta(a.x); },
    .ulp = 40,
    .x = {-10, 30},
    .zero_sign = false};
template <>
inline constexpr Case kCase<Zeta>{
    .real = [](const Reals& a) { return special_reference::zeta(a.x, a.y); },
    .ulp = 12,
    .x = {1.01, 20},
    .y = {0.1, 20}};
// Below the first roots: around the others the distance to them is what counts.
template <>
inline constexpr Case kCase<J0>{.real = library<j0l>, .ulp = 12, .x = {-2.25, 2.25}};
template <>
inline constexpr Case kCase<J1>{.real = library<j1l>, .ulp = 12, .x = {-3.5, 3.5}};
template <>
inline constexpr Case kCase<Y0>{
    .real = [](const Reals& a) { return special_reference::of_positive(y0l, a.x); },
    .ulp = 24,
    .x = {1.1, 3.5}};
template <>
inline constexpr Case kCase<Y1>{
    .real = [](const Reals& a) { return special_reference::of_positive(y1l, a.x); },
    .ulp = 24,
    .x = {0.1, 2}};
template <>
inline constexpr Case kCase<I0>{
    .real = [](const Reals& a) { return special_reference::modified_bessel(0, a.x); }, .ulp = 8};
template <>
inline constexpr Case kCase<I0e>{
    .real = [](const Reals& a) { return special_reference::scaled_bessel(0, a.x); }, .ulp = 8};
template <>
inline constexpr Case kCase<I1>{
    .real = [](const Reals& a) { return special_reference::modified_bessel(1, a.x); }, .ulp = 16};
template <>
inline constexpr Case kCase<I1e>{
    .real = [](const Reals& a) { return special_reference::scaled_bessel(1, a.x); }, .ulp = 16};
template <>
inline constexpr Case kCase<Expit>{.real = [](const Reals& a) { return 1 / (1 + expl(-a.x)); },
                                   .ulp = 6};
template <>
inline constexpr Case kCase<Logit>{.real = [](const Reals& a) { return logl(a.x) - log1pl(-a.x); },
                                   .ulp = 12,
                                   .x = {0, 1},
                                   .zero_sign = false};
template <>
inline constexpr Case kCase<Xlogy>{
    .real = [](const Reals& a) { return a.x == 0 && !std::isnan(a.y) ? 0 : a.x * logl(a.y); },
    .ulp = 6,
    .y = {0, 20}};
template <>
inline constexpr Case kCase<Xlog1py>{
    .real = [](const Reals& a) { return a.x == 0 && !std::isnan(a.y) ? 0 : a.x * log1pl(a.y); },
    .ulp = 6,
    .y = {-1, 20}};
template <>
inline constexpr Case kCase<Entr>{
    .real =
        [](const Reals& a) {
          return a.x > 0 ? -a.x * logl(a.x) : std::isnan(a.x) ? a.x : a.x == 0 ? 0 : -INFINITY;
        },
    .ulp = 6,
    .x = {0, 20}};
template <>
inline constexpr Case kCase<RelEntr>{
    .real = [](const Reals& a) { return special_reference::rel_entr(a.x, a.y); },
    .ulp = 8,
    .x = {0, 20},
    .y = {0, 20}};
template <>
inline constexpr Case kCase<KlDiv>{
    .real =
        [](const Reals& a) {
          const Real entropy = special_reference::rel_entr(a.x, a.y);
          if (!(a.x > 0 && a.y > 0)) return a.x == 0 && a.y >= 0 ? a.y : entropy;
          const Real d = (a.x - a.y) / a.y;
          if (!(fabsl(d) < 0.01L)) return entropy - a.x + a.y;
          Real sum = 0;  // of d^k / ((k + 1) (k + 2)) with alternating signs
          for (int k = 12; k >= 0; --k) {
            sum = 1 / static_cast<Real>((k + 1) * (k + 2)) - d * sum;
          }
          return a.y * d * d * sum;
        },
    .ulp = 16,
    .x = {0, 3},
    .y = {8, 20}};

}  // namespace cupyxx::ops
