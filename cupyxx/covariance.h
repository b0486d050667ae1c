// SPDX-License-Identifier: MIT
// Covariance and correlation of variables. NumPy's chapter "Statistics". Included by statistics.h.
#pragma once

#include <concepts>
#include <optional>

#include "cupyxx/core/array_like.h"
#include "cupyxx/ndarray.h"
#include "cupyxx/statistics.h"

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
/// Of a list: `cov({{0, 1, 2}, {2, 1, 0}})`.
CUPYXX_API ndarray cov(const ArrayLike& m, const CovOptions& options = {});
/// With more variables in their place: `cov(x, y)`.
CUPYXX_API ndarray cov(const ArrayLike& m, const ArrayLike& y);
/// The options in NumPy's places: `cov(m, none, false)`, `cov(x, y, true, true)`.
template <std::same_as<bool> B>
ndarray cov(const ArrayLike& m, const ArrayLike& y, B rowvar, bool bias = false,
            std::optional<int> ddof = {}) {
  return cov(m.beside(y),
             CovOptions{.y = y.beside(m), .rowvar = rowvar, .bias = bias, .ddof = ddof});
}
template <std::same_as<bool> B>
ndarray cov(const ArrayLike& m, None, B rowvar, bool bias = false, std::optional<int> ddof = {}) {
  return cov(m.array(), CovOptions{.rowvar = rowvar, .bias = bias, .ddof = ddof});
}

/// Options of corrcoef.
struct CorrcoefOptions {
  ndarray y = {};
  bool rowvar = true;
  cupyxx::dtype dtype = {};
};
/// Pearson's correlation coefficients of variables.
CUPYXX_API ndarray corrcoef(const ndarray& x, const CorrcoefOptions& options = {});
CUPYXX_API ndarray corrcoef(const ArrayLike& x, const CorrcoefOptions& options = {});
CUPYXX_API ndarray corrcoef(const ArrayLike& x, const ArrayLike& y);
/// `rowvar` in NumPy's place: `corrcoef(m, none, false)`.
template <std::same_as<bool> B>
ndarray corrcoef(const ArrayLike& x, const ArrayLike& y, B rowvar) {
  return corrcoef(x.beside(y), CorrcoefOptions{.y = y.beside(x), .rowvar = rowvar});
}
template <std::same_as<bool> B>
ndarray corrcoef(const ArrayLike& x, None, B rowvar) {
  return corrcoef(x.array(), CorrcoefOptions{.rowvar = rowvar});
}

}  // namespace cupyxx
