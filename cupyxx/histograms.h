// SPDX-License-Identifier: MIT
// Bins of elements: their numbers, counts over several axes, and numbers of bins that are chosen
// from the data. NumPy's chapter "Statistics: Histograms". Included by statistics.h.
#pragma once

#include <array>
#include <concepts>
#include <initializer_list>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "cupyxx/bin_range.h"
#include "cupyxx/core/array_like.h"
#include "cupyxx/core/number_argument.h"
#include "cupyxx/core/one_or_more.h"
#include "cupyxx/ndarray.h"
#include "cupyxx/statistics.h"

namespace cupyxx {

/// The number (int64) of the bin of each element: bins[i - 1] <= x < bins[i], with `right` the
/// upper edge belongs to a bin. Bins may fall instead of rise. Throws ValueError for others;
/// synchronises for that.
CUPYXX_API ndarray digitize(const ndarray& x, const ndarray& bins, bool right = false);
/// Of lists: `digitize(a, {0, 1, 2.5})`.
CUPYXX_API ndarray digitize(const ArrayLike& x, const ArrayLike& bins, bool right = false);
template <internal::ListNumber N>
ndarray digitize(N x, const ArrayLike& bins, bool right = false) {
  return digitize(internal::array_beside(x, bins.array()), bins.array(), right);
}
/// Options of digitize.
struct DigitizeOptions {
  bool right = false;
};
template <std::same_as<DigitizeOptions> O = DigitizeOptions>
ndarray digitize(const ArrayLike& x, const ArrayLike& bins, const O& options) {
  return digitize(x, bins, options.right);
}

/// Options of histogram2d.
struct Histogram2dOptions {
  BinCounts bins = 10;
  std::array<ndarray, 2> edges = {};  ///< given edges in place of equally wide bins
  BinRanges range = {};
  bool density = false;
  ArrayOption weights = {};
};
/// Counts (float64) and the edges along both axes.
struct Histogram2dResult {
  ndarray hist;
  ndarray x_edges;
  ndarray y_edges;
  /// The parts by their places.
  CUPYXX_API ndarray operator[](internal::Int part) const;
};
/// How many of the points (x, y) fall into each of a grid of bins. Synchronises.
CUPYXX_API Histogram2dResult histogram2d(const ndarray& x, const ndarray& y,
                                         const Histogram2dOptions& options = {});
namespace internal {
/// NumPy's `bins`: two integers are the numbers of bins, other vectors the edges along both axes,
/// two rows those along each.
CUPYXX_API Histogram2dResult histogram2d_by(const ndarray& x, const ndarray& y,
                                            const ndarray& bins);
}  // namespace internal
/// The bins in their place, as NumPy has them: `histogram2d(x, y, {4, 5})` are numbers of bins
/// along the axes, `histogram2d(x, y, {0, 0.5, 1})` or an array the edges along both,
/// `histogram2d(x, y, {x_edges, y_edges})` those along each. Throws TypeError for two numbers that
/// are no integers, ValueError for one. Synchronises.
// A template: `{}` and `{5}` are options.
template <std::same_as<ArrayLike> L = ArrayLike>
Histogram2dResult histogram2d(const ndarray& x, const ndarray& y, const L& bins) {
  return internal::histogram2d_by(x, y, internal::beside(bins, x));
}
template <class B>
requires(std::derived_from<B, ndarray> || internal::HostNumbers<B>) Histogram2dResult
    histogram2d(const ndarray& x, const ndarray& y, const B& bins) {
  return internal::histogram2d_by(x, y, internal::beside(bins, x));
}
CUPYXX_API Histogram2dResult histogram2d(const ndarray& x, const ndarray& y,
                                         std::initializer_list<ndarray> edges);
/// The number of bins along both axes in its place: `histogram2d(x, y, 5)`.
template <internal::ExtentNumber I>
Histogram2dResult histogram2d(const ndarray& x, const ndarray& y, I bins) {
  const int both = static_cast<int>(bins);
  return histogram2d(x, y, Histogram2dOptions{.bins = {both, both}});
}

/// Of lists: `histogram2d({0, 1, 1}, {0, 1, 0}, 2)`.
template <class... B>
requires(sizeof...(B) <= 1 && ((internal::ExtentNumber<B> || std::derived_from<B, ndarray> ||
                                internal::HostNumbers<B>)&&...)) Histogram2dResult
    histogram2d(const ArrayLike& x, const ArrayLike& y, const B&... bins) {
  return histogram2d(x.beside(y), y.beside(x), bins...);
}
template <std::same_as<Histogram2dOptions> O = Histogram2dOptions>
Histogram2dResult histogram2d(const ArrayLike& x, const ArrayLike& y, const O& options) {
  return histogram2d(x.beside(y), y.beside(x), options);
}

/// Options of histogramdd. Lists hold one entry for all axes, or an entry per axis.
struct HistogramddOptions {
  internal::OneOrMore<int> bins = 10;
  std::vector<ndarray> edges = {};  ///< given edges in place of equally wide bins; null for those
  std::vector<std::optional<std::pair<double, double>>> range = {};
  bool density = false;
  ArrayOption weights = {};
};
/// Counts (float64) and the edges along each axis.
struct HistogramddResult {
  ndarray hist;
  Arrays edges;
};
/// How many of the points, the rows of a matrix, fall into each of a grid of bins. Synchronises.
CUPYXX_API HistogramddResult histogramdd(const ndarray& sample,
                                         const HistogramddOptions& options = {});

// ---- Histograms whose number of bins is chosen from the data: NumPy's `bins="auto"`.

namespace internal {
CUPYXX_API HistogramResult histogram_by_rule(const ndarray& a, std::string_view bins,
                                             const HistogramOptions& options);
CUPYXX_API ndarray bin_edges_by_rule(const ndarray& a, std::string_view bins,
                                     const HistogramOptions& options);
}  // namespace internal

/// The same for a number of bins by a rule: "auto", "fd" (Freedman and Diaconis), "doane", "scott",
/// "stone", "rice", "sturges" or "sqrt". Throws ValueError for other names, TypeError for weights.
/// Synchronises.
template <std::convertible_to<std::string_view> B>
HistogramResult histogram(const ndarray& a, const B& bins, const HistogramOptions& options = {}) {
  return internal::histogram_by_rule(a, bins, options);
}
/// The edges of these bins alone.
template <std::convertible_to<std::string_view> B>
ndarray histogram_bin_edges(const ndarray& a, const B& bins, const HistogramOptions& options = {}) {
  return internal::bin_edges_by_rule(a, bins, options);
}

}  // namespace cupyxx
