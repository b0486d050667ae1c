// SPDX-License-Identifier: MIT
// Names that NumPy 2 and the array API standard have for what NumPy 1 calls otherwise, and what
// they add: concat, permute_dims, vecdot, unstack, cumulative_sum, unique_values, isdtype, ...
// Their linear algebra is in array_api_linalg.h.
#pragma once

#include <concepts>
#include <initializer_list>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "cupyxx/linalg.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/math.h"
#include "cupyxx/ndarray.h"

namespace cupyxx {

// Elementwise operations.
/// Same as arccos.
inline constexpr Ufunc<ops::Arccos> acos{};
/// Same as arccosh.
inline constexpr Ufunc<ops::Arccosh> acosh{};
/// Same as arcsin.
inline constexpr Ufunc<ops::Arcsin> asin{};
/// Same as arcsinh.
inline constexpr Ufunc<ops::Arcsinh> asinh{};
/// Same as arctan.
inline constexpr Ufunc<ops::Arctan> atan{};
/// Same as arctanh.
inline constexpr Ufunc<ops::Arctanh> atanh{};
/// Same as arctan2.
inline constexpr Ufunc<ops::Arctan2, 2> atan2{};
/// Same as power.
inline constexpr Ufunc<ops::Power, 2> pow{};
/// Same as left_shift.
inline constexpr Ufunc<ops::LeftShift, 2> bitwise_left_shift{};
/// Same as right_shift.
inline constexpr Ufunc<ops::RightShift, 2> bitwise_right_shift{};
/// Same as invert.
inline constexpr Ufunc<ops::Invert> bitwise_invert{};

// Shapes.
/// Same as concatenate.
inline ndarray concat(std::span<const ndarray> arrays, internal::Int axis = 0) {
  return concatenate(arrays, axis);
}
inline ndarray concat(std::initializer_list<internal::ListedArray> arrays, internal::Int axis = 0) {
  return concatenate(internal::as_span(arrays), axis);
}
inline ndarray concat(std::span<const ndarray> arrays, const Axes& axis,
                      const JoinOptions& options) {
  return concatenate(arrays, axis, options);
}
inline ndarray concat(std::initializer_list<internal::ListedArray> arrays, const Axes& axis,
                      const JoinOptions& options) {
  return concatenate(internal::as_span(arrays), axis, options);
}
template <std::same_as<JoinOptions> O = JoinOptions>
ndarray concat(std::span<const ndarray> arrays, O options) {
  return concatenate(arrays, std::move(options));
}
template <std::same_as<JoinOptions> O = JoinOptions>
ndarray concat(std::initializer_list<internal::ListedArray> arrays, const O& options) {
  return concatenate(internal::as_span(arrays), options);
}
/// A view with permuted axes: transpose(a, axes).
CUPYXX_API ndarray permute_dims(const ndarray& a, const Shape& axes);
/// A view with the last two axes exchanged. Throws ValueError for fewer than two.
CUPYXX_API ndarray matrix_transpose(const ndarray& x);
/// The views along an axis: the opposite of stack. Throws AxisError, also for a 0-d array.
CUPYXX_API Arrays unstack(const ndarray& x, internal::Int axis = 0);
template <std::same_as<AxisOptions> O = AxisOptions>
Arrays unstack(const ndarray& x, O options) {
  return unstack(x, internal::take_axis("unstack", options.axis, 0));
}

/// Sums of products over one axis of both, which broadcast; the first is conjugated. Throws
/// ShapeError where the axes differ in length.
CUPYXX_API ndarray vecdot(const ndarray& a, const ndarray& b, internal::Int axis = -1);
template <std::same_as<AxisOptions> O = AxisOptions>
ndarray vecdot(const ndarray& a, const ndarray& b, O options) {
  return vecdot(a, b, internal::take_axis("vecdot", options.axis, -1));
}
/// The products of matrices and vectors, or of vectors (conjugated) and matrices: the last axes.
CUPYXX_API ndarray matvec(const ndarray& a, const ndarray& x);
CUPYXX_API ndarray vecmat(const ndarray& x, const ndarray& a);

/// Options of cumulative_sum and cumulative_prod.
struct CumulativeOptions {
  std::optional<int> axis = {};  ///< may be left out for 1-D arrays only
  cupyxx::dtype dtype = {};
  ndarray out = {};
  bool include_initial = false;  ///< begins with 0, or with 1: one element more
};
/// Running sums along an axis; dtypes as of sum. Throws ValueError without an axis unless `x` has
/// one, and for an `out` of another shape.
CUPYXX_API ndarray cumulative_sum(const ndarray& x, const CumulativeOptions& options = {});
/// Running products.
CUPYXX_API ndarray cumulative_prod(const ndarray& x, const CumulativeOptions& options = {});

/// What unique_all makes. Unlike `unique`, NaN are distinct from each other.
struct UniqueAllResult {
  ndarray values;           ///< sorted
  ndarray indices;          ///< where each stood first in the flattened array
  ndarray inverse_indices;  ///< which of `values` each element is, in the array's shape
  ndarray counts;
};
/// What unique_counts found.
struct UniqueCountsResult {
  ndarray values;
  ndarray counts;
};
/// What unique_inverse found.
struct UniqueInverseResult {
  ndarray values;
  ndarray inverse_indices;  ///< in the array's shape
};
/// The distinct elements with all that is known of them. Synchronises.
CUPYXX_API UniqueAllResult unique_all(const ndarray& x);
/// The distinct elements and how often each occurs. Synchronises.
CUPYXX_API UniqueCountsResult unique_counts(const ndarray& x);
/// The distinct elements and which of them each element is. Synchronises.
CUPYXX_API UniqueInverseResult unique_inverse(const ndarray& x);
/// The distinct elements, sorted. Synchronises.
CUPYXX_API ndarray unique_values(const ndarray& x);

/// Same as trapz.
inline ndarray trapezoid(const ndarray& y, const TrapzOptions& options = {}) {
  return trapz(y, options);
}
CUPYXX_API ndarray trapezoid(const ArrayLike& y, const ArrayLike& x, double dx = 1,
                             internal::Int axis = -1);

// Dtypes.
/// A kind for isdtype: a dtype, or "bool", "signed integer", "unsigned integer", "integral", "real
/// floating", "complex floating", "numeric".
class DtypeKindArgument {
 public:
  template <class T>
  requires std::is_same_v<T, dtype> DtypeKindArgument(
      T type)  // NOLINT(google-explicit-constructor)
      : type_(type) {}
  template <class T>
  requires(std::is_convertible_v<const T&, std::string_view>)
      DtypeKindArgument(const T& kind)  // NOLINT(google-explicit-constructor)
      : kind_(kind) {}
  cupyxx::dtype type() const { return type_; }
  std::string_view kind() const { return kind_; }

