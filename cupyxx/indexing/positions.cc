// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "cupyxx/core/array_tuple.h"
#include "cupyxx/core/arrays.h"
#include "cupyxx/core/checked.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/indexing.h"
#include "cupyxx/internal/scatter.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/math.h"
#include "cupyxx/reduction.h"
#include "cupyxx/sorting.h"

namespace cupyxx {

namespace {

void check_order(const char* operation, Order order) {
  if (order == Order::C || order == Order::F) return;
  throw ValueError(message(operation, ": the order must be C or F; ", static_cast<char>(order)));
}

ndarray checked_integers(const char* operation, const ndarray& a) {
  internal::check_not_none(operation, a);
  if (!a.dtype().is_integer()) {
    throw TypeError(message(operation, ": only integers are indices, not ", a.dtype().name()));
  }
  return a.astype(int64, false);
}

// Throws for elements outside of [0, extent).
void check_range(const char* operation, const ndarray& a, std::int64_t extent) {
  if (a.size() == 0) return;
  const auto low = amin(a).item<std::int64_t>(), high = amax(a).item<std::int64_t>();
  if (low >= 0 && high < extent) return;
  throw ValueError(
      message(operation, ": index ", low < 0 ? low : high, " is out of bounds for size ", extent));
}

// An axis of extent n among `rank` ones.
ndarray along(const ndarray& a, int axis, int rank) {
  Shape shape;
  for (int i = 0; i < rank; ++i) shape.push_back(i == axis ? a.size() : 1);
  return a.reshape(shape);
}

// rest[i] and its remainder by an extent in place of each rest[i] >= 0. Numbers of 32 bits are
// divided by a product with 2^64 / extent, rounded up (Lemire, Kaser, Kurz: "Faster remainder by
// direct computation", 2019).
void divide_places(std::int64_t* rest, std::int64_t* to, std::int64_t n, std::int64_t extent) {
  std::uint64_t all = 0;
  for (std::int64_t i = 0; i < n; ++i) all |= static_cast<std::uint64_t>(rest[i]);
  if ((all | static_cast<std::uint64_t>(extent)) >> 32 != 0 || extent == 1) {
    for (std::int64_t i = 0; i < n; ++i) {
      const std::int64_t quotient = rest[i] / extent;
      to[i] = rest[i] - quotient * extent;
      rest[i] = quotient;
    }
    return;
  }
  const std::uint64_t inverse = ~std::uint64_t{0} / static_cast<std::uint64_t>(extent) + 1;
  for (std::int64_t i = 0; i < n; ++i) {
    const auto product =
        static_cast<unsigned __int128>(inverse) * static_cast<std::uint64_t>(rest[i]);
    const auto quotient = static_cast<std::int64_t>(product >> 64);
    to[i] = rest[i] - quotient * extent;
    rest[i] = quotient;
  }
}

// The axes of a shape from the one whose index changes fastest.
std::vector<int> fastest_first(int rank, Order order) {
  std::vector<int> axes;
  axes.reserve(static_cast<std::size_t>(rank));
  for (int i = 0; i < rank; ++i) axes.push_back(order == Order::C ? rank - 1 - i : i);
  return axes;
}

void check_matrix(const char* operation, const ndarray& a) {
  internal::check_not_none(operation, a);
  if (a.ndim() != 2) {
    throw ValueError(message(operation, ": needs a matrix; ", a.shape()));
  }
}

// How many numbers a range has, and their distance.
struct GridAxis {
  double start, step;
  std::int64_t count;
  bool is_integer;
};

GridAxis axis_of(const char* operation, const GridRange& range) {
  const double start = range.start.as_double(), stop = range.stop.as_double();
  if (range.points) {
    const std::int64_t n = *range.points;
    if (n < 0) {
      throw ValueError(message(operation, ": the number of points must not be negative; ", n));
    }
    return {start, n > 1 ? (stop - start) / static_cast<double>(n - 1) : 1.0, n, false};
  }
  const double step = range.step.as_double();
  if (step == 0) throw ValueError(message(operation, ": the step must not be zero"));
  const double count = std::ceil((stop - start) / step);
  if (!(count < 0x1p62)) {
    throw ValueError(message(operation, ": the range has no end; from ", range.start, " to ",
                             range.stop, " by ", range.step));
  }
  const bool is_integer =
      !range.start.is_inexact() && !range.stop.is_inexact() && !range.step.is_inexact();
  return {start, step, count > 0 ? static_cast<std::int64_t>(count) : 0, is_integer};
}

// The numbers of each range, 1-D.
std::vector<ndarray> grid_axes(const char* operation, std::span<const GridRange> ranges) {
  std::vector<GridAxis> axes;
  for (const GridRange& range : ranges) axes.push_back(axis_of(operation, range));
  const bool integers =
      std::all_of(axes.begin(), axes.end(), [](const GridAxis& axis) { return axis.is_integer; });
  std::vector<ndarray> result;
  for (const GridAxis& axis : axes) {
    const ndarray places = arange(axis.count, integers ? int64 : float64);
    if (integers) {
      result.push_back(places * static_cast<std::int64_t>(axis.step) +
                       static_cast<std::int64_t>(axis.start));
    } else {
      result.push_back(places * axis.step + axis.start);
    }
  }
  return result;
}

}  // namespace

namespace internal {

GridRange grid_range(std::string_view operation, const slice& range) {
  if (!range.stop.given) {
    throw ValueError(
        message(operation, ": a slice without an end; it begins at ", range.start.value));
  }
  GridRange result{.stop = range.stop.value};
  if (range.start.given) result.start = range.start.value;
  if (range.step.given) result.step = range.step.value;
  return result;
}

}  // namespace internal

ndarray mgrid(std::initializer_list<GridRange> ranges) {
  return mgrid(std::span(ranges.begin(), ranges.size()));
}

Arrays ogrid(std::initializer_list<GridRange> ranges) {
  return ogrid(std::span(ranges.begin(), ranges.size()));
}

ndarray mgrid(std::span<const GridRange> ranges) {
  const std::vector<ndarray> axes = grid_axes("mgrid", ranges);
  if (axes.size() == 1) return axes[0];
  Shape shape{static_cast<std::int64_t>(axes.size())};
  for (const ndarray& axis : axes) shape.push_back(axis.size());
  const ndarray result = empty(shape, axes.empty() ? int64 : axes[0].dtype());
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const int at = static_cast<int>(i);
    internal::assign("mgrid", result(at), along(axes[i], at, static_cast<int>(axes.size())));
  }
  return result;
}

