// SPDX-License-Identifier: MIT
#include "conformance/array/judge.h"

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>

namespace conformance {
namespace cp = cupyxx;
namespace {

std::string position(const cp::Shape& shape, std::int64_t flat) {
  cp::Shape index = shape;
  for (int axis = shape.ndim(); axis-- > 0;) {
    index[axis] = flat % shape[axis];
    flat /= shape[axis];
  }
  return index.str();
}

std::string number(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.17g", value);
  return text;
}

/// How many units beyond the tolerance an element is; 0 when it is within.
double excess(double actual, double expected, cp::dtype type, const Tolerance& tolerance,
              bool signed_zeros) {
  if (std::isnan(expected)) return std::isnan(actual) ? 0 : INFINITY;
  if (actual == expected) {
    const bool differs = signed_zeros && std::signbit(actual) != std::signbit(expected);
    return differs ? INFINITY : 0;
  }
  const double unit = unit_in_last_place(type, std::fmax(std::fabs(expected), tolerance.scale));
  const double ulps = std::fabs(actual - expected) / unit;
  return ulps <= tolerance.ulps ? 0 : std::isnan(ulps) ? INFINITY : ulps;
}

std::string float_difference(const cp::ndarray& actual, const cp::ndarray& expected,
                             const Tolerance& tolerance, bool signed_zeros) {
  const auto a = actual.to_vector<double>();
  const auto e = expected.to_vector<double>();
  std::size_t count = 0;
  std::size_t worst = 0;
  double most = 0;
  for (std::size_t i = 0; i < e.size(); ++i) {
    const double beyond = excess(a[i], e[i], expected.dtype(), tolerance, signed_zeros);
    if (beyond == 0) continue;
    ++count;
    if (beyond > most) {
      most = beyond;
      worst = i;
    }
  }
  if (count == 0) return "";
  return std::to_string(count) + " of " + std::to_string(e.size()) + " elements; at " +
         position(expected.shape(), static_cast<std::int64_t>(worst)) + " " + number(a[worst]) +
         " instead of " + number(e[worst]) + ", " + number(most) + " ulp, allowed " +
         number(tolerance.ulps);
}

std::string number(const cp::complex<double>& z) { return number(z.re) + " " + number(z.im) + "j"; }

/// Parts are judged by the unit of the larger one. Beside NaN an infinity has no sign.
std::string complex_difference(const cp::ndarray& actual, const cp::ndarray& expected,
                               const Tolerance& tolerance, bool signed_zeros) {
  const auto a = actual.to_vector<cp::complex<double>>();
  const auto e = expected.to_vector<cp::complex<double>>();
  const cp::dtype part = expected.dtype().real_part();
  std::size_t count = 0;
  std::size_t worst = 0;
  double most = 0;
  for (std::size_t i = 0; i < e.size(); ++i) {
    Tolerance allowed = tolerance;
    for (const double x : {e[i].re, e[i].im}) {
      if (std::isfinite(x)) allowed.scale = std::fmax(allowed.scale, std::fabs(x));
    }
    const bool has_nan = e[i] != e[i];
    if (tolerance.any_nan && has_nan && a[i] != a[i]) continue;
    const auto unsigned_infinity = [&](double x) {
      return has_nan && std::isinf(x) ? INFINITY : x;
    };
    const auto beyond = [&](double x, double y) {
      return excess(unsigned_infinity(x), unsigned_infinity(y), part, allowed, signed_zeros);
    };
    const double most_here = std::fmax(beyond(a[i].re, e[i].re), beyond(a[i].im, e[i].im));
    if (most_here == 0) continue;
    ++count;
    if (most_here > most) {
      most = most_here;
      worst = i;
    }
  }
  if (count == 0) return "";
  return std::to_string(count) + " of " + std::to_string(e.size()) + " elements; at " +
         position(expected.shape(), static_cast<std::int64_t>(worst)) + " " + number(a[worst]) +
         " instead of " + number(e[worst]) + ", " + number(most) + " ulp, allowed " +
         number(tolerance.ulps);
}

template <class T>
std::string integer_difference(const cp::ndarray& actual, const cp::ndarray& expected) {
  const auto a = actual.to_vector<T>();
  const auto e = expected.to_vector<T>();
  std::size_t count = 0;
  std::size_t first = 0;
  for (std::size_t i = e.size(); i-- > 0;) {
    if (a[i] == e[i]) continue;
    ++count;
    first = i;
  }
  if (count == 0) return "";
  return std::to_string(count) + " of " + std::to_string(e.size()) + " elements; at " +
         position(expected.shape(), static_cast<std::int64_t>(first)) + " " +
         std::to_string(a[first]) + " instead of " + std::to_string(e[first]);
}

}  // namespace

std::string difference(const cp::ndarray& actual, const cp::ndarray& expected,
                       const Tolerance& tolerance, bool signed_zeros) {
  if (actual.is_none()) return "no array";
  if (!(actual.dtype() == expected.dtype())) {
    return "dtype " + std::string(actual.dtype().name()) + " instead of " +
           std::string(expected.dtype().name());
  }
  if (!(actual.shape() == expected.shape())) {
    return "shape " + actual.shape().str() + " instead of " + expected.shape().str();
  }
  if (expected.dtype().is_complex()) {
    return complex_difference(actual, expected, tolerance, signed_zeros);
  }
  if (expected.dtype().is_floating()) {
    return float_difference(actual, expected, tolerance, signed_zeros);
  }
  if (expected.dtype() == cp::uint64) return integer_difference<std::uint64_t>(actual, expected);
  return integer_difference<std::int64_t>(actual, expected);
}

bool same_bytes(const cp::ndarray& a, const cp::ndarray& b) {
  if (!(a.shape() == b.shape()) || !(a.dtype() == b.dtype())) return false;
  const cp::ndarray x = a.to_cpu().copy();
  const cp::ndarray y = b.to_cpu().copy();
  return x.nbytes() == 0 ||
         std::memcmp(x.data(), y.data(), static_cast<std::size_t>(x.nbytes())) == 0;
}

}  // namespace conformance
