// SPDX-License-Identifier: MIT
#include "cupyxx/polynomials.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "cupyxx/core/arrays.h"
#include "cupyxx/core/order_k.h"
#include "cupyxx/core/rows.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/linalg.h"
#include "cupyxx/logic.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/math.h"
#include "cupyxx/reduction.h"
#include "cupyxx/sorting.h"
#include "cupyxx/type_functions.h"

namespace cupyxx {

namespace {

// A number is a polynomial of degree 0.
ndarray coefficients(const char* operation, const ndarray& p) {
  internal::check_computable(operation, p);
  if (p.ndim() > 1) {
    throw ValueError(message(operation, ": the coefficients must be 1-D; ", p.shape()));
  }
  return p.ndim() == 0 ? p.reshape({1}) : p;
}

std::pair<ndarray, ndarray> both(const char* operation, const ndarray& a, const ndarray& b) {
  const ndarray x = coefficients(operation, a), y = coefficients(operation, b);
  internal::common_device(operation, x, y);
  return {x, y};
}

// With as many zeros in front that there are `count` coefficients.
ndarray filled_up(const ndarray& p, std::int64_t count) {
  const DeviceScope scope(p.device());
  return p.size() >= count ? p : concatenate({zeros({count - p.size()}, p.dtype()), p});
}

std::pair<ndarray, ndarray> of_one_length(const char* operation, const ndarray& a,
                                          const ndarray& b) {
  const auto [x, y] = both(operation, a, b);
  return {filled_up(x, y.size()), filled_up(y, x.size())};
}

// Without leading zeros, but not empty.
ndarray without_leading_zeros(const ndarray& p) {
  const ndarray places = flatnonzero(p);
  const DeviceScope scope(p.device());
  if (places.size() == 0) return zeros({1}, p.dtype());
  return p(slice(places(0).item<std::int64_t>(), none));
}

// n, n - 1, ..., 1.
ndarray countdown(std::int64_t n, Device device) {
  const DeviceScope scope(device);
  return arange(n, 0, -1);
}

ndarray in_floating_point(const ndarray& p) {
  return p.dtype().is_inexact() ? p : p.astype(float64);
}

// Horner's rule on the host, over pieces that stay in the nearest caches.
ndarray in_pieces(const ndarray& c, const ndarray& x) {
  constexpr std::int64_t kPiece = 8192;
  const ndarray result = zeros_like(x), dense = internal::laid_like(x, result);
  // Both in the order of the memory, which are views.
  const ndarray all = result.ravel(Order::K), flat = dense.ravel(Order::K);
  std::vector<Scalar> numbers;
  for (std::int64_t i = 0; i < c.size(); ++i) numbers.push_back(c(i).item());
  for (std::int64_t begin = 0; begin < x.size(); begin += kPiece) {
    const std::int64_t end = std::min(x.size(), begin + kPiece);
    const ndarray y = all(slice(begin, end)), at = flat(slice(begin, end));
    for (const Scalar& number : numbers) {
      multiply(y, at, {.out = y});
      add(y, number, {.out = y});
    }
  }
  return result;
}

}  // namespace

ndarray polyval(const ndarray& p, const ndarray& x) {
  internal::check_computable("polyval", x);
  const ndarray c = coefficients("polyval", p);
  if (x.device().is_cpu() && c.device().is_cpu()) {
    if (c.dtype() == x.dtype() && x.dtype().is_inexact()) return in_pieces(c, x);
    // The first step, zeros times x, gives the same zeros and NaNs in float64.
    if (c.dtype() == float64 && x.dtype() == float32 && c.size() != 0) {
      return in_pieces(c, x.astype(float64));
    }
  }
  ndarray y = zeros_like(x);
  for (std::int64_t i = 0; i < c.size(); ++i) y = add(multiply(y, x), c(i));
  return y;
}

ndarray polyadd(const ndarray& a, const ndarray& b) {
  const auto [x, y] = of_one_length("polyadd", a, b);
  return add(x, y);
}

ndarray polysub(const ndarray& a, const ndarray& b) {
  const auto [x, y] = of_one_length("polysub", a, b);
  return subtract(x, y);
}

ndarray polymul(const ndarray& a, const ndarray& b) {
  const auto [x, y] = both("polymul", a, b);
  return convolve(without_leading_zeros(x), without_leading_zeros(y));
}

PolydivResult polydiv(const ndarray& u, const ndarray& v) {
  auto [dividend, divisor] = both("polydiv", u, v);
  if (dividend.size() == 0 || divisor.size() == 0) {
    throw IndexError(message("polydiv: a polynomial has no coefficients; ", dividend.shape(),
                             " and ", divisor.shape()));
  }
  divisor = in_floating_point(divisor);
  dividend = in_floating_point(dividend);
  const dtype type = promote_types(dividend.dtype(), divisor.dtype());
  const DeviceScope scope(u.device());
  const std::int64_t n = divisor.size(), steps = dividend.size() - n + 1;
  const ndarray scale = divide(1.0, divisor(0));
  const ndarray quotient = zeros({steps > 1 ? steps : 1}, type);
  ndarray rest = dividend.astype(type);
  for (std::int64_t k = 0; k < steps; ++k) {
    const ndarray digit = multiply(scale, rest(k));
    quotient(k) = digit;
    rest(slice(k, k + n)) -= multiply(digit, divisor);
  }
  while (rest.size() > 1 && allclose(rest(0), 0, {.rtol = 1e-14})) {
    rest = rest(slice(1, none));
  }
  return {quotient, rest};
}

ndarray polyder(const ndarray& p, internal::Int m) {
  if (m < 0) {
    throw ValueError(message("polyder: the order must not be negative; ", m));
  }
  ndarray result = coefficients("polyder", p);
  for (int i = 0; i < m; ++i) {
    if (i != 0 && result.size() == 0) break;  // stays so
    const std::int64_t degree = result.size() > 0 ? result.size() - 1 : 0;
    result = multiply(internal::part(result, 0, none, -1), countdown(degree, p.device()));
  }
  return result;
}

ndarray polyint(const ndarray& p, internal::Int m, const ndarray& k) {
  if (m < 0) {
    throw ValueError(message("polyint: the order must not be negative; ", m));
  }
  // Each integral goes over all terms; NumPy gives up where Python's recursion does.
  if (m > 10'000) {
    throw ValueError(message("polyint: the order exceeds 10000; ", m));
  }
  ndarray result = coefficients("polyint", p);
  const DeviceScope scope(p.device());
  const ndarray constants = k.is_none() ? zeros({m}) : coefficients("polyint", k);
  if (constants.size() < m && constants.size() != 1) {
    throw ValueError(message("polyint: needs one constant, or one for each of the integrals, ", m,
                             "; ", constants.shape()));
  }
  for (int i = 0; i < m; ++i) {
    const std::int64_t at = constants.size() == 1 ? 0 : i;
    const ndarray terms = divide(result, countdown(result.size(), p.device()));
    result = concatenate({terms, constants(slice(at, at + 1))});
  }
  return result;
}

ndarray poly(const ndarray& zeros) {
  internal::check_computable("poly", zeros);
  const Shape shape = zeros.shape();
  ndarray all = zeros.ndim() == 0 ? zeros.reshape({1}) : zeros;
  if (shape.ndim() == 2 && shape[0] == shape[1] && shape[0] != 0) {
    all = linalg::eigvals(zeros);
  } else if (shape.ndim() > 1) {
    throw ValueError(message("poly: needs zeros in one axis, or a square matrix; ", shape));
  }
  const bool is_kept = all.dtype().is_complex() || all.dtype() == float32;
  all = is_kept ? all : all.astype(float64, false);
  const DeviceScope scope(zeros.device());
  if (all.size() == 0) return ones({});  // NumPy's plain 1.0
  ndarray result = ones({1}, all.dtype());
  for (std::int64_t i = 0; i < all.size(); ++i) {
    const ndarray factor = ones({2}, all.dtype());
    factor(1) = negative(all(i));
    result = convolve(result, factor);
  }
  const bool is_paired = all.dtype().is_complex() && array_equal(sort(all), sort(all.conj()));
  return is_paired ? result.real().copy() : result;
}

ndarray roots(const ndarray& p) {
  const ndarray all = coefficients("roots", p);
  const DeviceScope scope(p.device());
  const ndarray places = flatnonzero(all);
  if (places.size() == 0) return zeros({0});
  const auto first = places(0).item<std::int64_t>(), last = places(-1).item<std::int64_t>();
  const ndarray c = in_floating_point(all(slice(first, last + 1)));
  const ndarray at_zero = zeros({all.size() - 1 - last});
  if (c.size() < 2) return at_zero;
  const ndarray companion = eye(c.size() - 1, -1, -1, c.dtype());
  companion(0) = divide(negative(c(slice(1, none))), c(0));
  const ndarray result = linalg::eigvals(companion);
  return concatenate({result, at_zero.astype(result.dtype())});
}

namespace {

void check_points(const ndarray& x, const ndarray& y, int degree, const ndarray& w) {
  internal::check_computable("polyfit", x);
  internal::check_computable("polyfit", y);
  if (degree < 0) throw ValueError(message("polyfit: the degree must not be negative; ", degree));
  if (x.ndim() != 1) throw TypeError(message("polyfit: x must be 1-D; ", x.shape()));
  if (x.size() == 0) throw TypeError(message("polyfit: there are no points; ", x.shape()));
  if (y.ndim() < 1 || y.ndim() > 2) {
    throw TypeError(message("polyfit: y must be 1- or 2-D; ", y.shape()));
  }
  if (x.size() != y.shape()[0]) {
    throw TypeError(message("polyfit: x and y differ in length; ", x.shape(), " and ", y.shape()));
  }
  if (w.is_none()) return;
  if (w.ndim() != 1 || w.size() != x.size()) {
    throw TypeError(
        message("polyfit: there must be a weight for each point, ", x.size(), "; ", w.shape()));
  }
}

// A problem of least squares: powers * coefficients = values, in columns of length 1, which make it
// better conditioned.
struct Fit {
  ndarray powers, scale, values;
  double rcond;