Arrays ogrid(std::span<const GridRange> ranges) {
  std::vector<ndarray> axes = grid_axes("ogrid", ranges);
  for (std::size_t i = 0; i < axes.size(); ++i) {
    axes[i] = along(axes[i], static_cast<int>(i), static_cast<int>(axes.size()));
  }
  return axes;
}

Arrays indices_sparse(const Shape& shape, dtype type) {
  std::vector<ndarray> result;
  for (int i = 0; i < shape.ndim(); ++i) {
    if (shape[i] < 0) {
      throw ValueError(message("indices: negative dimensions are not allowed; ", shape));
    }
    result.push_back(along(arange(shape[i], type), i, shape.ndim()));
  }
  return result;
}

ndarray indices(const Shape& shape, dtype type) {
  Shape extents = shape;
  extents.insert(0, shape.ndim());
  const ndarray result = empty(extents, type);
  const std::vector<ndarray> parts = indices_sparse(shape, type);
  for (int i = 0; i < shape.ndim(); ++i) {
    internal::assign("indices", result(i), parts[static_cast<std::size_t>(i)]);
  }
  return result;
}

Arrays ix_(std::span<const ndarray> arrays) {
  std::vector<ndarray> result;
  for (const ndarray& given : arrays) {
    internal::check_not_none("ix_", given);
    if (given.ndim() != 1) {
      throw ValueError(message("ix_: every array must have one axis; ", given.shape()));
    }
    ndarray a = given.dtype().is_bool() ? flatnonzero(given) : given;
    if (a.size() == 0) a = a.astype(int64, false);  // a list of nothing has no dtype of its own
    result.push_back(along(a, static_cast<int>(result.size()), static_cast<int>(arrays.size())));
  }
  return result;
}

