// SPDX-License-Identifier: MIT
// Routines that call a function of the user's. NumPy's chapter "Functional programming".
//
//   auto table = cupyxx::fromfunction([](auto i, auto j) { return i * 10 + j; }, {3, 4});
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/math.h"
#include "cupyxx/positions.h"
#include "cupyxx/reduction.h"
#include "cupyxx/shape.h"

namespace cupyxx {

namespace internal {

/// What a function of a slice returned, as an array.
inline ndarray slice_result(const ndarray& result) { return result; }
template <class T>
requires std::is_arithmetic_v<T> ndarray slice_result(T result) { return array(Scalar(result)); }

/// The positions in `shape`, one after the other in C order.
CUPYXX_API bool next_position(const Shape& shape, std::vector<Index>& position);
/// Joins the results for all positions of the other axes, with the result's own axes at `axis`.
CUPYXX_API ndarray join_slices(const std::vector<ndarray>& results, const Shape& others, int axis);

/// Checks piecewise's conditions, and adds where none of them holds when there is a function more.
CUPYXX_API void complete_conditions(const ndarray& x, std::vector<ndarray>& conditions,
                                    std::size_t functions);

}  // namespace internal

/// The array of f(i, j, ...), called once with arrays of all indices.
template <class F, std::size_t kNdim>
ndarray fromfunction(F&& f, const std::int64_t (&shape)[kNdim], cupyxx::dtype dtype = float64) {
  const ndarray all = indices(Shape(shape, kNdim), dtype);
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    return internal::slice_result(f(ndarray(all(static_cast<std::int64_t>(I)))...));
  }
  (std::make_index_sequence<kNdim>());
}

template <class F, std::size_t kNdim, std::same_as<DtypeOptions> O = DtypeOptions>
ndarray fromfunction(F&& f, const std::int64_t (&shape)[kNdim], const O& options) {
  return fromfunction(std::forward<F>(f), shape, options.dtype ? options.dtype : float64);
}

/// `f` of each 1-D slice along an axis, one call per slice; its results, numbers or arrays of one
/// shape, take the place of the axis. Throws ValueError for an array without slices.
template <class F>
ndarray apply_along_axis(F&& f, int axis, const ndarray& a) {
  if (a.is_none()) throw TypeError("apply_along_axis: the array is None");
  const int at = normalize_axis("apply_along_axis", axis, a.ndim());
  Shape others = a.shape();
  others.erase(at);
  if (others.element_count() == 0) {
    throw ValueError(
        message("apply_along_axis: cannot apply to an axis without slices; ", a.shape()));
  }
  const DeviceScope scope(a.device());
  const ndarray slices = rollaxis(a, at, a.ndim());
  std::vector<Index> position(others.size(), Index(std::int64_t{0}));
  std::vector<ndarray> results;
  do {
    results.push_back(internal::slice_result(
        f(position.empty() ? slices : slices.getitem(std::span<const Index>(position)).get())));
  } while (internal::next_position(others, position));
  return internal::join_slices(results, others, at);
}

/// `f(a, axis)` for one axis after the other; an axis that f drops is put back with extent 1.
template <class F>
ndarray apply_over_axes(F&& f, const ndarray& a, const std::vector<int>& axes) {
  if (a.is_none()) throw TypeError("apply_over_axes: the array is None");
  ndarray result = a;
  for (const int axis : axes) {
    const int at = normalize_axis("apply_over_axes", axis, a.ndim());
    const ndarray next = f(result, at);
    result = next.ndim() == result.ndim() ? next : expand_dims(next, at);
    if (result.ndim() != a.ndim()) {
      throw ValueError(
          message("apply_over_axes: the function has not returned an array of the right rank; ",
                  next.shape()));
    }
  }
  return result;
}

/// Element by element of x's dtype: what the function of the last condition (bool) that holds makes
/// of the chosen elements, or its number. One function more than there are conditions is for where
/// none holds; without it zeros stand there. Throws ValueError for another count; synchronises.
template <class... F>
ndarray piecewise(const ndarray& x, std::vector<ndarray> conditions, F&&... functions) {
  internal::complete_conditions(x, conditions, sizeof...(F));
  const DeviceScope scope(x.device());
  const ndarray y = zeros_like(x);
  std::size_t i = 0;
  const auto write = [&](auto&& function) {
    const ndarray& chosen = conditions[i++];
    if constexpr (std::is_arithmetic_v<std::remove_cvref_t<decltype(function)>>) {
      y(chosen) = function;
    } else if (const ndarray part = x(chosen); part.size() != 0) {
      y(chosen) = internal::slice_result(function(part));
    }
  };
  (write(functions), ...);
  return y;
}

/// The indices along each axis of the n x n elements that `f(ones, k)`, such as triu, keeps.
/// Synchronises.
template <class F>
std::vector<ndarray> mask_indices(std::int64_t n, F&& f, std::int64_t k = 0) {
  return not_equal(f(ones({n, n}, int64), k), 0).nonzero();
}

}  // namespace cupyxx
