// SPDX-License-Identifier: MIT
// Correlation of variables and counts in bins over several axes. NumPy's chapter "Statistics", the
// rest of it.
#pragma once

#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "cupyxx/ndarray.h"

namespace cupyxx {

/// Options of cov.
struct CovOptions {
  ndarray y = {};                ///< more variables
  bool rowvar = true;            ///< a variable per row; otherwise per column
  bool bias = false;             ///< divide by N instead of N - 1
  std::optional<int> ddof = {};  ///< divide by N - ddof
  ndarray fweights = {};         ///< how often each observation counts: integers
  ndarray aweights = {};         ///< how much each observation counts
  cupyxx::dtype dtype = {};      ///< at least float64 unless given
};
/// Covariance matrix of variables; 0-d for a single one. Synchronises when there are weights.
CUPYXX_API ndarray cov(const ndarray& m, const CovOptions& options = {});

/// Options of corrcoef.
struct CorrcoefOptions {
  ndarray y = {};
  bool rowvar = true;
  cupyxx::dtype dtype = {};
};
/// Pearson's correlation coefficients of variables.
CUPYXX_API ndarray corrcoef(const ndarray& x, const CorrcoefOptions& options = {});

/// The number (int64) of the bin of each element: bins[i - 1] <= x < bins[i], with `right` the
/// upper edge belongs to a bin. Bins may fall instead of rise. Throws ValueError for others;
/// synchronises for that.
CUPYXX_API ndarray digitize(const ndarray& x, const ndarray& bins, bool right = false);

/// Options of histogram2d.
struct Histogram2dOptions {
  std::array<int, 2> bins = {10, 10};
  std::array<ndarray, 2> edges = {};  ///< given edges in place of equally wide bins
  std::optional<std::array<std::array<double, 2>, 2>> range = {};
  bool density = false;
  ndarray weights = {};
};
/// Counts (float64) and the edges along both axes.
struct Histogram2dResult {
  ndarray hist;
  ndarray x_edges;
  ndarray y_edges;
};
/// How many of the points (x, y) fall into each of a grid of bins. Synchronises.
CUPYXX_API Histogram2dResult histogram2d(const ndarray& x, const ndarray& y,
                                         const Histogram2dOptions& options = {});

/// Options of histogramdd. Lists hold one entry for all axes, or an entry per axis.
struct HistogramddOptions {
  std::vector<int> bins = {10};
  std::vector<ndarray> edges = {};  ///< given edges in place of equally wide bins; null for those
  std::vector<std::optional<std::pair<double, double>>> range = {};
  bool density = false;
  ndarray weights = {};
};
/// Counts (float64) and the edges along each axis.
struct HistogramddResult {
  ndarray hist;
  std::vector<ndarray> edges;
};
/// How many of the points, the rows of a matrix, fall into each of a grid of bins. Synchronises.
CUPYXX_API HistogramddResult histogramdd(const ndarray& sample,
                                         const HistogramddOptions& options = {});

}  // namespace cupyxx
