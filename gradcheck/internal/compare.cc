// SPDX-License-Identifier: MIT
#include "gradcheck/internal/compare.h"

#include <cmath>
#include <cstdio>
#include <limits>

#include "cupyxx/scalar.h"

namespace gradcheck::internal {

std::optional<Mismatch::Element> find_worst(std::span<const double> actual,
                                            std::span<const double> expected,
                                            const cupyxx::Shape& shape, double atol, double rtol) {
  Mismatch::Element worst;
  double worst_excess = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const double a = actual[i], e = expected[i];
    if (a == e || (std::isnan(a) && std::isnan(e))) continue;
    // Where one is not finite, the difference says nothing.
    const bool finite = std::isfinite(a) && std::isfinite(e);
    const double tolerance = finite ? atol + rtol * std::abs(e) : 0;
    const double excess =
        finite ? std::abs(a - e) - tolerance : std::numeric_limits<double>::infinity();
    if (!(excess > 0)) continue;
    if (++worst.differing > 1 && excess <= worst_excess) continue;
    worst_excess = excess;
    worst.index = unravel(static_cast<std::int64_t>(i), shape);
    worst.actual = a;
    worst.expected = e;
    worst.tolerance = tolerance;
  }
  if (worst.differing == 0) return std::nullopt;
  return worst;
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

}  // namespace

std::string describe(const Mismatch::Element& worst, const cupyxx::Shape& shape,
                     const std::string& actual_name, const std::string& expected_name) {
  return std::to_string(worst.differing) + " of " + std::to_string(shape.element_count()) +
         " elements differ; at " + worst.index.str() + ": " + text_of(worst.actual) + actual_name +
         " and " + text_of(worst.expected) + expected_name + ", difference " +
         short_text(std::abs(worst.actual - worst.expected)) + ", tolerance " +
         short_text(worst.tolerance);
}

}  // namespace gradcheck::internal
