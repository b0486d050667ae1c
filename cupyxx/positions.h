// SPDX-License-Identifier: MIT
// Arrays of indices. NumPy's chapter "Indexing routines: generating index arrays". What is a tuple
// with an array per axis there is a vector here.
#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <vector>

#include "cupyxx/indexing.h"
#include "cupyxx/ndarray.h"
#include "cupyxx/scalar.h"

namespace cupyxx {

/// The index of every element along each axis: shape (ndim, extents...).
CUPYXX_API ndarray indices(const Shape& shape, cupyxx::dtype dtype = int64);
/// Options of indices.
struct IndicesOptions {
  cupyxx::dtype dtype = int64;
};
template <std::same_as<IndicesOptions> O = IndicesOptions>
ndarray indices(const Shape& shape, const O& options) {
  return indices(shape, options.dtype);
}
/// The same as one array per axis, each with its own axis only (NumPy's `sparse=True`).
CUPYXX_API std::vector<ndarray> indices_sparse(const Shape& shape, cupyxx::dtype dtype = int64);
/// A range along one axis of a grid: numbers from `start` up to `stop`, without it, in steps.
struct GridRange {
  Scalar start = 0;
  Scalar stop;
  Scalar step = 1;
  /// Instead of a step: so many numbers, `stop` included (NumPy's imaginary step). They are
  /// float64.
  std::optional<std::int64_t> points = {};
};
/// The grid of some ranges, NumPy's `mgrid[a:b, c:d:n*1j]`: shape (ranges, numbers of each...), and
/// for a single range the range itself. The dtype is common to all.
CUPYXX_API ndarray mgrid(std::span<const GridRange> ranges);
inline ndarray mgrid(std::initializer_list<GridRange> ranges) {
  return mgrid(std::span(ranges.begin(), ranges.size()));
}
/// The same as one array per range, each with its own axis only.
CUPYXX_API std::vector<ndarray> ogrid(std::span<const GridRange> ranges);
inline std::vector<ndarray> ogrid(std::initializer_list<GridRange> ranges) {
  return ogrid(std::span(ranges.begin(), ranges.size()));
}

/// 1-D arrays, each along an axis of its own, so that `a(ix[0], ix[1])` takes a grid. Masks become
/// the positions of their true elements, which synchronises.
CUPYXX_API std::vector<ndarray> ix_(std::span<const ndarray> arrays);
inline std::vector<ndarray> ix_(std::initializer_list<ndarray> arrays) {
  return ix_(std::span(arrays.begin(), arrays.size()));
}

/// The indices along each axis of positions in an array of `shape` that is read in an order (C or
/// F). Throws ValueError for positions outside of it; synchronises for that.
CUPYXX_API std::vector<ndarray> unravel_index(const ndarray& positions, const Shape& shape,
                                              Order order = Order::C);

/// Options of ravel_multi_index.
struct RavelOptions {
  IndexMode mode = IndexMode::raise;
  Order order = Order::C;
};
/// The positions that indices along each axis mean; they broadcast. Mode `raise` throws ValueError
/// for indices outside of their axis and synchronises for that.
CUPYXX_API ndarray ravel_multi_index(std::span<const ndarray> indices, const Shape& shape,
                                     const RavelOptions& options = {});
inline ndarray ravel_multi_index(std::initializer_list<ndarray> indices, const Shape& shape,
                                 const RavelOptions& options = {}) {
  return ravel_multi_index(std::span(indices.begin(), indices.size()), shape, options);
}

/// The main diagonal of an array with `ndim` axes of extent n.
CUPYXX_API std::vector<ndarray> diag_indices(std::int64_t n, int ndim = 2);
/// That of an array, whose axes must be equally long and at least two.
CUPYXX_API std::vector<ndarray> diag_indices_from(const ndarray& a);
/// The elements on and below the k-th diagonal of an N x M matrix; M = -1 means N. Synchronises.
CUPYXX_API std::vector<ndarray> tril_indices(std::int64_t n, std::int64_t k = 0,
                                             std::int64_t m = -1);
/// Those on and above it. Synchronises.
CUPYXX_API std::vector<ndarray> triu_indices(std::int64_t n, std::int64_t k = 0,
                                             std::int64_t m = -1);
/// The same for the shape of a matrix. Synchronises.
CUPYXX_API std::vector<ndarray> tril_indices_from(const ndarray& a, std::int64_t k = 0);
CUPYXX_API std::vector<ndarray> triu_indices_from(const ndarray& a, std::int64_t k = 0);

/// Writes to the main diagonal, repeating `values`; with `wrap` the diagonal of a tall matrix
/// starts again below its end.
CUPYXX_API void fill_diagonal(const ndarray& a, const Operand& values, bool wrap = false);

}  // namespace cupyxx
