// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "cupyxx/core/arrays.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/math.h"
#include "cupyxx/reduction.h"
#include "cupyxx/statistics.h"

namespace cupyxx {

namespace {

// What the rules look at: the elements within the range, as float64.
struct Data {
  ndarray x;
  double first, last;  // of the bins

  double count() const { return static_cast<double>(x.size()); }
  double spread() const { return amax(x).item<double>() - amin(x).item<double>(); }
};

double width_sqrt(const Data& d) { return d.spread() / std::sqrt(d.count()); }
double width_sturges(const Data& d) { return d.spread() / (std::log2(d.count()) + 1); }
double width_rice(const Data& d) { return d.spread() / (2 * std::cbrt(d.count())); }
double width_scott(const Data& d) {
  constexpr double kRootPi = 1.7724538509055160273;
  return std::cbrt(24 * kRootPi / d.count()) * cupyxx::std(d.x).item<double>();
}
double width_fd(const Data& d) {
  const auto quarters = percentile(d.x, array({75, 25})).to_vector<double>();
  return 2 * (quarters[0] - quarters[1]) / std::cbrt(d.count());
}
double width_doane(const Data& d) {
  const double n = d.count();
  const auto sigma = cupyxx::std(d.x).item<double>();
  if (n <= 2 || !(sigma > 0)) return 0;
  const double deviation = std::sqrt(6 * (n - 2) / ((n + 1) * (n + 3)));
  const ndarray scaled = divide(subtract(d.x, mean(d.x)), sigma);
  const auto skewness = mean(multiply(square(scaled), scaled)).item<double>();
  return d.spread() / (1 + std::log2(n) + std::log2(1 + std::fabs(skewness) / deviation));
}
// The number of bins with the least estimated squared error.
double width_stone(const Data& d) {
  const double n = d.count(), spread = d.spread();
  if (n <= 1 || spread == 0) return 0;
  const int most = std::max(100, static_cast<int>(std::sqrt(n)));
  int best = 1;
  double least = 0;
  for (int bins = 1; bins <= most; ++bins) {
    const ndarray counts = histogram(d.x, bins, {.range = std::pair{d.first, d.last}}).hist;
    const auto squares = sum(square(counts.astype(float64))).item<double>() / (n * n);
    const double error = (2 - (n + 1) * squares) / (spread / bins);
    if (bins == 1 || error < least) {
      least = error;
      best = bins;
    }
  }
  return spread / best;
}
double width_auto(const Data& d) {
  const double fd = width_fd(d), sturges = width_sturges(d);
  return fd != 0 ? std::min(fd, sturges) : sturges;
}

struct Rule {
  std::string_view name;
  double (*width)(const Data&);
};
constexpr Rule kRules[] = {{"auto", width_auto},       {"fd", width_fd},
                           {"doane", width_doane},     {"scott", width_scott},
                           {"stone", width_stone},     {"rice", width_rice},
                           {"sturges", width_sturges}, {"sqrt", width_sqrt}};

int count_bins(const ndarray& a, std::string_view bins, const HistogramOptions& options) {
  internal::check_not_none("histogram", a);
  const Rule* rule = std::find_if(std::begin(kRules), std::end(kRules),
                                  [&](const Rule& r) { return r.name == bins; });
  if (rule == std::end(kRules)) {
    throw ValueError(message("histogram: '", bins, "' is not a valid estimator for bins"));
  }
  if (!options.weights.is_none()) {
    throw TypeError(message(
        "histogram: the number of bins cannot be estimated for weighted data; '", bins, "'"));
  }
  if (a.dtype().is_complex()) {
    throw DtypeError(message("histogram: no loop for ", a.dtype().name()));
  }
  const DeviceScope scope(a.device());
  // The rules for ranges are those of histogram itself.
  const ndarray edges = histogram_bin_edges(a, 1, {.range = options.range});
  Data data{a.ravel().astype(float64), edges(0).item<double>(), edges(-1).item<double>()};
  if (options.range) {
    data.first = options.range->first;
    data.last = options.range->second;
    if (data.first == data.last) {
      data.first -= 0.5;
      data.last += 0.5;
    }
    const ndarray inside =
        logical_and(greater_equal(data.x, data.first), less_equal(data.x, data.last));
    data.x = data.x(inside);
  }
  if (data.x.size() == 0) return 1;
  const double width = rule->width(data);
  if (!(width > 0)) return 1;
  const double count = std::ceil((data.last - data.first) / width);
  if (!(count < 2147483647)) {
    throw ValueError(message("histogram: too many bins; '", bins, "' asks for ", Scalar(count)));
  }
  return std::max(1, static_cast<int>(count));
}

}  // namespace

HistogramResult internal::histogram_by_rule(const ndarray& a, std::string_view bins,
                                            const HistogramOptions& options) {
  return histogram(a, count_bins(a, bins, options), options);
}

ndarray internal::bin_edges_by_rule(const ndarray& a, std::string_view bins,
                                    const HistogramOptions& options) {
  return histogram_bin_edges(a, count_bins(a, bins, options), options);
}

HistogramResult internal::histogram_by_name(const ndarray& a,
                                            const NamedHistogramOptions& options) {
  const HistogramOptions rest{
      .range = options.range, .density = options.density, .weights = options.weights.beside(a)};
  if (!options.bins.rule().empty()) return histogram_by_rule(a, options.bins.rule(), rest);
  if (!options.bins.edges().is_none()) return histogram(a, options.bins.edges().beside(a), rest);
  return histogram(a, options.bins.count(), rest);
}

ndarray internal::bin_edges_by_name(const ndarray& a, const NamedHistogramOptions& options) {
  const HistogramOptions rest{.range = options.range, .weights = options.weights.beside(a)};
  if (!options.bins.rule().empty()) return bin_edges_by_rule(a, options.bins.rule(), rest);
  if (!options.bins.edges().is_none()) {
    return histogram(a, options.bins.edges().beside(a), rest).bin_edges;
  }
  return histogram_bin_edges(a, options.bins.count(), rest);
}

}  // namespace cupyxx
