// SPDX-License-Identifier: MIT
// Device-safe. The special functions that neither C's library nor CUDA's has, in float64. Of the
// C library's own they take exp, log, erf, erfc, lgamma, tgamma and the Bessel functions.
// Coefficients were computed in 40 digits.
#pragma once

#include "cupyxx/ops/complex_math.h"
#include "cupyxx/ops/prelude.h"

namespace cupyxx::ops::special {

using m::infinity;
using m::not_a_number;

/// c[0] + c[1] x + ...
template <int kCount>
CUPYXX_FN double polynomial(double x, const double (&c)[kCount]) {
  double sum = c[kCount - 1];
  for (int i = kCount - 2; i >= 0; --i) sum = sum * x + c[i];
  return sum;
}
/// c[0] + c[1] T1(x) + ..., by Clenshaw's recurrence.
template <int kCount>
CUPYXX_FN double chebyshev(double x, const double (&c)[kCount]) {
  double last = 0, sum = 0;
  for (int i = kCount - 1; i > 0; --i) {
    const double next = 2 * x * sum - last + c[i];
    last = sum;
    sum = next;
  }
  return x * sum - last + c[0];
}

using m::kPi;
constexpr double kRootHalf = 0.7071067811865475244008443621048490393;
constexpr double kRootPi = 1.772453850905516027298167483341145183;

/// log|gamma(x)|; without the C library's global sign.
CUPYXX_FN double log_gamma(double x) {
#if defined(__CUDACC__)
  return ::lgamma(x);
#else
  int sign = 0;
  return ::lgamma_r(x, &sign);
#endif
}

/// sin(pi x), exact zeros at integers.
CUPYXX_FN double sin_pi(double x) {
  const double rest = x - 2 * m::rint(x / 2);  // in [-1, 1]
  return m::fabs(rest) == 1 ? 0 : m::sin(kPi * rest);
}

// ---- Inverses of the error function.

/// y with erf(y) = x, for |x| up to a half.
CUPYXX_FN double inverse_erf_near_zero(double x) {
  constexpr double kSeries[] = {
      0.88622692545275801364,   0.23201366653465452048,  0.12755617530558882813,
      0.086552129242768927779,  0.06495961765976936356,  0.051731285604460807317,
      0.042836620491649268019,  0.036467837212616392855, 0.031663183152493859536,
      0.028233460655045648344,  0.023219184634905623822, 0.031934385434331052335,
      -0.013723041243496675132, 0.10538416794999429243,  -0.11972257419589770896,
      0.12816179133380471628};
  return x * polynomial(x * x, kSeries);
}

/// y with erfc(y) = q, for q in (0, 1/2]: an approximation to five digits, and Newton's steps for
/// the logarithm of erfc.
CUPYXX_LONG_FN double inverse_erfc_tail(double q) {
  constexpr double kStart[] = {0.00832392150027, 2.07271189035, -10.3074639832, 65.1712174423,
                               -314.527035975,   1030.56143603, -2240.30695811, 3066.39233343,
                               -2386.17892345,   804.650784318};
  const double log_q = m::log(q);
  const double s = m::sqrt(-log_q);
  double y = s - polynomial(1 / (1 + s), kStart);
  for (int i = 0; i < 2; ++i) {
    const double square = y * y;
    if (y > 24) {  // erfc becomes too small: its asymptotic series
      const double z = 0.5 / square;
      const double log_erfc =
          -square - m::log(y * kRootPi) + m::log1p(-z * (1 - z * (3 - z * (15 - 105 * z))));
      y += (log_erfc - log_q) / (2 * y + 1 / y);
    } else {
      const double tail = ::erfc(y);
      y += m::log(tail / q) * (kRootPi / 2) * m::exp(square) * tail;
    }
  }
  return y;
}

CUPYXX_FN double inverse_erf(double x) {
  if (m::fabs(x) <= 0.5) return inverse_erf_near_zero(x);
  if (m::fabs(x) < 1) return m::copysign(inverse_erfc_tail(1 - m::fabs(x)), x);
  return m::fabs(x) == 1 ? m::copysign(infinity(), x) : not_a_number();
}
CUPYXX_FN double inverse_erfc(double x) {
  if (x >= 0.5 && x <= 1.5) return inverse_erf_near_zero(1 - x);
  if (x > 0 && x < 2) return x < 1 ? inverse_erfc_tail(x) : -inverse_erfc_tail(2 - x);
  return x == 0 ? infinity() : x == 2 ? -infinity() : not_a_number();
}

// ---- The scaled complement of the error function.

/// exp(x^2) erfc(x) for x >= 1: a series in (x - 4) / (x + 4) for its product with 1 + 2 x.
CUPYXX_FN double scaled_erfc(double x) {
  constexpr double kSeries[] = {
      1.2329951186255525091,      -1.3962111684056249642e-1,  1.5379652102620025122e-2,
      6.8097054254690391119e-2,   -1.0103906603632413812e-1,  9.3732834998438267017e-2,
      -6.6330365811668130206e-2,  3.7167515535929114629e-2,   -1.6197734065728944297e-2,
      5.0319699926699334430e-3,   -7.5777322105128489068e-4,  -1.9925677576336480215e-4,
      1.5062131406268512120e-4,   -2.4398944545280833878e-5,  -1.1220772697788497771e-5,
      5.7092060530721829364e-6,   2.9094470866632674525e-7,   -8.2491984275083542829e-7,
      7.8881771174065945956e-8,   1.1009737295274889412e-7,   -2.1868462576141457965e-8,
      -1.4709550868669278871e-8,  3.9508792541666846101e-9,   1.7903326159489846451e-9,
      -5.3771338210317933310e-10, -1.3746529890011637857e-10, 4.1808217396755444983e-11};
  if (x > 1e8) return 1 / kRootPi / x;
  return polynomial((x - 4) / (x + 4), kSeries) / (1 + 2 * x);
}
CUPYXX_FN double erfcx(double x) {
  if (m::fabs(x) < 1) return m::exp(x * x) * ::erfc(x);
  if (!(x < 0)) return scaled_erfc(x);
  if (x < -26.63) return infinity();
  // What is lost of x^2 counts 1 + x^2 times.
  const double square = x * x, power = m::exp(square);
  return 2 * (power + power * m::multiply_add(x, x, -square)) - scaled_erfc(-x);
}

// ---- The gamma function's relatives.

/// The derivative of log(gamma(x)).
CUPYXX_LONG_FN double digamma(double x) {
  // Around the root: Taylor's series, so that digits are not lost.
  constexpr double kRoot = 0x1.762d86356be3fp+0, kRootLow = 9.549995429965697715184199e-17;
  constexpr double kRootSeries[] = {
      0.96767224544762117043,    -0.44276316898359210609,    0.25849976095565101062,
      -0.1639427054424065275,    0.10782405069126236576,     -0.072199561256454710926,
      0.048804288164143107225,   -0.033161126474847359292,   0.02259764823221810466,
      -0.015424765904948959139,  0.010538791616612175388,    -0.007204534386356868241,
      0.0049267813957298534464,  -0.0033698016554393280828,  0.0023051263267349278369,
      -0.0015769367714301972593, 0.0010788252019162965807,   -0.00073807093899600512957,
      0.00050495326583460203518, -0.00034546802510630769956, 0.00023635601564027052792};
  constexpr double kTail[] = {0.083333333333333333333,  -0.0083333333333333333333,
                              0.003968253968253968254,  -0.0041666666666666666667,
                              0.0075757575757575757576, -0.021092796092796092796,
                              0.083333333333333333333,  -0.44325980392156862745,
                              3.0539543302701197438,    -26.456212121212121212};
  double sum = 0;
  if (x <= 0) {
    if (x == 0) return m::copysign(infinity(), -x);
    const double fraction = x - m::rint(x);
    if (fraction == 0 || x - x != 0) return not_a_number();
    sum = -kPi / m::tan(kPi * fraction);
    x = 1 - x;
  }
  const double from_root = (x - kRoot) - kRootLow;
  if (m::fabs(from_root) < 0.25) return sum + from_root * polynomial(from_root, kRootSeries);
  double steps = 0;
  while (x < 8) {
    steps += 1 / x;
    x += 1;
  }
  const double z = 1 / (x * x);
  return m::log(x) - 0.5 / x - (x < 1e17 ? z * polynomial(z, kTail) : 0) - steps + sum;
}

/// The sum of (q + n)^-s over n >= 0 by Euler and Maclaurin; its continuation for s < 1. `from_one`
/// is s - 1, exact where s is rounded.
CUPYXX_LONG_FN double zeta_sum(double s, double from_one, double q) {
  constexpr double kBernoulli[] = {
      0.083333333333333333333,   -0.0013888888888888888889,  0.000033068783068783068783,
      -8.2671957671957671958e-7, 2.0876756987868098979e-8,   -5.2841901386874931848e-10,
      1.3382536530684678833e-11, -3.3896802963225828668e-13, 8.5860620562778445641e-15,
      -2.174868698558061873e-16, 5.5090028283602295152e-18,  -1.3954464685812523341e-19};
  double sum = m::pow(q, -s), term = sum;
  int n = 0;
  while (n < 9 || q <= 9) {
    ++n;
    q += 1;
    term = m::pow(q, -s);
    sum += term;
    if (m::fabs(term) <= 1e-17 * m::fabs(sum)) return sum;
  }
  sum += term * q / from_one - term / 2;
  double factor = s * term / q;
  for (int k = 0; k < 12; ++k) {
    const double part = factor * kBernoulli[k];
    sum += part;
    if (m::fabs(part) <= 1e-17 * m::fabs(sum)) break;
    factor *= (s + 2 * k + 1) * (s + 2 * k + 2) / (q * q);
  }
  return sum;
}
CUPYXX_FN double hurwitz_zeta(double s, double q) {
  if (s != s || q != q || s < 1) return not_a_number();
  if (s == 1) return infinity();
  if (q <= 0) return q == m::floor(q) ? infinity() : not_a_number();
  if (q > 1e8) return (1 / (s - 1) + 1 / (2 * q)) * m::pow(q, 1 - s);
  return zeta_sum(s, s - 1, q);
}
CUPYXX_FN double riemann_zeta(double s) {
  if (s != s || s == -infinity()) return not_a_number();
  if (s == 1) return infinity();
  if (s >= 0.5) return s > 1100 ? 1 : zeta_sum(s, s - 1, 1);
  if (s == 0) return -0.5;
  const double sine = sin_pi(s / 2);
  if (sine == 0) return 0;
  const double mirror = zeta_sum(1 - s, -s, 1);
  if (s > -160) {
    return 2 * sine * m::pow(2 * kPi, s - 1) * ::tgamma(1 - s) * mirror;
  }
  return 2 * sine * mirror * m::exp(log_gamma(1 - s) - (1 - s) * m::log(2 * kPi));
}

// ---- Modified Bessel functions, times exp(-|x|).

CUPYXX_LONG_FN double scaled_i0(double x) {
  constexpr double kLow[] = {
      0.3383976372047380425,      -0.30468267234319839868,    0.17162090152220877535,
      -0.094901097048047644421,   0.049305284239670708488,    -0.023737414805899468816,
      0.010546460394594998318,    -0.0043243099950505759443,  0.0016394756169413357984,
      -0.00057637557453858236588, 0.00018850288509584165573,  -0.00005754195010082103704,
      0.000016448448070728897089, -4.4167383584587505636e-6,  1.1173875391201037182e-6,
      -2.6707938539406117339e-7,  6.0469950225419189493e-8,   -1.3000250099862480421e-8,
      2.6598237246823866503e-9,   -5.1897956016352629067e-10, 9.6758090353732369122e-11,
      -1.7268262914415557072e-11, 2.9550526631296398346e-12,  -4.8564467831119294609e-13,
      7.6761854986049356169e-14,  -1.1685332877993451681e-14, 1.7153912855551330306e-15,
      -2.4312798465479546936e-16, 3.3307945188222380978e-17,  -4.4153416464793393795e-18,
      5.6691780069214961571e-19};
  constexpr double kHigh[] = {
      0.4022452055070544158,      0.0033691164782556940899,   0.000068897583469168239843,
      2.891370520834756483e-6,    2.0489185894690637418e-7,   2.2666689904981780646e-8,
      3.3962320257083863452e-9,   4.9406023882249695891e-10,  1.1889147107846438342e-11,
      -3.1499165279632413645e-11, -1.3215811840447713119e-11, -1.7941785315068061178e-12,
      7.1801244513836662337e-13,  3.8527783827421427011e-13,  1.5400862175214098269e-14,
      -4.1505693472872220866e-14, -9.5548466988283076487e-15, 3.8116806693526224207e-15,
      1.7725601330565263836e-15,  -3.4254856196772191346e-16, -2.8276239805165834849e-16,
      3.4612228676974610931e-17,  4.465621420296759999e-17,   -4.8305044859441820713e-18,
      -7.2331804878747539546e-18, 9.9214754121736985989e-19,  1.1936508908459820855e-18};
  x = m::fabs(x);
  return x <= 8 ? chebyshev(x / 4 - 1, kLow) : chebyshev(16 / x - 1, kHigh) / m::sqrt(x);
}
CUPYXX_LONG_FN double scaled_i1(double x) {
  constexpr double kLow[] = {
      0.12629359322181682741,     -0.17641651835783405515,    0.10264365868984709538,
      -0.052945981208094991427,   0.024726449030626516828,    -0.010564084894626198156,
      0.0041564229443128881567,   -0.001513572450631253149,   0.0005122859561685757729,
      -0.00016176081582589674559, 0.000047815651075500542264, -0.000013273163656039435828,
      3.4702513081376784767e-6,   -8.5687202646954547407e-7,  2.0032947535521352623e-7,
      -4.4450591287963280807e-8,  9.3815373864957717839e-9,   -1.8872497517228292879e-9,
      3.625590281552117037e-10,   -6.6634897235020277422e-11, 1.1736186298890901631e-11,
      -1.9839743977649437152e-12, 3.2237933659455747098e-13,  -5.0421855047279116871e-14,
      7.6006842947354069341e-15,  -1.105596947735386308e-15,  1.5536319577362004689e-16,
      -2.1114212143581660782e-17, 2.7779141127610463705e-18,  -3.5415817725421362052e-19};
  constexpr double kHigh[] = {
      0.38928811750914006024,     -0.0097610974913614684078,  -0.00011058893876262371629,
      -3.8825648088776903935e-6,  -2.5122362378702089253e-7,  -2.6314688468895195068e-8,
      -3.835380385964237022e-9,   -5.5897434621965838069e-10, -1.8974958123505412345e-11,
      3.2526035830154882386e-11,  1.4125807436613781332e-11,  2.0356285441470895072e-12,
      -7.1985517762459085121e-13, -4.0835511110921973182e-13, -2.101541842772664313e-14,
      4.2724400167119513543e-14,  1.0420276984128802764e-14,  -3.8144030724370078048e-15,
      -1.8803547755107824485e-15, 3.3082023109209282827e-16,  2.9626289976459501391e-16,
      -3.2095259219934239588e-17, -4.6503053684893583256e-17, 4.4143483230717079499e-18,
      7.5172963108421048054e-18,  -9.3141788673268833757e-19, -1.2421932751948909561e-18};
  const double size = m::fabs(x);
  if (size <= 8) return x * chebyshev(size / 4 - 1, kLow);
  return m::copysign(chebyshev(16 / size - 1, kHigh) / m::sqrt(size), x);
}
/// exp(|x|) * scaled without an early overflow.
CUPYXX_FN double unscaled(double scaled, double x) {
  x = m::fabs(x);
  if (x <= 700) return m::exp(x) * scaled;
  const double half = m::exp(x / 2);
  return half * scaled * half;
}
CUPYXX_FN double i0(double x) { return m::fabs(x) > 1e4 ? infinity() : unscaled(scaled_i0(x), x); }
CUPYXX_FN double i1(double x) {
  return m::fabs(x) > 1e4 ? m::copysign(infinity(), x) : unscaled(scaled_i1(x), x);
}

// ---- The normal distribution.

CUPYXX_FN double ndtr(double x) {
  constexpr double kRootHalfLow = -4.8336466567264567e-17;
  const double y = -x * kRootHalf;
  const double tail = 0.5 * ::erfc(y);
  if (!(y > 1 && y < 30)) return tail;
  // What was lost of y counts 2 y times.
  const double lost = -m::multiply_add(x, kRootHalf, y) - x * kRootHalfLow;
  return tail - lost * m::exp(-y * y) / kRootPi;
}
CUPYXX_FN double log_ndtr(double x) {
  if (x > -1) return m::log1p(-ndtr(-x));
  if (x > -35) return m::log(ndtr(x));
  const double z = 1 / (x * x);
  return -0.5 * x * x - m::log(-x) - 0.918938533204672741780329736405617640 +
         m::log1p(-z * (1 - z * (3 - z * (15 - z * (105 - 945 * z)))));
}

// ---- Entropies, of positive numbers.

/// log(x / y) without a loss where they are close.
CUPYXX_FN double log_ratio(double x, double y) {
  const double difference = x - y;
  return m::fabs(difference) < 0.5 * y ? m::log1p(difference / y) : m::log(x / y);
}
/// x * log(x / y) - x + y.
CUPYXX_FN double divergence(double x, double y) {
  const double d = (x - y) / y;
  if (!(m::fabs(d) < 0.25)) return x * m::log(x / y) - x + y;
  double sum = 0;  // y ((1 + d) log(1 + d) - d) = y d^2 (1/2 - d/6 + d^2/12 - ...)
  for (int k = 26; k >= 0; --k) sum = 1.0 / ((k + 1) * (k + 2)) - d * sum;
  return y * d * d * sum;
}

}  // namespace cupyxx::ops::special
