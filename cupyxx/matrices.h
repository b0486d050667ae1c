// SPDX-License-Identifier: MIT
// Triangles and grids. NumPy's chapters "Building matrices" and "Numerical ranges".
#pragma once

#include <concepts>
#include <cstdint>
#include <span>
#include <vector>

#include "cupyxx/ndarray.h"

namespace cupyxx {

/// N x M with ones on and below the k-th diagonal; M = -1 means N.
CUPYXX_API ndarray tri(std::int64_t n, std::int64_t m = -1, std::int64_t k = 0,
                       cupyxx::dtype dtype = float64);
/// Options of tri.
struct TriOptions {
  std::int64_t k = 0;
  cupyxx::dtype dtype = float64;
};
template <std::same_as<TriOptions> O = TriOptions>
ndarray tri(std::int64_t n, const O& options) {
  return tri(n, -1, options.k, options.dtype);
}
template <std::same_as<TriOptions> O = TriOptions>
ndarray tri(std::int64_t n, std::int64_t m, const O& options) {
  return tri(n, m, options.k, options.dtype);
}
/// A copy with zeros above the k-th diagonal of the last two axes.
CUPYXX_API ndarray tril(const ndarray& a, std::int64_t k = 0);
/// A copy with zeros below the k-th diagonal of the last two axes.
CUPYXX_API ndarray triu(const ndarray& a, std::int64_t k = 0);

/// Options of vander.
struct VanderOptions {
  bool increasing = false;  ///< powers from 0 up
};
/// Powers of the elements of a 1-D array as columns, the highest first; as many as elements, or n.
CUPYXX_API ndarray vander(const ndarray& x, std::int64_t n = -1, const VanderOptions& options = {});

/// Options of meshgrid.
struct MeshgridOptions {
  bool copy = true;              ///< false: read-only views
  bool sparse = false;           ///< keeps axes of extent 1
  bool matrix_indexing = false;  ///< NumPy's indexing = "ij"; otherwise "xy"
};
/// The coordinates of a grid, one array per axis.
CUPYXX_API std::vector<ndarray> meshgrid(std::span<const ndarray> arrays,
                                         const MeshgridOptions& options = {});
inline std::vector<ndarray> meshgrid(std::initializer_list<ndarray> arrays,
                                     const MeshgridOptions& options = {}) {
  return meshgrid(std::span(arrays.begin(), arrays.size()), options);
}

}  // namespace cupyxx
