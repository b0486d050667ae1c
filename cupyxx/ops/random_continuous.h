// SPDX-License-Identifier: MIT
// Device-safe. Continuous distributions: each draws one number of its parameters p. Exact methods
// only; the comment of each says whose.
#pragma once

#include "cupyxx/ops/random_draws.h"

namespace cupyxx::random::dist {

struct NormalAt {
  static constexpr const char* name = "normal";
  static constexpr const char* parameters = "loc scale";
  static constexpr Check checks[] = {Check::number, Check::not_negative};
  static double draw(Draws& d, const double* p) { return p[0] + p[1] * d.normal(); }
};

struct Lognormal {
  static constexpr const char* name = "lognormal";
  static constexpr const char* parameters = "mean sigma";
  static constexpr Check checks[] = {Check::number, Check::not_negative};
  static double draw(Draws& d, const double* p) { return m::e_to(p[0] + p[1] * d.normal()); }
};

/// Gamma of shape a and scale 1: G. Marsaglia, W. W. Tsang, "A simple method for generating gamma
/// variables", 2000; below 1 their boost, gamma(a + 1) U^(1/a).
inline double gamma_above_one(Draws& d, double a) {
  const double b = a - 1.0 / 3.0, c = 1.0 / m::square_root(9.0 * b);
  for (;;) {
    const double x = d.normal(), t = 1.0 + c * x;
    if (t <= 0) continue;
    const double v = t * t * t, u = d.open(), x2 = x * x;
    if (u < 1.0 - 0.0331 * (x2 * x2)) return b * v;
    if (m::ln(u) < 0.5 * x2 + b * (1.0 - v + m::ln(v))) return b * v;
  }
}
inline double standard_gamma(Draws& d, double a) {
  if (a == 0) return 0;
  const double x = gamma_above_one(d, a < 1 ? a + 1.0 : a);
  return a < 1 ? x * m::e_to(-d.exponential() / a) : x;
}
/// Its logarithm, which small shapes do not take to zero.
inline double log_gamma(Draws& d, double a) {
  const double x = gamma_above_one(d, a < 1 ? a + 1.0 : a);
  return a < 1 ? m::ln(x) - d.exponential() / a : m::ln(x);
}

struct Gamma {
  static constexpr const char* name = "gamma";
  static constexpr const char* parameters = "shape scale";
  static constexpr Check checks[] = {Check::not_negative, Check::not_negative};
  static double draw(Draws& d, const double* p) { return p[1] * standard_gamma(d, p[0]); }
};

/// X / (X + Y) of two gammas; by their logarithms where they may vanish.
struct Beta {
  static constexpr const char* name = "beta";
  static constexpr const char* parameters = "a b";
  static constexpr Check checks[] = {Check::positive, Check::positive};
  static double draw(Draws& d, const double* p) {
    if (p[0] >= 1 && p[1] >= 1) {
      const double x = gamma_above_one(d, p[0]), y = gamma_above_one(d, p[1]);
      return x / (x + y);
    }
    const double x = log_gamma(d, p[0]), y = log_gamma(d, p[1]);
    return 1.0 / (1.0 + m::e_to(y - x));
  }
};

struct Chisquare {
  static constexpr const char* name = "chisquare";
  static constexpr const char* parameters = "df";
  static constexpr Check checks[] = {Check::positive};
  static double draw(Draws& d, const double* p) { return 2.0 * standard_gamma(d, 0.5 * p[0]); }
};

/// The ratio of two chi-squares over their degrees of freedom.
struct F {
  static constexpr const char* name = "f";
  static constexpr const char* parameters = "dfnum dfden";
  static constexpr Check checks[] = {Check::positive, Check::positive};
  static double draw(Draws& d, const double* p) {
    const double x = standard_gamma(d, 0.5 * p[0]) / p[0];
    return x / (standard_gamma(d, 0.5 * p[1]) / p[1]);
  }
};

/// A normal over the root of a chi-square over its degrees of freedom.
struct StudentT {
  static constexpr const char* name = "standard_t";
  static constexpr const char* parameters = "df";
  static constexpr Check checks[] = {Check::positive};
  static double draw(Draws& d, const double* p) {
    const double z = d.normal();
    return z * m::square_root(0.5 * p[0] / standard_gamma(d, 0.5 * p[0]));
  }
};

/// The tangent of a uniform angle.
struct Cauchy {
  static constexpr const char* name = "standard_cauchy";
  static constexpr const char* parameters = "";
  static constexpr Check checks[] = {Check::any};
  static double draw(Draws& d, const double*) {
    double cosine, sine;
    m::cos_sin_pi<false>(d.open() - 0.5, cosine, sine);
    return sine / cosine;
  }
};

/// An exponential with a random sign.
struct Laplace {
  static constexpr const char* name = "laplace";
  static constexpr const char* parameters = "loc scale";
  static constexpr Check checks[] = {Check::number, Check::not_negative};
  static double draw(Draws& d, const double* p) {
    const double x = p[1] * d.exponential();
    return d.bits() >> 63 != 0 ? p[0] - x : p[0] + x;
  }
};

// Inversion, with an exponential E in the place of -ln(U).
struct Gumbel {
  static constexpr const char* name = "gumbel";
  static constexpr const char* parameters = "loc scale";
  static constexpr Check checks[] = {Check::number, Check::not_negative};
  static double draw(Draws& d, const double* p) { return p[0] - p[1] * m::ln(d.exponential()); }
};

struct Logistic {
  static constexpr const char* name = "logistic";
  static constexpr const char* parameters = "loc scale";
  static constexpr Check checks[] = {Check::number, Check::not_negative};
  static double draw(Draws& d, const double* p) {
    const double u = d.open();
    return p[0] + p[1] * m::ln(u / (1.0 - u));
  }
};

struct ExponentialAt {
  static constexpr const char* name = "exponential";
  static constexpr const char* parameters = "scale";
  static constexpr Check checks[] = {Check::not_negative};
  static double draw(Draws& d, const double* p) { return p[0] * d.exponential(); }
};

struct Rayleigh {
  static constexpr const char* name = "rayleigh";
  static constexpr const char* parameters = "scale";
  static constexpr Check checks[] = {Check::not_negative};
  static double draw(Draws& d, const double* p) {
    return p[0] * m::square_root(2.0 * d.exponential());
  }
};

struct Weibull {
  static constexpr const char* name = "weibull";
  static constexpr const char* parameters = "a";
  static constexpr Check checks[] = {Check::not_negative};
  static double draw(Draws& d, const double* p) {
    return p[0] == 0 ? 0.0 : m::power(d.exponential(), 1.0 / p[0]);
  }
};

struct Pareto {
  static constexpr const char* name = "pareto";
  static constexpr const char* parameters = "a";
  static constexpr Check checks[] = {Check::positive};
  static double draw(Draws& d, const double* p) { return m::expm1(d.exponential() / p[0]); }
};

struct Power {
  static constexpr const char* name = "power";
  static constexpr const char* parameters = "a";
  static constexpr Check checks[] = {Check::positive};
  static double draw(Draws& d, const double* p) { return m::e_to(-d.exponential() / p[0]); }
};

struct Triangular {
  static constexpr const char* name = "triangular";
  static constexpr const char* parameters = "left mode right";
  static constexpr Check checks[] = {Check::number, Check::number, Check::number};
  static CUPYXX_FN bool disordered(double* p) {
    if (p[0] <= p[1] && p[1] <= p[2] && p[0] < p[2]) return false;
    if (p[0] > p[1]) return true;
    if (p[1] > p[2]) p[0] = p[1];
    p[1] = p[2];
    return true;
  }
  static double draw(Draws& d, const double* p) {
    const double base = p[2] - p[0], left = p[1] - p[0], u = d.uniform();
    if (u * base < left) return p[0] + m::square_root(u * base * left);
    return p[2] - m::square_root((1.0 - u) * base * (p[2] - p[1]));
  }
};

struct UniformAt {
  static constexpr const char* name = "uniform";
  static constexpr const char* parameters = "low high";
  static constexpr Check checks[] = {Check::number, Check::number};
  static CUPYXX_FN bool disordered(const double* p) { return p[1] < p[0]; }
  static double draw(Draws& d, const double* p) {
    const double x = p[0] + (p[1] - p[0]) * d.uniform();
    return x < p[1] || p[0] == p[1] ? x : p[0];  // rounding may have reached `high`
  }
};

/// J. R. Michael, W. R. Schucany, R. W. Haas, "Generating random variates using transformations
/// with multiple roots", 1976; the smaller root is one over the other, which does not cancel.
struct Wald {
  static constexpr const char* name = "wald";
  static constexpr const char* parameters = "mean scale";
  static constexpr Check checks[] = {Check::positive, Check::positive};
  static double draw(Draws& d, const double* p) {
    const double z = d.normal(), w = p[0] * z * z / (2.0 * p[1]);
    const double large = 1.0 + w + m::square_root(w * (2.0 + w));
    return d.uniform() * (1.0 + 1.0 / large) <= 1.0 ? p[0] / large : p[0] * large;
  }
};

/// Arc cosine through the half angle's tangent.
inline double arc_cosine(double x) {
  constexpr double kAtan[] = {-0x1.555555555554ap-2, 0x1.9999999996e68p-3,  -0x1.24924923155c3p-3,
                              0x1.c71c7103916ffp-4,  -0x1.745cfb2507017p-4, 0x1.3b113287eb46cp-4,
                              -0x1.10ec495f635c8p-4, 0x1.df10b3a7b26fbp-5,  -0x1.9cbf2ff0b2bd8p-5,
                              0x1.376c764a53d12p-5,  -0x1.241d04b40fe67p-6};
  // tan(acos(x) / 2), folded into [0, 1], then to below tan(pi / 8).
  const bool obtuse = x < 0;
  const double c = obtuse ? -x : x;
  double t = m::square_root((1.0 - c) / (1.0 + c));
  const bool wide = t > 0.41421356237309504880;
  if (wide) t = (t - 1.0) / (t + 1.0);
  const double t2 = t * t;
  const double angle = 2.0 * ((wide ? 0.78539816339744830962 : 0.0) +
                              (t + t * t2 * m::polynomial<false>(t2, kAtan)));
  return obtuse ? 3.14159265358979323846 - angle : angle;
}

/// D. J. Best, N. I. Fisher, "Efficient simulation of the von Mises distribution", 1979; beyond a
/// concentration of 10^6 the wrapped normal, whose density differs by less than one in a million.
struct VonMises {
  static constexpr const char* name = "vonmises";
  static constexpr const char* parameters = "mu kappa";
  static constexpr Check checks[] = {Check::number, Check::not_negative};
  static double draw(Draws& d, const double* p) {
    constexpr double kPi = 3.14159265358979323846;
    const double x = p[0] + angle(d, p[1]);
    if (x >= -kPi && x <= kPi) return x;
    const double turns = m::floor((x + kPi) / (2.0 * kPi));
    return x - 2.0 * kPi * turns;
  }
  static double angle(Draws& d, double kappa) {
    constexpr double kPi = 3.14159265358979323846;
    if (kappa < 1e-8) return kPi * (2.0 * d.uniform() - 1.0);
    if (kappa > 1e6) return d.normal() / m::square_root(kappa);
    double s = 1.0 / kappa + kappa;  // the limit, where the formula cancels
    if (kappa > 1e-5) {
      const double r = 1.0 + m::square_root(1.0 + 4.0 * kappa * kappa);
      const double rho = (r - m::square_root(2.0 * r)) / (2.0 * kappa);
      s = (1.0 + rho * rho) / (2.0 * rho);
    }
    for (;;) {
      double cosine, sine;
      m::cos_sin_pi<false>(d.uniform() - 0.5, cosine, sine);  // cos(pi U) = -sine
      const double z = -sine, w = (1.0 + s * z) / (s + z), y = kappa * (s - w), v = d.open();
      if (y * (2.0 - y) < v && m::ln(y / v) + 1.0 < y) continue;
      const double a = arc_cosine(w < -1.0 ? -1.0 : w > 1.0 ? 1.0 : w);
      return d.bits() >> 63 != 0 ? -a : a;
    }
  }
};

}  // namespace cupyxx::random::dist
