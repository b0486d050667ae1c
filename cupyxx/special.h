// SPDX-License-Identifier: MIT
// The functions of scipy.special: elementwise ones as objects that are called like the other
// operations, with `out`, `where`, `casting` and `dtype`; integers become float64.
//
//   auto p = cupyxx::special::ndtr((x - mean) / deviation);
//   auto q = cupyxx::special::softmax(scores, -1);
//
// Errors are a few ulp (cupyxx/ops/special_cases.h has the bounds). On devices gammaln and gamma
// are CUDA's, and so are the Bessel functions j and y up to 8. Their kernels are compiled at first
// use.
#pragma once

#include <concepts>
#include <cstdint>

#include "cupyxx/ndarray.h"
#include "cupyxx/ufunc.h"

namespace cupyxx {

namespace ops {
struct Erf;
struct Erfc;
struct Erfcx;
struct Erfinv;
struct Erfcinv;
struct Ndtr;
struct Ndtri;
struct LogNdtr;
struct Gamma;
struct Gammaln;
struct Digamma;
struct RiemannZeta;
struct Zeta;
struct J0;
struct J1;
struct Y0;
struct Y1;
struct I0;
struct I0e;
struct I1;
struct I1e;
struct Expit;
struct Logit;
struct Xlogy;
struct Xlog1py;
struct Entr;
struct RelEntr;
struct KlDiv;
}  // namespace ops

namespace special {

/// The error function.
inline constexpr Ufunc<ops::Erf> erf{};
/// 1 - erf(x), accurate where that is small.
inline constexpr Ufunc<ops::Erfc> erfc{};
/// exp(x^2) erfc(x), exact where those two are too large and too small; infinite below -26.6287.
inline constexpr Ufunc<ops::Erfcx> erfcx{};
/// y with erf(y) = x: infinite for -1 and 1, NaN outside.
inline constexpr Ufunc<ops::Erfinv> erfinv{};
/// y with erfc(y) = x.
inline constexpr Ufunc<ops::Erfcinv> erfcinv{};
/// The normal distribution function.
inline constexpr Ufunc<ops::Ndtr> ndtr{};
/// y with ndtr(y) = x.
inline constexpr Ufunc<ops::Ndtri> ndtri{};
/// log(ndtr(x)), accurate in the tails.
inline constexpr Ufunc<ops::LogNdtr> log_ndtr{};
/// The gamma function; NaN for negative integers.
inline constexpr Ufunc<ops::Gamma> gamma{};
/// log|gamma(x)|; infinite for 0 and negative integers.
inline constexpr Ufunc<ops::Gammaln> gammaln{};
/// The derivative of gammaln; NaN for negative integers.
inline constexpr Ufunc<ops::Digamma> digamma{};
/// Bessel function of the first kind, order 0.
inline constexpr Ufunc<ops::J0> j0{};
/// Bessel function of the first kind, order 1.
inline constexpr Ufunc<ops::J1> j1{};
/// Bessel function of the second kind, order 0.
inline constexpr Ufunc<ops::Y0> y0{};
/// Bessel function of the second kind, order 1.
inline constexpr Ufunc<ops::Y1> y1{};
/// Modified Bessel function, order 0.
inline constexpr Ufunc<ops::I0> i0{};
/// exp(-|x|) * i0(x).
inline constexpr Ufunc<ops::I0e> i0e{};
/// Modified Bessel function, order 1.
inline constexpr Ufunc<ops::I1> i1{};
/// exp(-|x|) * i1(x).
inline constexpr Ufunc<ops::I1e> i1e{};
/// 1 / (1 + exp(-x)).
inline constexpr Ufunc<ops::Expit> expit{};
/// log(x / (1 - x)).
inline constexpr Ufunc<ops::Logit> logit{};
/// x * log(y); 0 for x = 0.
inline constexpr Ufunc<ops::Xlogy, 2> xlogy{};
/// x * log(1 + y); 0 for x = 0.
inline constexpr Ufunc<ops::Xlog1py, 2> xlog1py{};
/// -x * log(x); 0 for x = 0, -inf below.
inline constexpr Ufunc<ops::Entr> entr{};
/// x * log(x / y); 0 for x = 0 <= y, inf elsewhere.
inline constexpr Ufunc<ops::RelEntr, 2> rel_entr{};
/// x * log(x / y) - x + y; y for x = 0 <= y, inf elsewhere.
inline constexpr Ufunc<ops::KlDiv, 2> kl_div{};
/// Same as digamma.
inline constexpr Ufunc<ops::Digamma> psi{};
/// Riemann's zeta function, also for x < 1.
inline constexpr Ufunc<ops::RiemannZeta> riemann_zeta{};

/// zeta(x) is Riemann's zeta function; zeta(x, q) Hurwitz', the sum of (q + n) ** -x: NaN for x < 1
/// and for negative q, infinite for the integers among them.
struct Zeta {
  ndarray operator()(const Operand& x, const UfuncOptions& options = {}) const {
    return riemann_zeta(x, options);
  }
  ndarray operator()(const Operand& x, const Operand& q, const UfuncOptions& options = {}) const {
    return Ufunc<ops::Zeta, 2>{}(x, q, options);
  }
};
inline constexpr Zeta zeta{};

/// Options of logsumexp.
struct LogsumexpOptions {
  Axes axis = Axes::missing();
  ndarray b = {};  ///< factors of the exponentials, which broadcast with `a`; NaN for negative sums
  bool keepdims = false;
};
/// log(sum(b * exp(a))) over axes without overflow.
CUPYXX_API ndarray logsumexp(const ndarray& a, const Axes& axis = {},
                             const LogsumexpOptions& options = {});
template <std::same_as<LogsumexpOptions> O = LogsumexpOptions>
ndarray logsumexp(const ndarray& a, O options) {
  const Axes axis = internal::take_axis(options.axis);
  return logsumexp(a, axis, options);
}
/// exp(x) / sum(exp(x)) over axes without overflow.
CUPYXX_API ndarray softmax(const ndarray& x, const Axes& axis = {});
/// log(softmax(x)), accurate where that is small.
CUPYXX_API ndarray log_softmax(const ndarray& x, const Axes& axis = {});
template <std::same_as<cupyxx::AxisOptions> O = cupyxx::AxisOptions>
ndarray softmax(const ndarray& x, O options) {
  return softmax(x, internal::take_axis(options.axis));
}
template <std::same_as<cupyxx::AxisOptions> O = cupyxx::AxisOptions>
ndarray log_softmax(const ndarray& x, O options) {
  return log_softmax(x, internal::take_axis(options.axis));
}

}  // namespace special

/// NumPy's i0: the modified Bessel function of order 0.
inline constexpr Ufunc<ops::I0> i0{};

// ---- Window functions. NumPy's chapter of that name.

// Weights (float64) of `m` samples, largest in the middle; an empty array for m < 1.

/// A triangle that touches zero.
CUPYXX_API ndarray bartlett(internal::Int64 m);
/// Three terms of cosines.
CUPYXX_API ndarray blackman(internal::Int64 m);
/// A raised cosine that does not touch zero.
CUPYXX_API ndarray hamming(internal::Int64 m);
/// A raised cosine that touches zero.
CUPYXX_API ndarray hanning(internal::Int64 m);
/// Ratio of Bessel functions; a larger `beta` is narrower.
CUPYXX_API ndarray kaiser(internal::Int64 m, double beta);

// NumPy has no erf; the one of C is not meant either.
template <std::derived_from<ndarray> A>
void erf(const A& write_special_erf) = delete;
template <std::derived_from<ndarray> A>
void erfc(const A& write_special_erfc) = delete;

}  // namespace cupyxx
