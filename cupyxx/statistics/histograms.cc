// SPDX-License-Identifier: MIT
// Histograms over several axes: the bin of a point is one place in a grid, and places are counted.

#include "cupyxx/core/arrays.h"
#include "cupyxx/core/parts.h"
#include "cupyxx/core/rows.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/math.h"
#include "cupyxx/reduction.h"
#include "cupyxx/sorting.h"
#include "cupyxx/statistics.h"

namespace cupyxx {

namespace {

// What histogramdd was told of one axis.
struct Bins {
  int count;
  ndarray edges;  // null: `count` of equal width
  std::optional<std::pair<double, double>> range;
};

ndarray checked_edges(const char* operation, const ndarray& edges) {
  if (edges.ndim() != 1) {
    throw ValueError(message(operation, ": the edges of the bins must be 1-D; ", edges.shape()));
  }
  if (any(less(diff(edges), 0)).item<bool>()) {
    throw ValueError(
        message(operation, ": the edges of the bins must increase; shape ", edges.shape()));
  }
  return edges;
}

ndarray edges_of(const char* operation, const ndarray& x, const Bins& bins) {
  if (!bins.edges.is_none()) return checked_edges(operation, bins.edges);
  if (bins.count < 1) {
    throw ValueError(message(operation, ": the number of bins must be positive; ", bins.count));
  }
  if (bins.range && bins.range->first > bins.range->second) {
    throw ValueError(message(operation, ": the range ends before it begins; (",
                             Scalar(bins.range->first), ", ", Scalar(bins.range->second), ")"));
  }
  // The rules for ranges are those of one axis.
  const ndarray edges = histogram(x, bins.count, {.range = bins.range}).bin_edges;
  const auto first = edges(0).item<double>(), last = edges(-1).item<double>();
  const bool of_data = !bins.range && x.dtype().is_floating();
  return linspace(first, last, bins.count + 1, {.dtype = of_data ? x.dtype() : float64});
}

// The bin of each element: 0 before the first edge, the number of edges behind the last.
ndarray bin_numbers(const ndarray& x, const ndarray& edges) {
  const ndarray bin = searchsorted(edges, x, {.side = SearchSide::right});
  return subtract(bin, equal(x, edges(-1)).astype(int64));
}

// Counts per volume, divided by all.
ndarray density_of(const ndarray& hist, const std::vector<ndarray>& edges) {
  const ndarray total = sum(hist);
  ndarray result = hist;
  for (int axis = 0; axis < hist.ndim(); ++axis) {
    Shape widths;
    for (int i = 0; i < hist.ndim(); ++i) widths.push_back(i == axis ? -1 : 1);
    result = divide(result, diff(edges[static_cast<std::size_t>(axis)]).reshape(widths));
  }
  return divide(result, total);
}

HistogramddResult count(const char* operation, const ndarray& sample, const std::vector<Bins>& bins,
                        const ndarray& weights, bool density) {
  if (!weights.is_none() && !(weights.shape() == Shape{sample.shape()[0]})) {
    throw ValueError(message(operation, ": there must be a weight for each point, ",
                             sample.shape()[0], "; ", weights.shape()));
  }
  const DeviceScope scope(sample.device());
  std::vector<ndarray> edges;
  Shape grid;
  ndarray place = zeros({sample.shape()[0]}, int64);
  for (std::size_t axis = 0; axis < bins.size(); ++axis) {
    const ndarray x = sample(slice(), static_cast<std::int64_t>(axis));
    edges.push_back(edges_of(operation, x, bins[axis]));
    grid.push_back(edges.back().size() + 1);
    place = add(multiply(place, grid.back()), bin_numbers(x, edges.back()));
  }
  ndarray hist = bincount(place, {.weights = weights, .minlength = grid.element_count()})
                     .astype(float64, false)
                     .reshape(grid);
  // Without the points beyond the edges.
  for (int axis = 0; axis < grid.ndim(); ++axis) hist = internal::part(hist, axis, 1, -1);
  return {density ? density_of(hist, edges) : hist.copy(), edges};
}

template <class T>
const T& of_axis(const std::vector<T>& given, std::size_t axis) {
  return given.size() == 1 ? given[0] : given[axis];
}

void check_per_axis(const char* what, std::size_t given, std::int64_t axes) {
  if (given <= 1 || given == static_cast<std::size_t>(axes)) return;
  throw ValueError(message("histogramdd: the ", what,
                           " must be as many as the axes of the sample, ", axes, "; ", given));
}

}  // namespace

ndarray HistogramResult::operator[](internal::Int part) const {
  return internal::part_of("histogram", {&hist, &bin_edges}, part);
}
ndarray Histogram2dResult::operator[](internal::Int part) const {
  return internal::part_of("histogram2d", {&hist, &x_edges, &y_edges}, part);
}

HistogramddResult histogramdd(const ndarray& sample, const HistogramddOptions& options) {
  internal::check_computable("histogramdd", sample);
  if (sample.ndim() < 1 || sample.ndim() > 2) {
    throw ValueError(
        message("histogramdd: the sample must be a matrix with a point per row; ", sample.shape()));
  }
  const ndarray points = sample.ndim() == 2 ? sample : expand_dims(sample, 1);
  const std::int64_t axes = points.shape()[1];
  if (axes > kMaxNdim) {
    throw ValueError(
        message("histogramdd: a point has at most ", kMaxNdim, " coordinates; ", axes));
  }
  check_per_axis("bins", options.bins.size(), axes);
  if (options.bins.empty()) throw ValueError("histogramdd: bins are empty; 0");
  check_per_axis("edges", options.edges.size(), axes);
  check_per_axis("ranges", options.range.size(), axes);
  std::vector<Bins> bins;
  for (std::size_t axis = 0; axis < static_cast<std::size_t>(axes); ++axis) {
    bins.push_back({of_axis(options.bins, axis),
                    options.edges.empty() ? ndarray() : of_axis(options.edges, axis),
                    {}});
    if (!options.range.empty()) bins.back().range = of_axis(options.range, axis);
  }
  return count("histogramdd", points, bins, options.weights.beside(sample), options.density);
}

Histogram2dResult histogram2d(const ndarray& x, const ndarray& y,
                              const Histogram2dOptions& options) {
  internal::check_computable("histogram2d", x);
  internal::check_computable("histogram2d", y);
  internal::common_device("histogram2d", x, y);
  if (x.ndim() != 1 || y.ndim() != 1 || x.size() != y.size()) {
    throw ValueError(
        message("histogram2d: x and y must be 1-D of one length; ", x.shape(), " and ", y.shape()));
  }
  std::vector<Bins> bins;
  for (std::size_t axis = 0; axis < 2; ++axis) {
    bins.push_back({options.bins[axis], options.edges[axis], {}});
    if (options.range) bins[axis].range = (*options.range)[axis].range();
  }
  const HistogramddResult found =
      count("histogram2d", stack({x, y}, 1), bins, options.weights.beside(x), options.density);
  return {found.hist, found.edges[0], found.edges[1]};
}

Histogram2dResult histogram2d(const ndarray& x, const ndarray& y,
                              std::initializer_list<ndarray> edges) {
  if (edges.size() == 1) return histogram2d(x, y, *edges.begin());
  if (edges.size() != 2) {
    throw ValueError(
        message("histogram2d: the edges are two arrays, of x and of y; ", edges.size()));
  }
  return histogram2d(x, y, Histogram2dOptions{.edges = {edges.begin()[0], edges.begin()[1]}});
}

Histogram2dResult internal::histogram2d_by(const ndarray& x, const ndarray& y,
                                           const ndarray& bins) {
  check_not_none("histogram2d", bins);
  if (bins.ndim() == 2 && bins.shape(0) == 2) return histogram2d(x, y, {bins(0), bins(1)});
  if (bins.ndim() != 1 || bins.size() == 1) {
    throw ValueError(message(
        "histogram2d: bins are a number, two of them, the edges along both axes or two arrays of "
        "edges; shape ",
        bins.shape()));
  }
  if (bins.size() != 2) return histogram2d(x, y, Histogram2dOptions{.edges = {bins, bins}});
  if (!bins.dtype().is_integer()) {
    throw TypeError(message("histogram2d: two bins are numbers of bins, integers; ", bins,
                            "; edges of one bin are .edges"));
  }
  return histogram2d(x, y, Histogram2dOptions{.bins = {bins(0).item<int>(), bins(1).item<int>()}});
}

}  // namespace cupyxx
