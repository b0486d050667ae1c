// SPDX-License-Identifier: MIT
// Histograms whose number of bins is chosen from the data: NumPy's `bins="auto"`.
#pragma once

#include <string_view>

#include "cupyxx/ndarray.h"
#include "cupyxx/statistics.h"

namespace cupyxx {

/// The same for a number of bins by a rule: "auto", "fd" (Freedman and Diaconis), "doane", "scott",
/// "stone", "rice", "sturges" or "sqrt". Throws ValueError for other names, TypeError for weights.
/// Synchronises.
CUPYXX_API HistogramResult histogram(const ndarray& a, std::string_view bins,
                                     const HistogramOptions& options = {});
/// The edges of these bins alone.
CUPYXX_API ndarray histogram_bin_edges(const ndarray& a, std::string_view bins,
                                       const HistogramOptions& options = {});

}  // namespace cupyxx