Arrays unravel_index(const ndarray& positions, const Shape& shape, Choice<Order> order) {
  check_order("unravel_index", order);
  ndarray left = checked_integers("unravel_index", positions);
  for (const std::int64_t extent : shape) {
    if (extent < 0) throw ValueError(message("unravel_index: a negative extent; ", shape));
  }
  check_range("unravel_index", left, shape.element_count());
  std::vector<ndarray> result(shape.size());
  if (left.device().is_cpu()) {
    left = internal::contiguous(left.astype(int64));
    auto* rest = static_cast<std::int64_t*>(left.elements());
    for (const int axis : fastest_first(shape.ndim(), order)) {
      const auto extent = std::max<std::int64_t>(shape[axis], 1);
      const ndarray places =
          internal::make_array("unravel_index", left.shape(), int64, left.device());
      auto* to = static_cast<std::int64_t*>(places.elements());
      divide_places(rest, to, left.size(), extent);
      result[static_cast<std::size_t>(axis)] = places;
    }
    return result;
  }
  for (const int axis : fastest_first(shape.ndim(), order)) {
    result[static_cast<std::size_t>(axis)] =
        remainder(left, std::max<std::int64_t>(shape[axis], 1));
    left = floor_divide(left, std::max<std::int64_t>(shape[axis], 1));
  }
  return result;
}

namespace {

// Of arrays of int64 on the host in one shape and in range, which all modes leave alone; else null.
ndarray raveled_on_host(std::span<const ndarray> indices, const Shape& shape,
                        const RavelOptions& options) {
  const Shape common = indices[0].shape();
  for (std::size_t i = 0; i < indices.size(); ++i) {
    const ndarray& along = indices[i];
    const std::int64_t extent = shape[static_cast<int>(i)];
    if (along.dtype() != int64 || !along.device().is_cpu() || !along.flags().c_contiguous ||
        !(along.shape() == common) || extent <= 0 ||
        !internal::cpu::all_from_front(static_cast<const std::int64_t*>(along.elements()),
                                       along.size(), extent)) {
      return {};
    }
  }
  const ndarray result =
      internal::make_array("ravel_multi_index", common, int64, indices[0].device());
  auto* const to = static_cast<std::int64_t*>(result.elements());
  const std::int64_t n = result.size();
  std::fill_n(to, n, 0);
  std::int64_t stride = 1;
  for (const int axis : fastest_first(shape.ndim(), options.order)) {
    const auto* const from =
        static_cast<const std::int64_t*>(indices[static_cast<std::size_t>(axis)].elements());
    for (std::int64_t i = 0; i < n; ++i) to[i] += from[i] * stride;
    stride *= shape[axis];
  }
  return result;
}

}  // namespace

ndarray ravel_multi_index(std::span<const ndarray> indices, const Shape& shape,
                          const RavelOptions& options) {
  const char* operation = "ravel_multi_index";
  check_order(operation, options.order);
  for (const ndarray& along : indices) internal::check_not_none(operation, along);
  if (indices.size() != shape.size()) {
    throw ValueError(message(operation, ": needs an array of indices for each axis; ",
                             indices.size(), " for ", shape));
  }
  internal::check_mode(operation, options.mode, IndexMode::clip);
  if (indices.empty()) throw ValueError(message(operation, ": there is no axis"));
  shape.element_count();  // throws where positions overflow
  const Device device = indices[0].device();
  const DeviceScope scope(device);
  if (const ndarray result = raveled_on_host(indices, shape, options); !result.is_none()) {
    return result;
  }
  ndarray result = zeros({}, int64);
  std::int64_t stride = 1;
  for (const int axis : fastest_first(shape.ndim(), options.order)) {
    const std::int64_t extent = shape[axis];
    ndarray index = checked_integers(operation, indices[static_cast<std::size_t>(axis)]);
    if (options.mode == IndexMode::raise) check_range(operation, index, extent);
    if (options.mode == IndexMode::wrap) index = remainder(index, extent);
    if (options.mode == IndexMode::clip) index = clip(index, 0, extent - 1);
    result = add(result, multiply(index, stride));
    stride *= extent;
  }
  return result;
}

Arrays diag_indices(internal::Int64 n, internal::Int ndim) {
  if (ndim > kMaxNdim) {
    throw ValueError(message("diag_indices: at most ", kMaxNdim, " axes; ", ndim));
  }
  return std::vector<ndarray>(static_cast<std::size_t>(std::max<int>(ndim, 0)),
                              arange(std::int64_t{n}));
}

