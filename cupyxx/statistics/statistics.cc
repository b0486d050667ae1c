// SPDX-License-Identifier: MIT
// Weighted means, ranges of values and histograms.
#include "cupyxx/statistics.h"

#include <cmath>
#include <string>

#include "cupyxx/core/arrays.h"
#include "cupyxx/core/rows.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/indexing.h"
#include "cupyxx/internal/cpu/elementwise/points.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/math.h"
#include "cupyxx/sorting.h"

namespace cupyxx {

namespace {

/// The weights in a's shape.
ndarray matching_weights(const ndarray& a, const Axes& axes, const ndarray& weights) {
  internal::common_device("average", a, weights);
  if (weights.shape() == a.shape()) return weights;
  const std::string shapes = message(a.shape(), " and ", weights.shape());
  if (axes.is_all() || axes.list().ndim() != 1) {
    throw TypeError(message(
        "average: one axis must be given when the shapes of a and weights differ; ", shapes));
  }
  if (weights.ndim() != 1) {
    throw TypeError(
        message("average: weights must be 1-D when the shapes of a and weights differ; ", shapes));
  }
  const int axis = normalize_axis("average", axes.list()[0], a.ndim());
  if (weights.size() != a.shape()[axis]) {
    throw ValueError(
        message("average: the length of the weights does not fit axis ", axis, "; ", shapes));
  }
  Shape shape;
  for (int i = 0; i < a.ndim(); ++i) shape.push_back(i == axis ? weights.size() : 1);
  return broadcast_to(weights.reshape(shape), a.shape());
}

void check_edges(const ndarray& edges) {
  if (edges.ndim() != 1) {
    throw ValueError(message("histogram: the edges of the bins must be 1-D; ", edges.shape()));
  }
  if (edges.size() < 2) return;
  const ndarray falls =
      greater(internal::part(edges, 0, none, -1), internal::part(edges, 0, 1, none));
  if (any(falls).item<bool>()) {
    throw ValueError(
        message("histogram: the edges of the bins must increase; shape ", edges.shape()));
  }
}

/// The ends of automatic bins.
std::pair<double, double> bin_range(const ndarray& a, const HistogramOptions& options) {
  double first = 0, last = 1;
  if (options.range) {
    first = options.range->first;
    last = options.range->second;
    if (first > last) {
      throw ValueError(message("histogram: the range ends before it begins; (", Scalar(first), ", ",
                               Scalar(last), ")"));
    }
  } else if (a.size() != 0) {
    first = amin(a).item<double>();
    last = amax(a).item<double>();
  }
  if (!std::isfinite(first) || !std::isfinite(last)) {
    throw ValueError(
        message("histogram: the range is not finite; (", Scalar(first), ", ", Scalar(last), ")"));
  }
  if (first == last) return {first - 0.5, last + 0.5};
  return {first, last};
}

/// Whether the host counts by comparing in float64, which tells all numbers apart that the dtypes
/// do.
bool counts_on_host(const ndarray& a, const ndarray& edges) {
  return a.device().is_cpu() && promote_types(a.dtype(), edges.dtype()).is_floating() &&
         !any(isnan(edges)).item<bool>();
}

/// Counts between neighbouring edges: each bin takes its lower edge, the last one both.
ndarray count_between(const ndarray& a, const ndarray& edges) {
  if (counts_on_host(a, edges)) {
    const ndarray elements = internal::contiguous(a);
    const ndarray limits = internal::contiguous(edges.astype(float64, false));
    ndarray hist = zeros({edges.size() - 1}, int64);
    internal::cpu::count_bins(static_cast<const char*>(elements.elements()), a.dtype(), a.size(),
                              static_cast<const double*>(limits.elements()), hist.size(),
                              static_cast<std::int64_t*>(hist.elements()));
    return hist;
  }
  const ndarray sorted = sort(a);
  const ndarray begins = searchsorted(sorted, internal::part(edges, 0, none, -1));
  const ndarray end =
      searchsorted(sorted, internal::part(edges, 0, -1, none), {.side = SearchSide::right});
  return diff(concatenate({begins, end}));
}

ndarray weigh_between(const ndarray& a, const ndarray& edges, const ndarray& weights) {
  const std::int64_t bins = edges.size() - 1;
  if (weights.dtype().is_complex()) {
    const ndarray sums = zeros({bins}, weights.dtype());
    internal::assign("histogram", real(sums), weigh_between(a, edges, real(weights)));
    internal::assign("histogram", imag(sums), weigh_between(a, edges, imag(weights)));
    return sums;
  }
  if (counts_on_host(a, edges)) {
    const ndarray elements = internal::contiguous(a);
    const ndarray limits = internal::contiguous(edges.astype(float64, false));
    const ndarray shares = internal::contiguous(weights.astype(float64, false));
    const ndarray sums = zeros({bins}, float64);
    internal::cpu::weigh_bins(static_cast<const char*>(elements.elements()), a.dtype(),
                              static_cast<const double*>(shares.elements()), a.size(),
                              static_cast<const double*>(limits.elements()), bins,
                              static_cast<double*>(sums.elements()));
    return sums.astype(weights.dtype(), false);
  }
  const ndarray last = internal::part(edges, 0, -1, none);
  ndarray bin = subtract(searchsorted(edges, a, {.side = SearchSide::right}), 1);
  bin = where(equal(a, last), bins - 1, bin);
  // What is outside goes into one more bin, which is cut off.
  const ndarray first = internal::part(edges, 0, none, 1);
  bin = where(logical_and(greater_equal(a, first), less_equal(a, last)), bin, bins);
  const ndarray sums =
      bincount(bin, {.weights = weights.astype(float64, false), .minlength = bins + 1});
  return internal::part(sums, 0, none, bins).astype(weights.dtype());
}

HistogramResult fill_bins(const ndarray& values, const ndarray& edges,
                          const HistogramOptions& options) {
  const ndarray a = values.ravel();
  const DeviceScope scope(a.device());
  ndarray hist;
  if (edges.size() < 2) {
    hist = zeros({0}, options.weights.is_none() ? int64 : options.weights.dtype());
  } else if (options.weights.is_none()) {
    hist = count_between(a, edges);
  } else {
    internal::common_device("histogram", values, options.weights);
    if (!(options.weights.shape() == values.shape())) {
      throw ValueError(message("histogram: weights must have the shape of a; ",
                               options.weights.shape(), " and ", values.shape()));
    }
    hist = a.size() == 0 ? zeros({edges.size() - 1}, options.weights.dtype())
                         : weigh_between(a, edges, options.weights.ravel());
  }
  if (options.density) {
    hist = divide(divide(hist, diff(edges).astype(float64)), sum(hist));
  }
  return {hist, edges};
}

/// NumPy counts bools as uint8.
ndarray countable(const ndarray& a) {
  internal::check_computable("histogram", a);
  return a.dtype().is_bool() ? a.astype(uint8) : a;
}

/// The edges of bins of one width.
ndarray even_edges(const ndarray& a, const ndarray& values, int bins,
                   const HistogramOptions& options) {
  if (bins < 1) {
    throw ValueError(message("histogram: the number of bins must be positive; ", bins));
  }
  const auto [first, last] = bin_range(values, options);
  const DeviceScope scope(a.device());
  const dtype type = a.dtype().is_floating() ? a.dtype() : float64;
  if (options.range || a.size() == 0)
    return linspace(first, last, std::int64_t{bins} + 1, {.dtype = type});
  // As NumPy: where the data say the range, the edges are rounded at each step to their dtype.
  const ndarray begin = array(Scalar(first), type), end = array(Scalar(last), type);
  const ndarray width = divide(subtract(end, begin), bins);
  const ndarray edges = add(multiply(arange(std::int64_t{bins} + 1, type), width), begin);
  internal::assign("histogram", edges(-1), end);
  return edges;
}

}  // namespace

ndarray average(const ndarray& a, const Axes& axes, const AverageOptions& options) {
  internal::check_axis_once("average", axes, options.axis);
  internal::check_computable("average", a);
  if (options.weights.is_none()) {
    const ndarray result = mean(a, axes, {.keepdims = options.keepdims});
    if (options.returned != nullptr) {
      const double count = result.size() == 0
                               ? 0
                               : static_cast<double>(a.size()) / static_cast<double>(result.size());
      *options.returned = full_like(result, count);
    }
    return result;
  }
  const ndarray given = options.weights.beside(a);
  const ndarray weights = matching_weights(a, axes, given);
  dtype type = promote_types(a.dtype(), weights.dtype());
  if (!a.dtype().is_inexact()) type = promote_types(type, float64);
  const ndarray x = multiply(a.astype(type, false), weights.astype(type, false));
  const ndarray total = sum(weights, axes, {.dtype = type, .keepdims = options.keepdims});
  if (any(equal(total, 0)).item<bool>()) {
    throw ValueError(message("average: the weights sum to zero; shape ", given.shape()));
  }
  if (options.returned != nullptr) *options.returned = total;
  return divide(sum(x, axes, {.keepdims = options.keepdims}), total);
}

ndarray ptp(const ndarray& a, const Axes& axes, const PtpOptions& options) {
  internal::check_not_none("ptp", a);
  internal::check_axis_once("ptp", axes, options.axis);
  const ndarray largest = amax(a, axes, {.keepdims = options.keepdims});
  const ndarray range = subtract(largest, amin(a, axes, {.keepdims = options.keepdims}));
  return internal::deliver_to("ptp", range, options.out);
}

ndarray histogram_bin_edges(const ndarray& a, internal::Int bins, const HistogramOptions& options) {
  internal::check_not_none("histogram_bin_edges", a);
  return even_edges(a, countable(a), bins, options);
}

HistogramResult histogram(const ndarray& a, internal::Int bins, const HistogramOptions& options) {
  const ndarray values = countable(a);
  return fill_bins(values, even_edges(a, values, bins, options), options);
}

HistogramResult histogram(const ndarray& a, const ndarray& bins, const HistogramOptions& options) {
  const ndarray values = countable(a);
  internal::check_computable("histogram", bins);
  internal::common_device("histogram", a, bins);
  check_edges(bins);
  return fill_bins(values, bins, options);
}

// Of lists.

HistogramResult histogram(const ArrayLike& a, const ArrayLike& bins,
                          const HistogramOptions& options) {
  return histogram(a.beside(bins), bins.beside(a), options);
}

HistogramResult histogram(const ArrayLike& a, internal::Int bins, const HistogramOptions& options) {
  return histogram(a.array(), bins, options);
}

HistogramResult histogram(const ArrayLike& a, internal::Int bins, const BinRange& range,
                          bool density) {
  return histogram(a.array(), bins, {.range = range.range(), .density = density});
}

ndarray average(const ArrayLike& a, const Axes& axes, const ArrayLike& weights) {
  return average(a.beside(weights), axes, AverageOptions{.weights = weights.beside(a)});
}

ndarray ptp(const ArrayLike& a, const Axes& axes, const PtpOptions& options) {
  return ptp(a.array(), axes, options);
}

ndarray average(const ArrayLike& a, const Axes& axes, const AverageOptions& options) {
  return average(a.array(), axes, options);
}

}  // namespace cupyxx
