// SPDX-License-Identifier: MIT
#include <string>

#include "cupyxx/core/arrays.h"
#include "cupyxx/core/rows.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/indexing.h"
#include "cupyxx/linalg.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/math.h"
#include "cupyxx/reduction.h"
#include "cupyxx/sorting.h"
#include "cupyxx/statistics.h"

namespace cupyxx {

namespace {

// Variables as rows.
ndarray variables(const ndarray& m, bool rowvar, dtype type) {
  internal::check_computable("cov", m);
  if (m.ndim() > 2) {
    throw ValueError(message("cov: more than 2 dimensions; ", m.shape()));
  }
  const ndarray x = internal::array_beside(m, type, {.copy = false, .order = Order::K, .ndmin = 2});
  return !rowvar && x.shape()[0] != 1 ? x.T() : x;
}

void check_weights(const char* name, const ndarray& weights, std::int64_t count) {
  const std::string operation = message("cov: ", name);
  if (weights.ndim() > 1) {
    throw ValueError(message(operation, " cannot be multidimensional; ", weights.shape()));
  }
  if (weights.size() != count) {
    throw ValueError(message(operation, " must be as many as the observations; ", weights.size(),
                             " and ", count));
  }
  if (any(less(weights, 0)).item<bool>()) {
    throw ValueError(message(operation, " must not be negative; shape ", weights.shape()));
  }
}

// Both kinds of weights as one, or null.
ndarray combined_weights(const CovOptions& options, std::int64_t count) {
  ndarray weights;
  if (!options.fweights.is_none()) {
    const ndarray& f = options.fweights;
    if (f.dtype().is_floating() && any(not_equal(f, rint(f))).item<bool>()) {
      throw TypeError(message("cov: fweights must be integers; ", f.dtype().name()));
    }
    check_weights("fweights", f, count);
    weights = f.astype(float64);
  }
  if (!options.aweights.is_none()) {
    check_weights("aweights", options.aweights, count);
    const ndarray a = options.aweights.astype(float64);
    weights = weights.is_none() ? a : multiply(weights, a);
  }
  return weights;
}

// What the sums of products are divided by.
double divisor(const CovOptions& options, const ndarray& weights, std::int64_t count) {
  const int ddof = options.ddof.value_or(options.bias ? 0 : 1);
  if (weights.is_none()) return static_cast<double>(count - ddof);
  const auto total = sum(weights).item<double>();
  if (ddof == 0) return total;
  if (options.aweights.is_none()) return total - ddof;
  const ndarray squares = multiply(weights, options.aweights.astype(float64, false));
  return total - ddof * sum(squares).item<double>() / total;
}

}  // namespace

ndarray cov(const ndarray& m, const CovOptions& options) {
  internal::check_computable("cov", m);
  dtype type = options.dtype;
  if (!type) {
    type = promote_types(m.dtype(), float64);
    if (!options.y.is_none()) type = promote_types(type, options.y.dtype());
  }
  ndarray x = variables(m, options.rowvar, type);
  const DeviceScope scope(m.device());
  if (x.shape()[0] == 0) return zeros({0, 0}, float64);
  if (!options.y.is_none()) {
    x = concatenate({x, variables(options.y, options.rowvar, type)});
  }
  const std::int64_t count = x.shape()[1];
  const ndarray weights = combined_weights(options, count);
  const ndarray centre = average(x, 1, {.weights = weights, .keepdims = true}).astype(type, false);
  x = subtract(x, centre);
  const ndarray weighted = weights.is_none() ? x : multiply(x, weights).astype(type, false);
  // NumPy warns of too few observations and divides by zero.
  const double by = divisor(options, weights, count);
  const ndarray other = type.is_complex() ? weighted.T().conj() : weighted.T();
  return squeeze(multiply(dot(x, other), 1 / (by > 0 ? by : 0)));
}

ndarray corrcoef(const ndarray& x, const CorrcoefOptions& options) {
  internal::check_not_none("corrcoef", x);
  const ndarray c = cov(x, {.y = options.y, .rowvar = options.rowvar, .dtype = options.dtype});
  if (c.ndim() == 0) return divide(c, c);  // 1, or NaN
  const bool is_complex = c.dtype().is_complex();
  const ndarray spread = sqrt(is_complex ? diagonal(c).real() : diagonal(c));
  const ndarray scaled = divide(divide(c, expand_dims(spread, 1)), expand_dims(spread, 0));
  if (!is_complex) return clip(scaled, -1, 1);
  for (const ndarray& part : {ndarray(scaled.real()), ndarray(scaled.imag())}) {
    clip(part, -1, 1, part);
  }
  return scaled;
}

ndarray digitize(const ndarray& x, const ndarray& bins, bool right) {
  internal::check_computable("digitize", x);
  internal::check_computable("digitize", bins);
  internal::common_device("digitize", x, bins);
  if (bins.ndim() != 1) {
    throw ValueError(message("digitize: the bins must be 1-D; ", bins.shape()));
  }
  const ndarray left = internal::part(bins, 0, none, -1), next = internal::part(bins, 0, 1, none);
  const SearchsortedOptions side{.side = right ? SearchSide::left : SearchSide::right};
  if (bins.size() < 2 || all(less_equal(left, next)).item<bool>()) {
    return searchsorted(bins, x, side);
  }
  if (!all(greater_equal(left, next)).item<bool>()) {
    throw ValueError(message("digitize: the bins must rise or fall; shape ", bins.shape()));
  }
  return subtract(bins.size(), searchsorted(flip(bins), x, side));
}

// Of lists.

ndarray cov(const ArrayLike& m, const CovOptions& options) { return cov(m.array(), options); }

ndarray cov(const ArrayLike& m, const ArrayLike& y) {
  return cov(m.beside(y), CovOptions{.y = y.beside(m)});
}

ndarray corrcoef(const ArrayLike& x, const CorrcoefOptions& options) {
  return corrcoef(x.array(), options);
}

ndarray corrcoef(const ArrayLike& x, const ArrayLike& y) {
  return corrcoef(x.beside(y), CorrcoefOptions{.y = y.beside(x)});
}

ndarray digitize(const ArrayLike& x, const ArrayLike& bins, bool right) {
  return digitize(x.beside(bins), bins.beside(x), right);
}

}  // namespace cupyxx
