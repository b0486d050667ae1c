// SPDX-License-Identifier: MIT
// Polynomials as 1-D arrays of coefficients, the highest power first. NumPy's chapter
// "Polynomials", its functions.
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <type_traits>

#include "cupyxx/core/array_like.h"
#include "cupyxx/core/parts.h"
#include "cupyxx/creation.h"
#include "cupyxx/device.h"
#include "cupyxx/ndarray.h"

namespace cupyxx {

/// The polynomial with coefficients `p` at `x`.
CUPYXX_API ndarray polyval(const ndarray& p, const ndarray& x);
template <class T>
requires std::is_arithmetic_v<T> ndarray polyval(const ArrayLike& p, T x) {
  const DeviceScope scope(p.array().device());
  return polyval(p.array(), array(x));
}
/// Of lists: `polyval({1, 2, 3}, x)`.
CUPYXX_API ndarray polyval(const ArrayLike& p, const ArrayLike& x);

/// Sum and difference; the shorter one is filled up with zeros in front.
CUPYXX_API ndarray polyadd(const ndarray& a, const ndarray& b);
CUPYXX_API ndarray polysub(const ndarray& a, const ndarray& b);
/// Product. Leading zeros of the factors are dropped, so it synchronises.
CUPYXX_API ndarray polymul(const ndarray& a, const ndarray& b);

/// The same of lists: `polymul({1, 2}, {1, 3})`.
CUPYXX_API ndarray polyadd(const ArrayLike& a, const ArrayLike& b);
CUPYXX_API ndarray polysub(const ArrayLike& a, const ArrayLike& b);
CUPYXX_API ndarray polymul(const ArrayLike& a, const ArrayLike& b);

/// What polydiv makes: u = quotient * v + remainder.
struct PolydivResult {
  ndarray quotient;
  ndarray remainder;  ///< without leading coefficients below 1e-8
  /// The parts by their places in NumPy's tuple, `polydiv(u, v)[1]`.
  ndarray operator[](internal::Int part) const {
    return internal::part_of("polydiv", {&quotient, &remainder}, part);
  }
};
/// Quotient and remainder, in floating point. Synchronises.
CUPYXX_API PolydivResult polydiv(const ndarray& u, const ndarray& v);
CUPYXX_API PolydivResult polydiv(const ArrayLike& u, const ArrayLike& v);

/// The m-th derivative. Throws ValueError for a negative `m`.
CUPYXX_API ndarray polyder(const ndarray& p, internal::Int m = 1);
CUPYXX_API ndarray polyder(const ArrayLike& p, internal::Int m = 1);
/// Options of polyder.
struct PolyderOptions {
  int m = 1;
};
template <std::same_as<PolyderOptions> O = PolyderOptions>
ndarray polyder(const ArrayLike& p, const O& options) {
  return polyder(p.array(), options.m);
}
/// The m-th integral; `k` are the constants in the order of integration: none for zeros, one for
/// all, or `m` at least. Throws ValueError for others.
CUPYXX_API ndarray polyint(const ndarray& p, internal::Int m = 1, const ndarray& k = {});
CUPYXX_API ndarray polyint(const ArrayLike& p, internal::Int m = 1);
CUPYXX_API ndarray polyint(const ArrayLike& p, internal::Int m, const ArrayLike& k);
/// Of one constant: `polyint(p, 1, 5)`.
template <internal::ListNumber T>
ndarray polyint(const ArrayLike& p, internal::Int m, T k) {
  return polyint(p.array(), m, ArrayValue(k).beside(p.array()));
}
/// Options of polyint.
struct PolyintOptions {
  int m = 1;
  ArrayValue k = {};
};
template <std::same_as<PolyintOptions> O = PolyintOptions>
ndarray polyint(const ArrayLike& p, const O& options) {
  return polyint(p.array(), options.m, options.k.beside(p.array()));
}

/// The polynomial with given zeros, or the characteristic polynomial of a square matrix; its first
/// coefficient is 1. Real where the zeros come in conjugate pairs. Synchronises.
CUPYXX_API ndarray poly(const ndarray& zeros);
CUPYXX_API ndarray poly(const ArrayLike& zeros);
/// The zeros, by the eigenvalues of the companion matrix, which are computed on the host.
/// Synchronises.
CUPYXX_API ndarray roots(const ndarray& p);
CUPYXX_API ndarray roots(const ArrayLike& p);

/// Options of polyfit.
struct PolyfitOptions {
  /// Singular values of at most so much of the largest count as zero; eps times the number of
  /// points unless given.
  std::optional<double> rcond = {};
  ndarray w = {};  ///< weights of the points' distances
};
/// The coefficients of the polynomial of a degree that is nearest to the points in the sense of
/// least squares. `y` may have a column per polynomial. Synchronises.
CUPYXX_API ndarray polyfit(const ndarray& x, const ndarray& y, internal::Int degree,
                           const PolyfitOptions& options = {});
CUPYXX_API ndarray polyfit(const ArrayLike& x, const ArrayLike& y, internal::Int degree,
                           const PolyfitOptions& options = {});

/// What polyfit_full makes, NumPy's `full=True`.
struct PolyfitResult {
  ndarray coefficients;
  ndarray residuals;  ///< squared, per polynomial; empty where the points do not determine it
  std::int64_t rank;
  ndarray singular_values;
  double rcond;
};
/// The same with what the solution by least squares says of itself.
CUPYXX_API PolyfitResult polyfit_full(const ndarray& x, const ndarray& y, internal::Int degree,
                                      const PolyfitOptions& options = {});

/// What polyfit_cov makes, NumPy's `cov=True`.
struct PolyfitCovariance {
  ndarray coefficients;
  ndarray covariance;  ///< of the coefficients; with a last axis for several polynomials
};
/// The same with the covariance of the coefficients, `scaled` by the residuals per degree of
/// freedom unless the weights are 1/sigma (NumPy's `cov="unscaled"`). Throws ValueError where
/// scaling needs more points.
CUPYXX_API PolyfitCovariance polyfit_cov(const ndarray& x, const ndarray& y, internal::Int degree,
                                         bool scaled = true, const PolyfitOptions& options = {});
template <std::same_as<PolyfitOptions> O = PolyfitOptions>
PolyfitCovariance polyfit_cov(const ArrayLike& x, const ArrayLike& y, internal::Int degree,
                              const O& options) {
  return polyfit_cov(x.array(), y.beside(x), degree, true, options);
}

}  // namespace cupyxx
