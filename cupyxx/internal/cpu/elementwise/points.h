// SPDX-License-Identifier: MIT
// Where numbers lie between sorted points: histograms and linear interpolation of whole arrays in
// one pass, without an array for each step.
#pragma once

#include <cstdint>

#include "cupyxx/dtype.h"

namespace cupyxx::internal::cpu {

/// Adds to `counts[i]`, i < bins, how many of the `n` contiguous elements of a real dtype lie in
/// [edges[i], edges[i + 1]), in the last bin also those on its upper edge. The `bins + 1` edges do
/// not fall and hold no NaN. Elements are compared as float64.
void count_bins(const char* elements, dtype type, std::int64_t n, const double* edges,
                std::int64_t bins, std::int64_t* counts);

/// The same with a weight for each element, whose sums are added to `sums` in the elements' order.
void weigh_bins(const char* elements, dtype type, const double* weights, std::int64_t n,
                const double* edges, std::int64_t bins, double* sums);

/// `count` points (x, y), x in ascending order, and the values to return to the left of the first
/// and to the right of the last.
struct Polyline {
  const double* x;
  const double* y;
  std::int64_t count;
  double left;
  double right;
};

/// out[i] is NumPy's interpolated value at at[i], for i < n.
void interpolate(const double* at, std::int64_t n, const Polyline& line, double* out);

}  // namespace cupyxx::internal::cpu
