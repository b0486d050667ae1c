// SPDX-License-Identifier: MIT
// Triangles and grids. NumPy's chapters "Building matrices" and "Numerical ranges". Included by
// creation.h.
#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>
#include <vector>

#include "cupyxx/core/array_like.h"
#include "cupyxx/core/array_tuple.h"
#include "cupyxx/creation.h"
#include "cupyxx/ndarray.h"

namespace cupyxx {

/// NumPy's `M=None`: `eye(3, none, 1)`, as many columns as rows.
template <std::same_as<None> N>
ndarray eye(internal::Int64 n, N, internal::Int64 k = 0, cupyxx::dtype dtype = float64,
            Choice<Order> order = Order::C) {
  return eye(n, -1, k, dtype, order);
}

/// N x M with ones on and below the k-th diagonal; M = -1 means N.
CUPYXX_API ndarray tri(internal::Int64 n, internal::Int64 m = -1, internal::Int64 k = 0,
                       cupyxx::dtype dtype = float64);
/// Options of tri.
struct TriOptions {
  std::int64_t M = -1;
  std::int64_t k = 0;
  cupyxx::dtype dtype = float64;
};
template <std::same_as<TriOptions> O = TriOptions>
ndarray tri(internal::Int64 n, const O& options) {
  return tri(n, options.M, options.k, options.dtype);
}
template <std::same_as<TriOptions> O = TriOptions>
ndarray tri(internal::Int64 n, internal::Int64 m, const O& options) {
  return tri(n, m, options.k, options.dtype);
}
template <std::same_as<DtypeOptions> O = DtypeOptions>
ndarray tri(internal::Int64 n, internal::Int64 m, internal::Int64 k, const O& options) {
  return tri(n, m, k, options.dtype);
}
/// A copy with zeros above the k-th diagonal of the last two axes.
CUPYXX_API ndarray tril(const ndarray& a, internal::Int64 k = 0);
/// A copy with zeros below the k-th diagonal of the last two axes.
CUPYXX_API ndarray triu(const ndarray& a, internal::Int64 k = 0);
/// Of lists: `tril({{1, 2}, {3, 4}})`.
inline ndarray tril(const ArrayLike& a, internal::Int64 k = 0) { return tril(a.array(), k); }
inline ndarray triu(const ArrayLike& a, internal::Int64 k = 0) { return triu(a.array(), k); }
template <std::same_as<DiagonalOptions> O = DiagonalOptions>
ndarray tril(const ArrayLike& a, const O& options) {
  return tril(a.array(), options.k);
}
template <std::same_as<DiagonalOptions> O = DiagonalOptions>
ndarray triu(const ArrayLike& a, const O& options) {
  return triu(a.array(), options.k);
}

/// Options of vander.
struct VanderOptions {
  std::int64_t N = -1;
  bool increasing = false;  ///< powers from 0 up
};
/// Powers of the elements of a 1-D array as columns, the highest first; as many as elements, or n.
CUPYXX_API ndarray vander(const ndarray& x, internal::Int64 n = -1,
                          const VanderOptions& options = {});
inline ndarray vander(const ArrayLike& x, internal::Int64 n = -1,
                      const VanderOptions& options = {}) {
  return vander(x.array(), n, options);
}
/// As NumPy's `vander(x, 3, True)`.
template <std::same_as<bool> B>
ndarray vander(const ArrayLike& x, internal::Int64 n, B increasing) {
  return vander(x.array(), n, VanderOptions{.increasing = increasing});
}
template <std::same_as<VanderOptions> O = VanderOptions>
ndarray vander(const ArrayLike& x, const O& options) {
  return vander(x.array(), options.N, options);
}

/// Which of meshgrid's first two arrays runs along the first axis: the second one, as in a picture
/// (xy), or the first, as in a matrix (ij).
enum class GridIndexing : std::uint8_t { xy, ij };
namespace internal {
template <>
struct Choices<GridIndexing> {
  static constexpr std::string_view kWhat = "indexing";
  static constexpr NamedValue<GridIndexing> kAll[] = {{"xy", GridIndexing::xy},
                                                      {"ij", GridIndexing::ij}};
};
}  // namespace internal
/// Options of meshgrid.
struct MeshgridOptions {
  bool copy = true;     ///< false: read-only views
  bool sparse = false;  ///< keeps axes of extent 1
  Choice<GridIndexing> indexing = GridIndexing::xy;
};
/// The coordinates of a grid, one array per axis.
CUPYXX_API Arrays meshgrid(std::span<const ndarray> arrays, const MeshgridOptions& options = {});
inline Arrays meshgrid(std::initializer_list<ndarray> arrays, const MeshgridOptions& options = {}) {
  return meshgrid(internal::as_span(arrays), options);
}
/// Of the arrays of a call: `auto [xx, yy] = meshgrid(x, y)`.
template <internal::PlainArray A, internal::PlainArray... More>
ArrayTuple<1 + sizeof...(More)> meshgrid(const A& first, const More&... more) {
  return internal::tuple_of<1 + sizeof...(More)>(meshgrid({first, more...}));
}
/// Of arrays with the indexing or options behind them: `meshgrid(x, y, "ij")`.
inline ArrayTuple<2> meshgrid(const ndarray& x, const ndarray& y, const MeshgridOptions& options) {
  return internal::tuple_of<2>(meshgrid({x, y}, options));
}
inline ArrayTuple<3> meshgrid(const ndarray& x, const ndarray& y, const ndarray& z,
                              const MeshgridOptions& options) {
  return internal::tuple_of<3>(meshgrid({x, y, z}, options));
}
template <std::convertible_to<std::string_view> T>
ArrayTuple<2> meshgrid(const ndarray& x, const ndarray& y, const T& indexing) {
  return meshgrid(x, y,
                  MeshgridOptions{.indexing = internal::named<GridIndexing>(indexing, "meshgrid")});
}
template <std::convertible_to<std::string_view> T>
ArrayTuple<3> meshgrid(const ndarray& x, const ndarray& y, const ndarray& z, const T& indexing) {
  return meshgrid(x, y, z,
                  MeshgridOptions{.indexing = internal::named<GridIndexing>(indexing, "meshgrid")});
}
/// Of two lists: `meshgrid({0, 1, 2}, {0, 1})`.
inline ArrayTuple<2> meshgrid(const ArrayLike& x, const ArrayLike& y,
                              const MeshgridOptions& options = {}) {
  return meshgrid(x.beside(y), y.beside(x), options);
}

}  // namespace cupyxx