 private:
  cupyxx::dtype type_;
  std::string_view kind_;
};
/// Whether a dtype is of a kind, or of one of several. bfloat16 is "real floating". Throws
/// ValueError for another text.
CUPYXX_API bool isdtype(dtype type, const DtypeKindArgument& kind);
CUPYXX_API bool isdtype(dtype type, std::initializer_list<DtypeKindArgument> kinds);

/// The elements as a dtype; the array itself where nothing changes and `copy` is false.
inline ndarray astype(const ndarray& x, cupyxx::dtype dtype, bool copy = true) {
  return x.astype(dtype, copy);
}
inline ndarray astype(const ndarray& x, cupyxx::dtype dtype, const AstypeOptions& options) {
  return x.astype(dtype, options);
}

}  // namespace cupyxx

// ---- The `linalg` of NumPy 2 and the array API standard, beside decomposition.h and
// matrix_functions.h: its functions take stacks of matrices in the last two axes.

namespace cupyxx::linalg {

using cupyxx::matmul;
using cupyxx::matrix_transpose;
using cupyxx::tensordot;
using cupyxx::vecdot;

/// Options of vector_norm.
struct VectorNormOptions {
  Axes axis = {};  ///< over which each vector lies; none: all axes
  bool keepdims = false;
  Order ord = 2;
};
/// Norm of vectors, which may lie over several axes; by default the 2-norm of all elements.
CUPYXX_API ndarray vector_norm(const ndarray& x, const VectorNormOptions& options = {});

/// Options of matrix_norm.
struct MatrixNormOptions {
  bool keepdims = false;
  Order ord = "fro";
};
/// Norm of the matrices in the last two axes. Throws ValueError for fewer axes.
CUPYXX_API ndarray matrix_norm(const ndarray& x, const MatrixNormOptions& options = {});

/// The diagonals of the matrices in the last two axes: a read-only view. Throws ValueError for
/// fewer axes.
CUPYXX_API ndarray diagonal(const ndarray& x, internal::Int offset = 0);
/// Their sums.
CUPYXX_API ndarray trace(const ndarray& x, internal::Int offset = 0, cupyxx::dtype dtype = {});
/// All products of two vectors. Throws ValueError for other ranks.
CUPYXX_API ndarray outer(const ndarray& x1, const ndarray& x2);
/// Cross product of vectors with three components along an axis. Throws ValueError for others.
CUPYXX_API ndarray cross(const ndarray& x1, const ndarray& x2, internal::Int axis = -1);
/// Singular values, largest first.
CUPYXX_API ndarray svdvals(const ndarray& x);

}  // namespace cupyxx::linalg
