// SPDX-License-Identifier: MIT
// Device-safe. The elementwise functions of scipy.special. Where float32 has no function of its own
// it is computed in float64 and rounded once.
#pragma once

#include "cupyxx/ops/bessel_math.h"
#include "cupyxx/ops/special_math.h"

namespace cupyxx::ops {

/// Compiled where they are used: few programs use any of them, and they would make the bundle a
/// quarter larger.
struct SpecialFunction : OpBase {
  static constexpr unsigned bundled = kNotBundled;
};

/// One that is computed in double, by Op::in_double, whatever its operands are.
template <class Op>
struct InDouble : SpecialFunction {
  template <class T, class... More>
  CUPYXX_FN static T apply(T x, More... more) {
    return static_cast<T>(Op::in_double(static_cast<double>(x), static_cast<double>(more)...));
  }
};

struct Erf : SpecialFunction {
  static constexpr const char* name = "erf";
  static constexpr const char* doc = "The error function.";
  using loops = FloatLoops<Same1>;
  template <class T>
  CUPYXX_FN static T apply(T x) {
    if constexpr (is_same<T, float>) {
      return ::erff(x);
    } else {
      return ::erf(x);
    }
  }
};

struct Erfc : SpecialFunction {
  static constexpr const char* name = "erfc";
  static constexpr const char* doc = "1 - erf(x), accurate where that is small.";
  using loops = FloatLoops<Same1>;
  template <class T>
  CUPYXX_FN static T apply(T x) {
    if constexpr (is_same<T, float>) {
      return ::erfcf(x);
    } else {
      return ::erfc(x);
    }
  }
};

struct Erfcx : InDouble<Erfcx> {
  static constexpr const char* name = "erfcx";
  static constexpr const char* doc = "exp(x ** 2) * erfc(x), without their overflow and underflow.";
  using loops = FloatLoops<Same1>;
  CUPYXX_FN static double in_double(double x) { return special::erfcx(x); }
};

struct Erfinv : InDouble<Erfinv> {
  static constexpr const char* name = "erfinv";
  static constexpr const char* doc = "y with erf(y) = x.";
  using loops = FloatLoops<Same1>;
  CUPYXX_FN static double in_double(double x) { return special::inverse_erf(x); }
};

struct Erfcinv : InDouble<Erfcinv> {
  static constexpr const char* name = "erfcinv";
  static constexpr const char* doc = "y with erfc(y) = x.";
  using loops = FloatLoops<Same1>;
  CUPYXX_FN static double in_double(double x) { return special::inverse_erfc(x); }
};

struct Ndtr : InDouble<Ndtr> {
  static constexpr const char* name = "ndtr";
  static constexpr const char* doc = "The normal distribution function.";
  using loops = FloatLoops<Same1>;
  CUPYXX_FN static double in_double(double x) { return special::ndtr(x); }
};

struct Ndtri : InDouble<Ndtri> {
  static constexpr const char* name = "ndtri";
  static constexpr const char* doc = "y with ndtr(y) = x.";
  using loops = FloatLoops<Same1>;
  CUPYXX_FN static double in_double(double x) {
    if (x > 0.5)
      return x > 1 ? special::not_a_number()
                   : 2 * special::kRootHalf * special::inverse_erfc(2 * (1 - x));
    return -2 * special::kRootHalf * special::inverse_erfc(2 * x);
  }
};

struct LogNdtr : InDouble<LogNdtr> {
  static constexpr const char* name = "log_ndtr";
  static constexpr const char* doc = "log(ndtr(x)), accurate in the tails.";
  using loops = FloatLoops<Same1>;
  CUPYXX_FN static double in_double(double x) { return special::log_ndtr(x); }
};

struct Gamma : InDouble<Gamma> {
  static constexpr const char* name = "gamma";
  static constexpr const char* doc = "The gamma function.";
  using loops = FloatLoops<Same1>;
  CUPYXX_FN static double in_double(double x) { return ::tgamma(x); }
};

struct Gammaln : InDouble<Gammaln> {
  static constexpr const char* name = "gammaln";
  static constexpr const char* doc = "log|gamma(x)|.";
  using loops = FloatLoops<Same1>;
  CUPYXX_FN static double in_double(double x) { return special::log_gamma(x); }
};

struct Digamma : InDouble<Digamma> {
  static constexpr const char* name = "digamma";
  static constexpr const char* doc = "The derivative of gammaln.";
  using loops = FloatLoops<Same1>;
  CUPYXX_FN static double in_double(double x) { return special::digamma(x); }
};

struct RiemannZeta : InDouble<RiemannZeta> {
  static constexpr const char* name = "riemann_zeta";
  static constexpr const char* doc = "Riemann's zeta function.";
  using loops = FloatLoops<Same1>;
  CUPYXX_FN static double in_double(double x) { return special::riemann_zeta(x); }
};

struct Zeta : SpecialFunction {
  static constexpr const char* name = "zeta";
  static constexpr const char* doc = "The sum of (y + n) ** -x over n = 0, 1, ...; x > 1.";
  using loops = FloatLoops<Same2>;
  template <class T>
  CUPYXX_FN static T apply(T x, T y) {
    return static_cast<T>(in_double(static_cast<double>(x), static_cast<double>(y)));
  }

