// SPDX-License-Identifier: MIT
#include "gradcheck/internal/compare.h"

#include <cmath>
#include <cstdio>
#include <limits>

#include "cupyxx/error.h"
#include "cupyxx/scalar.h"

namespace gradcheck::internal {

namespace {

bool is_finite(double x) { return std::isfinite(x); }
bool is_finite(const std::complex<double>& x) {
  return std::isfinite(x.real()) && std::isfinite(x.imag());
}
bool is_nan(double x) { return std::isnan(x); }
bool is_nan(const std::complex<double>& x) { return std::isnan(x.real()) || std::isnan(x.imag()); }

/// The imaginary part, 0 of a real number.
double imaginary(double) { return 0; }
double imaginary(const std::complex<double>& x) { return x.imag(); }

template <class T>
std::optional<Mismatch::Element> find_worst_of(std::span<const T> actual,
                                               std::span<const T> expected,
                                               const cupyxx::Shape& shape, double atol,
                                               double rtol) {
  Mismatch::Element worst;
  double worst_excess = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const T a = actual[i], e = expected[i];
    if (a == e || (is_nan(a) && is_nan(e))) continue;
    // Where one is not finite, the difference says nothing.
    const bool finite = is_finite(a) && is_finite(e);
    const double tolerance = finite ? atol + rtol * std::abs(e) : 0;
    const double excess =
        finite ? std::abs(a - e) - tolerance : std::numeric_limits<double>::infinity();
    if (excess <= 0) continue;  // a tolerance of NaN allows nothing
    if (++worst.differing > 1 && !(excess > worst_excess)) continue;
    worst_excess = excess;
    worst.index = unravel(static_cast<std::int64_t>(i), shape);
    worst.actual = std::real(a);
    worst.expected = std::real(e);
    worst.actual_imaginary = imaginary(a);
    worst.expected_imaginary = imaginary(e);
    worst.tolerance = tolerance;
  }
  if (worst.differing == 0) return std::nullopt;
  return worst;
}

}  // namespace

std::optional<Mismatch::Element> find_worst(std::span<const double> actual,
                                            std::span<const double> expected,
                                            const cupyxx::Shape& shape, double atol, double rtol) {
  return find_worst_of(actual, expected, shape, atol, rtol);
}

std::optional<Mismatch::Element> find_worst(std::span<const std::complex<double>> actual,
                                            std::span<const std::complex<double>> expected,
                                            const cupyxx::Shape& shape, double atol, double rtol) {
  return find_worst_of(actual, expected, shape, atol, rtol);
}

void check_input_numbers(const char* operation, std::span<const int> no_grad, std::size_t inputs) {
  for (const int number : no_grad) {
    if (number >= 0 && static_cast<std::size_t>(number) < inputs) continue;
    throw cupyxx::ValueError(cupyxx::message(
        operation, ": no_grad names inputs by number, from 0; ", number, ", ", inputs, " inputs"));
  }
}

cupyxx::Shape unravel(std::int64_t flat, const cupyxx::Shape& shape) {
  cupyxx::Shape index = shape;
  for (int axis = shape.ndim() - 1; axis >= 0; --axis) {
    index[axis] = flat % shape[axis];
    flat /= shape[axis];
  }
  return index;
}

std::string text_of(double value) { return cupyxx::Scalar(value).str(); }

namespace {

/// Differences and tolerances are results of rounding: six digits say enough.
std::string short_text(double value) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.6g", value);
  return text;
}

/// A number of an Element; a complex one only where an imaginary part is there to be shown.
std::string number_text(double real, double imaginary, bool is_complex) {
  if (!is_complex) return text_of(real);
  return cupyxx::Scalar(std::complex<double>(real, imaginary)).str();
}

}  // namespace

std::string describe(const Mismatch::Element& worst, const cupyxx::Shape& shape,
                     const std::string& actual_name, const std::string& expected_name) {
  const std::complex<double> actual(worst.actual, worst.actual_imaginary);
  const std::complex<double> expected(worst.expected, worst.expected_imaginary);
  const bool is_complex = worst.actual_imaginary != 0 || worst.expected_imaginary != 0;
  return std::to_string(worst.differing) + " of " + std::to_string(shape.element_count()) +
         " elements differ; at " + worst.index.str() + ": " +
         number_text(worst.actual, worst.actual_imaginary, is_complex) + actual_name + " and " +
         number_text(worst.expected, worst.expected_imaginary, is_complex) + expected_name +
         ", difference " + short_text(std::abs(actual - expected)) + ", tolerance " +
         short_text(worst.tolerance);
}

}  // namespace gradcheck::internal