Arrays diag_indices_from(const ndarray& a) {
  internal::check_not_none("diag_indices_from", a);
  if (a.ndim() < 2) {
    throw ValueError(message("diag_indices_from: needs two axes at least; ", a.shape()));
  }
  const Shape shape = a.shape();
  if (!std::all_of(shape.begin(), shape.end(), [&](auto n) { return n == shape[0]; })) {
    throw ValueError(message("diag_indices_from: all axes must be equally long; ", shape));
  }
  const DeviceScope scope(a.device());
  return diag_indices(shape[0], a.ndim());
}

ArrayTuple<2> tril_indices(internal::Int64 n, internal::Int64 k, internal::Int64 m) {
  return unpack<2>(nonzero(tri(n, m, k, bool_)));
}

ArrayTuple<2> triu_indices(internal::Int64 n, internal::Int64 k, internal::Int64 m) {
  const std::int64_t below = k - (k != std::numeric_limits<std::int64_t>::min());
  return unpack<2>(nonzero(logical_not(tri(n, m, below, bool_))));
}

ArrayTuple<2> tril_indices_from(const ndarray& a, internal::Int64 k) {
  check_matrix("tril_indices_from", a);
  const DeviceScope scope(a.device());
  return tril_indices(a.shape()[0], k, a.shape()[1]);
}

ArrayTuple<2> triu_indices_from(const ndarray& a, internal::Int64 k) {
  check_matrix("triu_indices_from", a);
  const DeviceScope scope(a.device());
  return triu_indices(a.shape()[0], k, a.shape()[1]);
}

void fill_diagonal(const ndarray& a, const Operand& values, bool wrap) {
  internal::check_not_none("fill_diagonal", values);
  internal::check_not_none("fill_diagonal", a);
  const Shape shape = a.shape();
  if (a.ndim() < 2) {
    throw ValueError(message("fill_diagonal: needs two axes at least; ", shape));
  }
  std::int64_t step = 0, end = a.size();
  if (a.ndim() == 2) {
    step = shape[1] + 1;
    std::int64_t corner;
    const bool is_huge = __builtin_mul_overflow(shape[1], shape[1], &corner);
    if (!wrap && !is_huge) end = std::min(end, corner);
  } else {
    if (!std::all_of(shape.begin(), shape.end(), [&](auto n) { return n == shape[0]; })) {
      throw ValueError(message("fill_diagonal: all axes must be equally long; ", shape));
    }
    std::int64_t stride = 1;
    for (int i = 0; i < a.ndim(); ++i, stride *= shape[0]) step += stride;
  }
  if (end == 0) return;
  const DeviceScope scope(a.device());
  put(a, arange(0, end, step), values);
}

// Of lists.

Arrays unravel_index(const ArrayLike& positions, const Shape& shape, Choice<Order> order) {
  return unravel_index(positions.array(), shape, order);
}

Arrays ix_(std::initializer_list<ndarray> arrays) { return ix_(internal::as_span(arrays)); }

Arrays ix_(const ArrayLike& first, const ArrayLike& second, const ArrayLike& third) {
  return ix_({first.beside(second), second.beside(first), third.beside(first)});
}

Arrays ix_(const ArrayLike& first, const ArrayLike& second, const ArrayLike& third,
           const ArrayLike& fourth) {
  return ix_(
      {first.beside(second), second.beside(first), third.beside(first), fourth.beside(first)});
}

ndarray ravel_multi_index(std::initializer_list<ndarray> indices, const Shape& shape,
                          const RavelOptions& options) {
  return ravel_multi_index(internal::as_span(indices), shape, options);
}

ndarray ravel_multi_index(std::initializer_list<std::initializer_list<std::int64_t>> indices,
                          const Shape& shape, const RavelOptions& options) {
  std::vector<ndarray> each;
  for (const auto& axis : indices) each.push_back(internal::list_beside(axis, {}));
  return ravel_multi_index(std::span<const ndarray>(each), shape, options);
}

ndarray internal::ravel_rows(const ndarray& indices, const Shape& shape,
                             const RavelOptions& options) {
  const std::vector<ndarray> rows(indices.begin(), indices.end());
  return ravel_multi_index(std::span<const ndarray>(rows), shape, options);
}

ndarray internal::ravel_place(const std::int64_t* indices, std::size_t count, const Shape& shape,
                              const RavelOptions& options) {
  std::vector<ndarray> each;
  for (std::size_t i = 0; i < count; ++i) each.push_back(position_on_current_device(indices[i]));
  return ravel_multi_index(std::span<const ndarray>(each), shape, options);
}

}  // namespace cupyxx
