// SPDX-License-Identifier: MIT
// Reductions over any axes: sums, products, extremes, truth, positions. NumPy's chapters "Sums,
// products, differences", "Order statistics", "Averages and variances" and "Truth value testing".
#pragma once

#include <optional>

#include "cupyxx/ndarray.h"

namespace cupyxx {

/// Options of sum and prod.
struct SumOptions {
  cupyxx::dtype dtype = {};  ///< of the result; small integers become 64-bit
  ndarray out = {};
  bool keepdims = false;
  std::optional<Scalar> initial = {};  ///< starts the reduction
  ndarray where = {};                  ///< bool: elements that count
};

/// Options of mean.
struct MeanOptions {
  cupyxx::dtype dtype = {};
  ndarray out = {};
  bool keepdims = false;
  ndarray where = {};
};

/// Options of var and std.
struct VarOptions {
  cupyxx::dtype dtype = {};
  ndarray out = {};
  double ddof = 0;  ///< the divisor is N - ddof
  bool keepdims = false;
  ndarray where = {};  ///< bool: elements that count
};

/// Options of amax and amin.
struct MaxOptions {
  ndarray out = {};
  bool keepdims = false;
  std::optional<Scalar> initial = {};
  ndarray where = {};
};

/// Options of all and any.
struct AllOptions {
  ndarray out = {};
  bool keepdims = false;
  ndarray where = {};
};

/// Options of argmax and argmin.
struct ArgOptions {
  ndarray out = {};
  bool keepdims = false;
};

/// Sum; bool and small integers are summed as 64-bit integers. float16 accumulates in float32.
CUPYXX_API ndarray sum(const ndarray& a, const Axes& axes = {}, const SumOptions& options = {});
/// Product, with the dtypes of sum.
CUPYXX_API ndarray prod(const ndarray& a, const Axes& axes = {}, const SumOptions& options = {});
/// Arithmetic mean; integers give float64.
CUPYXX_API ndarray mean(const ndarray& a, const Axes& axes = {}, const MeanOptions& options = {});
/// Variance: the mean of the squared distances to the mean, with divisor N - ddof.
CUPYXX_API ndarray var(const ndarray& a, const Axes& axes = {}, const VarOptions& options = {});
/// Standard deviation.
CUPYXX_API ndarray std(const ndarray& a, const Axes& axes = {}, const VarOptions& options = {});
/// Largest element; NaN wins. Throws ValueError for a zero-size reduction without `initial`.
CUPYXX_API ndarray amax(const ndarray& a, const Axes& axes = {}, const MaxOptions& options = {});
/// Smallest element; NaN wins. Throws ValueError for a zero-size reduction without `initial`.
CUPYXX_API ndarray amin(const ndarray& a, const Axes& axes = {}, const MaxOptions& options = {});
/// NumPy's other names of amax and amin.
inline ndarray max(const ndarray& a, const Axes& axes = {}, const MaxOptions& options = {}) {
  return amax(a, axes, options);
}
inline ndarray min(const ndarray& a, const Axes& axes = {}, const MaxOptions& options = {}) {
  return amin(a, axes, options);
}
/// Whether all elements are true; true for none.
CUPYXX_API ndarray all(const ndarray& a, const Axes& axes = {}, const AllOptions& options = {});
/// Whether any element is true; false for none.
CUPYXX_API ndarray any(const ndarray& a, const Axes& axes = {}, const AllOptions& options = {});
/// Position (int64) of the first largest element along one axis, or in the flattened array.
CUPYXX_API ndarray argmax(const ndarray& a, const Axes& axis = {}, const ArgOptions& options = {});
/// Position (int64) of the first smallest element along one axis, or in the flattened array.
CUPYXX_API ndarray argmin(const ndarray& a, const Axes& axis = {}, const ArgOptions& options = {});
/// Number of nonzero elements. Synchronises.
CUPYXX_API std::int64_t count_nonzero(const ndarray& a);
/// Numbers of nonzero elements (int64) along axes.
CUPYXX_API ndarray count_nonzero(const ndarray& a, const Axes& axes, bool keepdims = false);

}  // namespace cupyxx
