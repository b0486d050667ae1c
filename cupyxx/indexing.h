// SPDX-License-Identifier: MIT
// Picking elements. NumPy's chapter "Indexing routines".
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "cupyxx/core/array_like.h"
#include "cupyxx/core/array_tuple.h"
#include "cupyxx/core/number_argument.h"
#include "cupyxx/ndarray.h"
#include "cupyxx/scalar.h"
#include "cupyxx/shape.h"

namespace cupyxx {

/// What happens to an index outside of its axis.
enum class IndexMode : std::uint8_t {
  raise,  ///< IndexError; on a device at the next synchronising call
  wrap,   ///< taken modulo the extent
  clip,   ///< moved to the nearest end
};
namespace internal {
template <>
struct Choices<IndexMode> {
  static constexpr std::string_view kWhat = "mode";
  static constexpr NamedValue<IndexMode> kAll[] = {
      {"raise", IndexMode::raise}, {"wrap", IndexMode::wrap}, {"clip", IndexMode::clip}};
};
}  // namespace internal

/// Options of take.
struct TakeOptions {
  Axes axis = Axes::missing();
  ndarray out = {};
  Choice<IndexMode> mode = IndexMode::raise;
};

/// Elements of the flattened array at `indices`.
CUPYXX_API ndarray take(const ndarray& a, const ndarray& indices);
CUPYXX_API ndarray take(const ndarray& a, const ndarray& indices, const TakeOptions& options);
/// Slices of `a` along `axis` at `indices`.
CUPYXX_API ndarray take(const ndarray& a, const ndarray& indices, internal::Int axis,
                        const TakeOptions& options = {});
namespace internal {
/// Positions beside an array: a number as a 0-d array, or a list.
CUPYXX_API ndarray position_beside(const char* operation, const ndarray& a, std::int64_t index);
CUPYXX_API ndarray position_on_current_device(std::int64_t index);
}  // namespace internal
/// The same by numbers: `take(a, 3)` is one element, `take(a, {0, 2}, 1)` two columns; a nested
/// list keeps its axes.
template <internal::ExtentNumber I>
ndarray take(const ndarray& a, I index, const TakeOptions& options = {}) {
  return take(a, internal::position_beside("take", a, index), options);
}
template <internal::ExtentNumber I>
ndarray take(const ndarray& a, I index, internal::Int axis, const TakeOptions& options = {}) {
  return take(a, internal::position_beside("take", a, index), axis, options);
}
CUPYXX_API ndarray take(const ndarray& a, const ArrayLike& indices);
CUPYXX_API ndarray take(const ndarray& a, const ArrayLike& indices, const TakeOptions& options);
CUPYXX_API ndarray take(const ndarray& a, const ArrayLike& indices, internal::Int axis,
                        const TakeOptions& options = {});
/// With the mode in its place: `take(a, i, 1, "wrap")`, `take(a, 7, none, "clip")`.
CUPYXX_API ndarray take(const ndarray& a, const ArrayLike& indices, internal::Int axis,
                        Choice<IndexMode> mode);
template <std::same_as<None> N>
ndarray take(const ndarray& a, const ArrayLike& indices, N, Choice<IndexMode> mode) {
  return take(a, indices.beside(a), TakeOptions{.mode = mode});
}
template <internal::ExtentNumber I>
ndarray take(const ndarray& a, I index, internal::Int axis, Choice<IndexMode> mode) {
  return take(a, index, axis, TakeOptions{.mode = mode});
}
template <internal::ExtentNumber I, std::same_as<None> N>
ndarray take(const ndarray& a, I index, N, Choice<IndexMode> mode) {
  return take(a, index, TakeOptions{.mode = mode});
}
/// `axis` none and options, as without an axis: `take(a, i, none, {.mode = "wrap"})`.
template <std::same_as<None> N, std::same_as<TakeOptions> O = TakeOptions>
ndarray take(const ndarray& a, const ArrayLike& indices, N, const O& options) {
  return take(a, indices.beside(a), options);
}
template <internal::NoInteger F, class... More>
ndarray take(const ndarray& a, F an_index_is_an_integer, const More&... more) = delete;
/// Of a list: `take({4, 3, 5}, {0, 2})`.
CUPYXX_API ndarray take(const ArrayLike& a, const ArrayLike& indices);
/// `x` where the condition holds and `y` elsewhere.
CUPYXX_API ndarray where(const ndarray& condition, const Operand& x, const Operand& y);
CUPYXX_API ndarray where(const ArrayLike& condition, const Operand& x, const Operand& y);
template <std::derived_from<ndarray> C, class X>
void where(const C& condition, const X& give_both_x_and_y) = delete;
/// By one truth value: `where(flag, 1, 2)`.
template <std::same_as<bool> B>
ndarray where(B condition, const Operand& x, const Operand& y) {
  const Operand& other = x.is_array() ? x : y;
  return where(internal::array_beside(condition, other.is_array() ? other.array() : ndarray()), x,
               y);
}
/// A view of the diagonals of the planes of two axes, as the last axis. It writes through where
/// `a` may be written to, as CuPy's.
CUPYXX_API ndarray diagonal(const ndarray& a, internal::Int offset = 0, internal::Int axis1 = 0,
                            internal::Int axis2 = 1);
/// Options of diagonal.
struct DiagonalViewOptions {
  int offset = 0;
  int axis1 = 0;
  int axis2 = 1;
};
template <std::same_as<DiagonalViewOptions> O = DiagonalViewOptions>
ndarray diagonal(const ArrayLike& a, const O& options) {
  return diagonal(a.array(), options.offset, options.axis1, options.axis2);
}

// ---- Reading and writing chosen elements. The rest of NumPy's chapter "Indexing routines".

/// The elements at the positions that `indices` (with as many axes as `a`) gives along one axis.
CUPYXX_API ndarray take_along_axis(const ndarray& a, const ndarray& indices, internal::Int axis);
template <std::same_as<AxisOptions> O = AxisOptions>
ndarray take_along_axis(const ndarray& a, const ndarray& indices, O options) {
  return take_along_axis(a, indices, internal::take_axis("take_along_axis", options.axis, -1));
}
/// Writes to the positions that take_along_axis reads.
CUPYXX_API void put_along_axis(const ndarray& a, const ndarray& indices, const Operand& values,
                               internal::Int axis);
template <std::same_as<AxisOptions> O = AxisOptions>
void put_along_axis(const ndarray& a, const ndarray& indices, const Operand& values, O options) {
  put_along_axis(a, indices, values, internal::take_axis("put_along_axis", options.axis, -1));
}
/// Writes to the elements at positions in C order; `values` is repeated as needed. The last of
/// equal positions wins.
CUPYXX_API void put(const ndarray& a, const ndarray& indices, const Operand& values,
                    Choice<IndexMode> mode = IndexMode::raise);
/// At lists, and with the mode by its name: `put(a, {0, 2}, {7, 8})`, `put(a, i, 1, "clip")`.
CUPYXX_API void put(const ndarray& a, const ArrayLike& indices, const Operand& values,
                    Choice<IndexMode> mode = IndexMode::raise);
/// Options of put.
struct PutOptions {
  Choice<IndexMode> mode = IndexMode::raise;
};
template <std::same_as<PutOptions> O = PutOptions>
void put(const ndarray& a, const ArrayLike& indices, const Operand& values, const O& options) {
  put(a, indices.beside(a), values, options.mode);
}
/// At one position: `put(a, 22, -5)`.
template <internal::ExtentNumber I>
void put(const ndarray& a, I index, const Operand& values,
         Choice<IndexMode> mode = IndexMode::raise) {
  put(a, internal::position_beside("put", a, index), values, mode);
}
template <internal::ExtentNumber I, std::same_as<PutOptions> O = PutOptions>
void put(const ndarray& a, I index, const Operand& values, const O& options) {
  put(a, index, values, options.mode);
}
template <std::convertible_to<std::string_view> M>
void put(const ndarray& a, const ArrayLike& indices, const Operand& values, const M& mode) {
  put(a, indices.beside(a), values, internal::named<IndexMode>(mode, "put"));
}
template <std::convertible_to<std::string_view> M>
void put(const ndarray& a, const ndarray& indices, const Operand& values, const M& mode) {
  put(a, indices, values, internal::named<IndexMode>(mode, "put"));
}

/// Options of scatter_add.
struct ScatterOptions {
  /// Additions at one place happen in an order that depends on the indices only. Without it float32
  /// and float64 on a device are added atomically, as the threads come.
  bool deterministic = true;
};
/// Adds to the chosen elements; a place that is chosen several times adds up (add.at, CuPy's
/// scatter_add).
CUPYXX_API void scatter_add(const ndarray& a, std::span<const Index> index, const Operand& b,
                            const ScatterOptions& options = {});
CUPYXX_API void scatter_add(const ndarray& a, const Index& index, const Operand& b,
                            const ScatterOptions& options = {});

/// Element by element that of `choices[a]`, all broadcast together. Mode `raise` synchronises.
/// `out` must have the result's shape and may have any dtype.
CUPYXX_API ndarray choose(const ndarray& a, std::span<const ndarray> choices,
                          Choice<IndexMode> mode = IndexMode::raise, const ndarray& out = {});
CUPYXX_API ndarray choose(const ndarray& a, std::initializer_list<ndarray> choices,
                          Choice<IndexMode> mode = IndexMode::raise, const ndarray& out = {});
CUPYXX_API ndarray choose(const ArrayLike& a, std::initializer_list<ndarray> choices);
namespace internal {
CUPYXX_API ndarray choose_rows(const ArrayLike& a, const ndarray& choices, IndexMode mode,
                               const ndarray& out);
}  // namespace internal
/// Of the rows of an array: `choose({2, 0}, table, "clip")`.
template <internal::PlainArray A>
ndarray choose(const ArrayLike& a, const A& choices, Choice<IndexMode> mode = IndexMode::raise,
               const ndarray& out = {}) {
  return internal::choose_rows(a, choices, mode, out);
}
/// Of lists: `choose({0, 1, 0}, {{1, 2, 3}, {4, 5, 6}})`.
CUPYXX_API ndarray choose(const ArrayLike& a, const ArrayLike& choices,
                          Choice<IndexMode> mode = IndexMode::raise, const ndarray& out = {});
/// Options of choose.
struct ChooseOptions {
  Choice<IndexMode> mode = IndexMode::raise;
  ndarray out = {};
};
template <internal::PlainArray A, std::same_as<ChooseOptions> O = ChooseOptions>
ndarray choose(const ArrayLike& a, const A& choices, const O& options) {
  return choose(a, choices, options.mode, options.out);
}
template <std::same_as<ChooseOptions> O = ChooseOptions>
ndarray choose(const ndarray& a, std::initializer_list<ndarray> choices, const O& options) {
  return choose(a, internal::as_span(choices), options.mode, options.out);
}
/// The slices along an axis where a 1-D condition holds; without an axis, elements of the flattened
/// array. The condition may be shorter. `out` as of take. Synchronises.
CUPYXX_API ndarray compress(const ndarray& condition, const ndarray& a, const Axes& axis = {},
                            const ndarray& out = {});
/// Options of compress.
struct CompressOptions {
  Axes axis = Axes::missing();
  ndarray out = {};
};
/// Of lists: `compress({true, false}, a, 0)`. Synchronises.
CUPYXX_API ndarray compress(const ArrayLike& condition, const ArrayLike& a, const Axes& axis = {},
                            const ndarray& out = {});
template <std::same_as<CompressOptions> O = CompressOptions>
ndarray compress(const ArrayLike& condition, const ArrayLike& a, O options) {
  return compress(condition, a, internal::take_axis(options.axis), options.out);
}
/// The elements of the flattened array where the flattened condition holds. Synchronises.
CUPYXX_API ndarray extract(const ndarray& condition, const ndarray& a);
CUPYXX_API ndarray extract(const ArrayLike& condition, const ArrayLike& a);

/// Writes `values`, repeated in the order of the true elements, where a mask of a's size is true.
/// Synchronises.
CUPYXX_API void place(const ndarray& a, const ndarray& mask, const Operand& values);
/// Writes where a mask of a's shape is true the element of `values`, repeated in the order of all
/// elements, at the same position.
CUPYXX_API void putmask(const ndarray& a, const ndarray& mask, const Operand& values);
/// Element by element that of the first choice whose condition (bool) holds, or `otherwise`.
CUPYXX_API ndarray select(std::span<const ndarray> conditions, std::span<const ndarray> choices,
                          const Operand& otherwise = 0);
CUPYXX_API ndarray select(std::initializer_list<ndarray> conditions,
                          std::initializer_list<ndarray> choices, const Operand& otherwise = 0);
/// Among numbers, or numbers beside arrays: `select({x < 0, x > 1}, {0, 1}, x)`.
CUPYXX_API ndarray select(std::initializer_list<ndarray> conditions,
                          std::initializer_list<Operand> choices, const Operand& otherwise = 0);

// The methods of these names.
template <internal::ExtentNumber I>
void ndarray::put(I index, const Operand& values) const {
  cupyxx::put(*this, index, values);
}
template <internal::ExtentNumber I>
void ndarray::put(I index, const Operand& values, Choice<IndexMode> mode) const {
  cupyxx::put(*this, index, values, mode);
}
template <internal::ExtentNumber I>
ndarray ndarray::take(I index) const {
  return cupyxx::take(*this, index);
}
template <internal::ExtentNumber I>
ndarray ndarray::take(I index, internal::Int axis) const {
  return cupyxx::take(*this, index, axis);
}
template <internal::ExtentNumber I>
ndarray ndarray::take(I index, const Axes& axis, Choice<IndexMode> mode) const {
  return cupyxx::take(*this, index, TakeOptions{.axis = axis, .mode = mode});
}
template <internal::ExtentNumber I>
ndarray ndarray::take(I index, const TakeOptions& options) const {
  return cupyxx::take(*this, index, options);
}
template <internal::ExtentNumber I>
ndarray ndarray::take(I index, internal::Int axis, const TakeOptions& options) const {
  return cupyxx::take(*this, index, axis, options);
}

// ---- Arrays of indices. NumPy's chapter "Indexing routines: generating index arrays". What is a
// tuple with an array per axis there is a vector here.

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
CUPYXX_API Arrays indices_sparse(const Shape& shape, cupyxx::dtype dtype = int64);
/// A range along one axis of a grid: numbers from `start` up to `stop`, without it, in steps.
struct GridRange {
  Scalar start = 0;
  Scalar stop;
  Scalar step = 1;
  /// Instead of a step: so many numbers, `stop` included (NumPy's imaginary step). They are
  /// float64.
  std::optional<std::int64_t> points = {};
};
namespace internal {
CUPYXX_API GridRange grid_range(std::string_view operation, const slice& range);
}  // namespace internal

/// The grid of some ranges, NumPy's `mgrid[a:b, c:d:n*1j]`: shape (ranges, numbers of each...), and
/// for a single range the range itself. The dtype is common to all.
CUPYXX_API ndarray mgrid(std::span<const GridRange> ranges);
CUPYXX_API ndarray mgrid(std::initializer_list<GridRange> ranges);
/// Slices of integers as ranges: `mgrid(slice(0, 3), slice(0, 2))`. Throws ValueError for one
/// without an end.
template <std::same_as<slice> S, std::same_as<slice>... More>
ndarray mgrid(const S& first, const More&... more) {
  return mgrid({internal::grid_range("mgrid", first), internal::grid_range("mgrid", more)...});
}
/// The same as one array per range, each with its own axis only.
CUPYXX_API Arrays ogrid(std::span<const GridRange> ranges);
CUPYXX_API Arrays ogrid(std::initializer_list<GridRange> ranges);
template <std::same_as<slice> S, std::same_as<slice>... More>
Arrays ogrid(const S& first, const More&... more) {
  return ogrid({internal::grid_range("ogrid", first), internal::grid_range("ogrid", more)...});
}

/// 1-D arrays, each along an axis of its own, so that `a(ix[0], ix[1])` takes a grid. Masks become
/// the positions of their true elements, which synchronises.
CUPYXX_API Arrays ix_(std::span<const ndarray> arrays);
CUPYXX_API Arrays ix_(std::initializer_list<ndarray> arrays);
/// Of the arrays of a call: `a(ix_(rows, columns))`.
template <std::derived_from<ndarray> A, std::derived_from<ndarray>... More>
Arrays ix_(const A& first, const More&... more) {
  return ix_({first, more...});
}
/// Of two lists of positions or truth values: `a(ix_({0, 1}, {true, false, true}))`. They lie on
/// the current device.
template <internal::ListNumber R, internal::ListNumber C>
Arrays ix_(std::initializer_list<R> rows, std::initializer_list<C> columns) {
  return ix_({internal::list_beside(rows, {}), internal::list_beside(columns, {})});
}
/// Of an array and a list, in either order, which comes to the array's device.
template <internal::ListNumber C>
Arrays ix_(const ndarray& rows, std::initializer_list<C> columns) {
  return ix_({rows, internal::list_beside(columns, rows)});
}
template <internal::ListNumber R>
Arrays ix_(std::initializer_list<R> rows, const ndarray& columns) {
  return ix_({internal::list_beside(rows, columns), columns});
}
/// Of three and four: `ix_({0, 2}, {1, 3}, {0, 4})`.
CUPYXX_API Arrays ix_(const ArrayLike& first, const ArrayLike& second, const ArrayLike& third);
CUPYXX_API Arrays ix_(const ArrayLike& first, const ArrayLike& second, const ArrayLike& third,
                      const ArrayLike& fourth);

/// The indices along each axis of positions in an array of `shape` that is read in an order (C or
/// F). Throws ValueError for positions outside of it; synchronises for that.
CUPYXX_API Arrays unravel_index(const ndarray& positions, const Shape& shape,
                                Choice<Order> order = Order::C);

/// Of a list, and of a number, whose indices are 0-d: `unravel_index(99, {6, 7, 8})`.
CUPYXX_API Arrays unravel_index(const ArrayLike& positions, const Shape& shape,
                                Choice<Order> order = Order::C);
template <internal::ExtentNumber I>
Arrays unravel_index(I position, const Shape& shape, Choice<Order> order = Order::C) {
  return unravel_index(internal::position_on_current_device(position), shape, order);
}
/// Options of unravel_index.
struct UnravelOptions {
  Choice<Order> order = Order::C;
};
template <std::same_as<UnravelOptions> O = UnravelOptions>
Arrays unravel_index(const ArrayLike& positions, const Shape& shape, const O& options) {
  return unravel_index(positions.array(), shape, options.order);
}
template <internal::ExtentNumber I, std::same_as<UnravelOptions> O = UnravelOptions>
Arrays unravel_index(I position, const Shape& shape, const O& options) {
  return unravel_index(position, shape, options.order);
}

/// Options of ravel_multi_index.
struct RavelOptions {
  Choice<IndexMode> mode = IndexMode::raise;
  Choice<Order> order = Order::C;
};
/// The positions that indices along each axis mean; they broadcast. Mode `raise` throws ValueError
/// for indices outside of their axis and synchronises for that.
CUPYXX_API ndarray ravel_multi_index(std::span<const ndarray> indices, const Shape& shape,
                                     const RavelOptions& options = {});
CUPYXX_API ndarray ravel_multi_index(std::initializer_list<ndarray> indices, const Shape& shape,
                                     const RavelOptions& options = {});

/// The mode in its place, as NumPy has it: `ravel_multi_index({i, j}, {7, 6}, "wrap")`.
template <class M>
requires(std::same_as<M, IndexMode> || std::convertible_to<const M&, std::string_view>) ndarray
    ravel_multi_index(std::initializer_list<ndarray> indices, const Shape& shape, const M& mode) {
  return ravel_multi_index(internal::as_span(indices), shape, {.mode = mode});
}

namespace internal {
CUPYXX_API ndarray ravel_rows(const ndarray& indices, const Shape& shape,
                              const RavelOptions& options);
CUPYXX_API ndarray ravel_place(const std::int64_t* indices, std::size_t count, const Shape& shape,
                               const RavelOptions& options);
}  // namespace internal
/// Of the rows of an array, a row per axis: `ravel_multi_index(index, {7, 6})`.
template <std::derived_from<ndarray> A>
ndarray ravel_multi_index(const A& indices, const Shape& shape, const RavelOptions& options = {}) {
  return internal::ravel_rows(indices, shape, options);
}
/// Of a list per axis: `ravel_multi_index({{3, 6}, {4, 5}}, {7, 6})`.
CUPYXX_API ndarray
ravel_multi_index(std::initializer_list<std::initializer_list<std::int64_t>> indices,
                  const Shape& shape, const RavelOptions& options = {});
/// Of one place: `ravel_multi_index({3, 1, 4}, {6, 7, 8})` is 0-d, on the current device.
template <internal::AxisNumber I>
ndarray ravel_multi_index(std::initializer_list<I> indices, const Shape& shape,
                          const RavelOptions& options = {}) {
  const std::vector<std::int64_t> place(indices.begin(), indices.end());
  return internal::ravel_place(place.data(), place.size(), shape, options);
}

/// The main diagonal of an array with `ndim` axes of extent n.
CUPYXX_API Arrays diag_indices(internal::Int64 n, internal::Int ndim = 2);
/// Options of diag_indices.
struct DiagIndicesOptions {
  int ndim = 2;
};
template <std::same_as<DiagIndicesOptions> O = DiagIndicesOptions>
Arrays diag_indices(internal::Int64 n, const O& options) {
  return diag_indices(n, options.ndim);
}
/// That of an array, whose axes must be equally long and at least two.
CUPYXX_API Arrays diag_indices_from(const ndarray& a);
/// The elements on and below the k-th diagonal of an N x M matrix; M = -1 means N:
/// `auto [rows, columns] = tril_indices(3)`, or `a(tril_indices(3)) = 0`. Synchronises.
CUPYXX_API ArrayTuple<2> tril_indices(internal::Int64 n, internal::Int64 k = 0,
                                      internal::Int64 m = -1);
/// Those on and above it. Synchronises.
CUPYXX_API ArrayTuple<2> triu_indices(internal::Int64 n, internal::Int64 k = 0,
                                      internal::Int64 m = -1);
/// Options of tril_indices and triu_indices.
struct TriangleOptions {
  std::int64_t k = 0;
  std::int64_t m = -1;
};
template <std::same_as<TriangleOptions> O = TriangleOptions>
ArrayTuple<2> tril_indices(internal::Int64 n, const O& options) {
  return tril_indices(n, options.k, options.m);
}
template <std::same_as<TriangleOptions> O = TriangleOptions>
ArrayTuple<2> triu_indices(internal::Int64 n, const O& options) {
  return triu_indices(n, options.k, options.m);
}
/// The same for the shape of a matrix. Synchronises.
CUPYXX_API ArrayTuple<2> tril_indices_from(const ndarray& a, internal::Int64 k = 0);
CUPYXX_API ArrayTuple<2> triu_indices_from(const ndarray& a, internal::Int64 k = 0);
/// Options of tril_indices_from and triu_indices_from.
struct TriangleOfOptions {
  std::int64_t k = 0;
};
template <std::same_as<TriangleOfOptions> O = TriangleOfOptions>
ArrayTuple<2> tril_indices_from(const ndarray& a, const O& options) {
  return tril_indices_from(a, options.k);
}
template <std::same_as<TriangleOfOptions> O = TriangleOfOptions>
ArrayTuple<2> triu_indices_from(const ndarray& a, const O& options) {
  return triu_indices_from(a, options.k);
}

/// Writes to the main diagonal, repeating `values`; with `wrap` the diagonal of a tall matrix
/// starts again below its end.
CUPYXX_API void fill_diagonal(const ndarray& a, const Operand& values, bool wrap = false);
/// Options of fill_diagonal.
struct FillDiagonalOptions {
  bool wrap = false;
};
template <std::same_as<FillDiagonalOptions> O = FillDiagonalOptions>
void fill_diagonal(const ndarray& a, const Operand& values, const O& options) {
  fill_diagonal(a, values, options.wrap);
}

// ---- Views with other strides. NumPy's `lib.stride_tricks`.
//
//   auto means = cupyxx::sliding_window_view(a, {3}).mean(-1);   // of three neighbours

/// Options of as_strided.
struct AsStridedOptions {
  bool writeable = true;  ///< false: a read-only view; a view of a read-only array always is
};
/// A view of x's memory with any shape and strides in bytes, from x's first element on; without
/// strides those of a C-contiguous array where `x` is one, else x's. Elements may overlap. Unlike
/// NumPy's it is checked: throws ValueError where an element would lie outside of the memory under
/// `x`, and for strides that are no multiple of the element's alignment.
CUPYXX_API ndarray as_strided(const ndarray& x, const Shape& shape, const Strides& strides,
                              const AsStridedOptions& options = {});
CUPYXX_API ndarray as_strided(const ndarray& x, const Shape& shape);
/// All of it by name: `as_strided(x, {.shape = {3, 2}, .strides = {8, 8}})`.
struct StridedOptions {
  OptionalShape shape = {};  ///< x's own unless given
  OptionalShape strides = {};
  bool writeable = true;
};
template <std::same_as<StridedOptions> O = StridedOptions>
ndarray as_strided(const ndarray& x, const O& options) {
  const Shape shape = options.shape ? *options.shape : x.shape();
  const Strides strides = options.strides ? *options.strides : as_strided(x, shape).strides();
  return as_strided(x, shape, strides, AsStridedOptions{.writeable = options.writeable});
}
/// The view in x's own shape with other strides.
CUPYXX_API ndarray as_strided(const ndarray& x);

/// Options of sliding_window_view.
struct SlidingWindowOptions {
  Axes axis = Axes::missing();
  bool writeable = false;
};
/// All windows of a shape that lie within `x`: the axes of the positions, then those of the window.
/// An extent of the window for each axis of `x`, or for each of the given axes, of which one may
/// occur several times. A read-only view unless asked. Throws ValueError for windows that are
/// negative or larger than `x`, and for another number of axes; AxisError.
CUPYXX_API ndarray sliding_window_view(const ndarray& x, const Shape& window_shape,
                                       const Axes& axis = {},
                                       const SlidingWindowOptions& options = {});

template <std::same_as<SlidingWindowOptions> O = SlidingWindowOptions>
ndarray sliding_window_view(const ndarray& x, const Shape& window_shape, O options) {
  const Axes axis = internal::take_axis(options.axis);
  return sliding_window_view(x, window_shape, axis, options);
}

/// NumPy's place of these names.
namespace lib::stride_tricks {
using cupyxx::as_strided;
using cupyxx::sliding_window_view;
}  // namespace lib::stride_tricks

}  // namespace cupyxx

#include "cupyxx/iteration.h"