 private:
  CUPYXX_FN static double in_double(double x, double y) { return special::hurwitz_zeta(x, y); }
};

struct J0 : InDouble<J0> {
  static constexpr const char* name = "j0";
  static constexpr const char* doc = "Bessel function of the first kind, order 0.";
  using loops = FloatLoops<Same1>;
  CUPYXX_FN static double in_double(double x) { return special::j0(x); }
};

struct J1 : InDouble<J1> {
  static constexpr const char* name = "j1";
  static constexpr const char* doc = "Bessel function of the first kind, order 1.";
  using loops = FloatLoops<Same1>;
  CUPYXX_FN static double in_double(double x) { return special::j1(x); }
};

struct Y0 : InDouble<Y0> {
  static constexpr const char* name = "y0";
  static constexpr const char* doc = "Bessel function of the second kind, order 0.";
  using loops = FloatLoops<Same1>;
  CUPYXX_FN static double in_double(double x) {
    if (!(x > 0)) return x == 0 ? -special::infinity() : special::not_a_number();
    return special::y0(x);
  }
};

struct Y1 : InDouble<Y1> {
  static constexpr const char* name = "y1";
  static constexpr const char* doc = "Bessel function of the second kind, order 1.";
  using loops = FloatLoops<Same1>;
  CUPYXX_FN static double in_double(double x) {
    if (!(x > 0)) return x == 0 ? -special::infinity() : special::not_a_number();
    return special::y1(x);
  }
};

struct I0 : InDouble<I0> {
  static constexpr const char* name = "i0";
  static constexpr const char* doc = "Modified Bessel function, order 0.";
  using loops = FloatLoops<Same1>;
  CUPYXX_FN static double in_double(double x) { return special::i0(x); }
};

struct I0e : InDouble<I0e> {
  static constexpr const char* name = "i0e";
  static constexpr const char* doc = "exp(-|x|) * i0(x).";
  using loops = FloatLoops<Same1>;
  CUPYXX_FN static double in_double(double x) { return special::scaled_i0(x); }
};

struct I1 : InDouble<I1> {
  static constexpr const char* name = "i1";
  static constexpr const char* doc = "Modified Bessel function, order 1.";
  using loops = FloatLoops<Same1>;
  CUPYXX_FN static double in_double(double x) { return special::i1(x); }
};

struct I1e : InDouble<I1e> {
  static constexpr const char* name = "i1e";
  static constexpr const char* doc = "exp(-|x|) * i1(x).";
  using loops = FloatLoops<Same1>;
  CUPYXX_FN static double in_double(double x) { return special::scaled_i1(x); }
};

struct Expit : SpecialFunction {
  static constexpr const char* name = "expit";
  static constexpr const char* doc = "1 / (1 + exp(-x)).";
  using loops = FloatLoops<Same1>;
  template <class T>
  CUPYXX_FN static T apply(T x) {
    if (x >= 0) return 1 / (1 + m::exp(-x));
    const T power = m::exp(x);
    return power / (1 + power);
  }
};

struct Logit : SpecialFunction {
  static constexpr const char* name = "logit";
  static constexpr const char* doc = "log(x / (1 - x)).";
  using loops = FloatLoops<Same1>;
  template <class T>
  CUPYXX_FN static T apply(T x) {
    if (x >= T(0.25) && x <= T(0.75)) return 2 * m::atanh(2 * (x - T(0.5)));
    return m::log(x / (1 - x));
  }
};

struct Xlogy : SpecialFunction {
  static constexpr const char* name = "xlogy";
  static constexpr const char* doc = "x * log(y); 0 for x = 0.";
  using loops = FloatLoops<Same2>;
  template <class T>
  CUPYXX_FN static T apply(T x, T y) {
    return x == 0 && y == y ? T(0) : x * m::log(y);
  }
};

struct Xlog1py : SpecialFunction {
  static constexpr const char* name = "xlog1py";
  static constexpr const char* doc = "x * log(1 + y); 0 for x = 0.";
  using loops = FloatLoops<Same2>;
  template <class T>
  CUPYXX_FN static T apply(T x, T y) {
    return x == 0 && y == y ? T(0) : x * m::log1p(y);
  }
};

struct Entr : SpecialFunction {
  static constexpr const char* name = "entr";
  static constexpr const char* doc = "-x * log(x); 0 for x = 0, -inf below.";
  using loops = FloatLoops<Same1>;
  template <class T>
  CUPYXX_FN static T apply(T x) {
    if (x > 0) return -x * m::log(x);
    if (x != x) return x;
    return x == 0 ? T(0) : static_cast<T>(-special::infinity());
  }
};

struct RelEntr : SpecialFunction {
  static constexpr const char* name = "rel_entr";
  static constexpr const char* doc = "x * log(x / y); 0 for x = 0 <= y, inf elsewhere.";
  using loops = FloatLoops<Same2>;
  template <class T>
  CUPYXX_FN static T apply(T x, T y) {
    return static_cast<T>(in_double(static_cast<double>(x), static_cast<double>(y)));
  }