  Fit(const ndarray& x, const ndarray& y, int degree, const PolyfitOptions& options) {
    check_points(x, y, degree, options.w);
    const ndarray at = in_floating_point(x);
    powers = vander(at, std::int64_t{degree} + 1);
    values = in_floating_point(y);
    if (!options.w.is_none()) {
      const ndarray w = in_floating_point(options.w);
      powers = multiply(powers, expand_dims(w, 1));
      values = multiply(values, y.ndim() == 1 ? w : expand_dims(w, 1));
    }
    scale = sqrt(sum(square(powers), 0));
    powers = divide(powers, scale);
    const double eps = finfo(at.dtype().real_part()).eps;
    rcond = options.rcond.value_or(static_cast<double>(x.size()) * eps);
  }

  PolyfitResult solve() const {
    linalg::LstsqResult found = linalg::lstsq(powers, values, rcond);
    const ndarray c = divide(found.x, found.x.ndim() == 1 ? scale : expand_dims(scale, 1));
    return {c, found.residuals, found.rank, found.s, rcond};
  }
};

}  // namespace

ndarray polyfit(const ndarray& x, const ndarray& y, internal::Int degree,
                const PolyfitOptions& options) {
  internal::check_not_none("polyfit", x);
  internal::check_not_none("polyfit", y);
  return polyfit_full(x, y, degree, options).coefficients;
}

PolyfitResult polyfit_full(const ndarray& x, const ndarray& y, internal::Int degree,
                           const PolyfitOptions& options) {
  internal::check_not_none("polyfit_full", x);
  internal::check_not_none("polyfit_full", y);
  return Fit(x, y, degree, options).solve();
}

PolyfitCovariance polyfit_cov(const ndarray& x, const ndarray& y, internal::Int degree, bool scaled,
                              const PolyfitOptions& options) {
  internal::check_not_none("polyfit_cov", x);
  internal::check_not_none("polyfit_cov", y);
  const Fit fit(x, y, degree, options);
  const std::int64_t freedom = x.size() - degree - 1;
  if (scaled && freedom <= 0) {
    throw ValueError(
        message("polyfit: needs more points than coefficients to scale the covariance; ", x.size(),
                " for ", std::int64_t{degree} + 1));
  }
  const PolyfitResult found = fit.solve();
  ndarray base = linalg::inv(dot(fit.powers.T(), fit.powers));
  base = divide(base, outer(fit.scale, fit.scale));
  if (y.ndim() == 2) base = expand_dims(base, 2);
  if (!scaled) return {found.coefficients, base};
  const ndarray factor = divide(found.residuals, static_cast<double>(freedom));
  return {found.coefficients, multiply(base, factor)};
}

// Of lists.

ndarray polyval(const ArrayLike& p, const ArrayLike& x) {
  return polyval(p.beside(x), x.beside(p));
}

ndarray polyadd(const ArrayLike& a, const ArrayLike& b) {
  return polyadd(a.beside(b), b.beside(a));
}

ndarray polysub(const ArrayLike& a, const ArrayLike& b) {
  return polysub(a.beside(b), b.beside(a));
}

ndarray polymul(const ArrayLike& a, const ArrayLike& b) {
  return polymul(a.beside(b), b.beside(a));
}

PolydivResult polydiv(const ArrayLike& u, const ArrayLike& v) {
  return polydiv(u.beside(v), v.beside(u));
}

ndarray polyder(const ArrayLike& p, internal::Int m) { return polyder(p.array(), m); }

ndarray polyint(const ArrayLike& p, internal::Int m) { return polyint(p.array(), m); }

ndarray polyint(const ArrayLike& p, internal::Int m, const ArrayLike& k) {
  return polyint(p.beside(k), m, k.beside(p));
}

ndarray poly(const ArrayLike& zeros) { return poly(zeros.array()); }

ndarray roots(const ArrayLike& p) { return roots(p.array()); }

ndarray polyfit(const ArrayLike& x, const ArrayLike& y, internal::Int degree,
                const PolyfitOptions& options) {
  return polyfit(x.beside(y), y.beside(x), degree, options);
}

}  // namespace cupyxx
