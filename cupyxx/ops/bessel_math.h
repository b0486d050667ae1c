// SPDX-License-Identifier: MIT
// Device-safe. The Bessel functions J and Y of the orders 0 and 1. CUDA's are off by up to 1e-11
// beyond 8 (CUDA C++ Programming Guide, "Mathematical Functions"), so there the device takes
// Hankel's form (Abramowitz and Stegun 9.2.5, 9.2.6):
//   J(x) = sqrt(2 / (pi x)) (P cos(chi) - Q sin(chi)),  Y(x) = sqrt(2 / (pi x)) (P sin(chi) + Q
//   cos(chi)), chi = x - (order / 2 + 1 / 4) pi,
// with P and x Q as polynomials of (8 / x)^2, fitted at Chebyshev's points in 60 digits; they are
// within 4e-17.
#pragma once

#include "cupyxx/ops/special_math.h"

namespace cupyxx::ops::special {

/// J and Y of one order.
struct Bessel {
  double j, y;
};

namespace hankel {

/// sin(x) + cos(x) and sin(x) - cos(x). The smaller one, which cancels, comes from their product,
/// -cos(2x).
struct Turned {
  double sum, difference;
  CUPYXX_FN explicit Turned(double x) {
    const double sine = m::sin(x), cosine = m::cos(x);
    sum = sine + cosine;
    difference = sine - cosine;
    if (x > 1e300) return;  // 2x overflows
    const double product = -m::cos(2 * x);
    if (sine * cosine < 0) {
      sum = product / difference;
    } else {
      difference = product / sum;
    }
  }
};

CUPYXX_FN Bessel join(double x, double p, double q, double cosine, double sine) {
  // 1 / sqrt(pi): the root of a half that turns the angle stands in it.
  const double scale = 1 / (kRootPi * m::sqrt(x));
  return {scale * (p * cosine - q * sine), scale * (p * sine + q * cosine)};
}

/// Order 0 for x >= 8.
CUPYXX_LONG_FN Bessel order_0(double x) {
  constexpr double kP[] = {
      0.99999999999999999643,    -0.0010986328124987457839, 0.000027380883620060992406,
      -2.1839178876551593438e-6, 3.6201997728057501048e-7,  -1.0230311671096991889e-7,
      4.3422796913530695427e-8,  -2.4254959952447292661e-8, 1.4953925745972240552e-8,
      -8.4245531125011993955e-9, 3.6629024015069137115e-9,  -1.0306604474712211682e-9,
      1.3678396453154033803e-10};
  constexpr double kQ[] = {
      -0.12499999999999996883,   0.0011444091796765189896,  -0.000055446288833095420876,
      6.5907422383808805691e-6,  -1.453005492031702788e-6,  5.1205856073785641154e-7,
      -2.5858827321793992269e-7, 1.6405793095740478049e-7,  -1.0985878716906746768e-7,
      6.5024036938516162257e-8,  -2.9110775874968415008e-8, 8.3397335345473564258e-9,
      -1.1197828811668338646e-9};
  if (x == infinity()) return {0, 0};
  const double t = 8 / x * (8 / x);
  const Turned turned(x);
  return join(x, polynomial(t, kP), polynomial(t, kQ) / x, turned.sum, turned.difference);
}

/// Order 1 for x >= 8.
CUPYXX_LONG_FN Bessel order_1(double x) {
  constexpr double kP[] = {
      1.0000000000000000038,     0.0018310546874986734512,  -0.00003520399324259655296,
      2.5809940810959866093e-6,  -4.1029092075410166693e-7, 1.1307956376985090759e-7,
      -4.7222972729195640465e-8, 2.6103445624454774114e-8,  -1.5993920591911708432e-8,
      8.979116578314727483e-9,   -3.8963577460319893301e-9, 1.095074910474382688e-9,
      -1.4522620914321921649e-10};
  constexpr double kQ[] = {
      0.37499999999999996709,    -0.0016021728515509085479, 0.000067767686459417034831,
      -7.6047040761374527336e-6, 1.6239590609539597885e-6,  -5.608835189364565497e-7,
      2.794596769996856012e-7,   -1.7577043281523632001e-7, 1.1710006174306676296e-7,
      -6.9109963285916156872e-8, 3.0888877718539827662e-8,  -8.8403178814370205755e-9,
      1.1862401364440610637e-9};
  if (x == infinity()) return {0, 0};
  const double t = 8 / x * (8 / x);
  const Turned turned(x);
  return join(x, polynomial(t, kP), polynomial(t, kQ) / x, turned.difference, -turned.sum);
}

}  // namespace hankel

#if defined(__CUDACC__)
CUPYXX_FN double j0(double x) { return m::fabs(x) < 8 ? ::j0(x) : hankel::order_0(m::fabs(x)).j; }
CUPYXX_FN double j1(double x) {
  if (m::fabs(x) < 8) return ::j1(x);
  const double size = hankel::order_1(m::fabs(x)).j;
  return x < 0 ? -size : size;
}
CUPYXX_FN double y0(double x) { return x < 8 ? ::y0(x) : hankel::order_0(x).y; }
CUPYXX_FN double y1(double x) { return x < 8 ? ::y1(x) : hankel::order_1(x).y; }
#else
CUPYXX_FN double j0(double x) { return ::j0(x); }
CUPYXX_FN double j1(double x) { return ::j1(x); }
CUPYXX_FN double y0(double x) { return ::y0(x); }
CUPYXX_FN double y1(double x) { return ::y1(x); }
#endif

}  // namespace cupyxx::ops::special