 private:
  CUPYXX_FN static double in_double(double x, double y) {
    if (x != x || y != y) return x + y;
    if (x > 0 && y > 0) return x * special::log_ratio(x, y);
    return x == 0 && y >= 0 ? 0 : special::infinity();
  }
};

struct KlDiv : SpecialFunction {
  static constexpr const char* name = "kl_div";
  static constexpr const char* doc = "x * log(x / y) - x + y; y for x = 0 <= y, inf elsewhere.";
  using loops = FloatLoops<Same2>;
  template <class T>
  CUPYXX_FN static T apply(T x, T y) {
    return static_cast<T>(in_double(static_cast<double>(x), static_cast<double>(y)));
  }

 private:
  CUPYXX_FN static double in_double(double x, double y) {
    if (x != x || y != y) return x + y;
    if (x > 0 && y > 0) return special::divergence(x, y);
    return x == 0 && y >= 0 ? y : special::infinity();
  }
};

using SpecialOps = OpList<Erf, Erfc, Erfcx, Erfinv, Erfcinv, Ndtr, Ndtri, LogNdtr, Gamma, Gammaln,
                          Digamma, RiemannZeta, Zeta, J0, J1, Y0, Y1, I0, I0e, I1, I1e, Expit,
                          Logit, Xlogy, Xlog1py, Entr, RelEntr, KlDiv>;

}  // namespace cupyxx::ops
