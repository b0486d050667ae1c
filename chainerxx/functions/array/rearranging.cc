// SPDX-License-Identifier: MIT
#include "chainerxx/functions/array/rearranging.h"

#include <algorithm>
#include <utility>

#include "chainerxx/functions/array/array.h"
#include "chainerxx/functions/array/axes.h"
#include "chainerxx/functions/array/broadcasting.h"
#include "chainerxx/functions/array/parts.h"
#include "chainerxx/internal/checked_extent.h"
#include "chainerxx/internal/same_shape.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/math.h"
#include "cupyxx/sorting.h"

namespace chainerxx::functions {
namespace {

/// An axis counted from the first.
int checked_axis(const char* name, std::int64_t axis, int ndim) {
  if (axis >= -ndim && axis < ndim) return static_cast<int>(axis < 0 ? axis + ndim : axis);
  throw cupyxx::AxisError(
      cupyxx::message(name, ": axis ", axis, " is out of bounds for array of dimension ", ndim));
}

/// Whether an axis stands in a list.
bool contains(const cupyxx::Shape& axes, int axis) {
  return std::find(axes.begin(), axes.end(), axis) != axes.end();
}

cupyxx::Shape checked_axes(const char* name, const cupyxx::Shape& axes, int ndim) {
  cupyxx::Shape checked;
  for (const std::int64_t given : axes) {
    const int axis = checked_axis(name, given, ndim);
    if (contains(checked, axis)) {
      throw cupyxx::ValueError(cupyxx::message(name, ": an axis stands there twice; ", axes));
    }
    checked.push_back(axis);
  }
  return checked;
}

/// Everything along the axes before `axis`, and `index` there.
Variable at_axis(const Variable& x, int axis, cupyxx::Index index) {
  std::vector<cupyxx::Index> list(static_cast<std::size_t>(axis), cupyxx::slice());
  list.push_back(std::move(index));
  return get_item(x, list);
}

void refuse_none(const char* name, const std::vector<Variable>& xs) {
  int number = 0;
  for (const Variable& x : xs) {
    if (x.is_none()) {
      throw cupyxx::TypeError(cupyxx::message(name, ": input ", number, " is None"));
    }
    ++number;
  }
}

/// Variables with axes of extent 1 before and behind their own, up to a number of axes.
std::vector<Variable> widened(const std::vector<Variable>& xs, int ndim, int most_before) {
  std::vector<Variable> wide;
  for (const Variable& x : xs) {
    cupyxx::Shape shape;
    const int missing = std::max(ndim - x.ndim(), 0);
    const int before = std::min(missing, x.ndim() == 0 ? missing : most_before - (x.ndim() - 1));
    for (int i = 0; i < std::max(before, 0); ++i) shape.push_back(1);
    for (const std::int64_t extent : x.shape()) shape.push_back(extent);
    while (shape.ndim() < ndim) shape.push_back(1);
    wide.push_back(missing == 0 ? x : reshape(x, shape));
  }
  return wide;
}

}  // namespace

Variable moveaxis(const Variable& x, const cupyxx::Shape& source,
                  const cupyxx::Shape& destination) {
  internal::refuse_none("moveaxis", {&x});
  if (source.ndim() != destination.ndim()) {
    throw cupyxx::ValueError(
        cupyxx::message("moveaxis: the numbers of axes differ; ", source, " and ", destination));
  }
  const cupyxx::Shape from = checked_axes("moveaxis", source, x.ndim());
  const cupyxx::Shape to = checked_axes("moveaxis", destination, x.ndim());
  cupyxx::Shape order = x.shape();  // of as many axes
  int next = 0;
  for (int place = 0; place < x.ndim(); ++place) {
    const auto given = std::find(to.begin(), to.end(), place);
    if (given != to.end()) {
      order[place] = from[static_cast<int>(given - to.begin())];
    } else {
      while (contains(from, next)) ++next;
      order[place] = next++;
    }
  }
  return transpose(x, order);
}

Variable rollaxis(const Variable& x, int axis, int start) {
  internal::refuse_none("rollaxis", {&x});
  const int from = checked_axis("rollaxis", axis, x.ndim());
  const int before = start == x.ndim() ? start : checked_axis("rollaxis", start, x.ndim());
  return moveaxis(x, from, before > from ? before - 1 : before);
}

Variable flip(const Variable& x, const AxesArg& axis) {
  internal::refuse_none("flip", {&x});
  const std::uint32_t flipped = axis.mask("flip", x.ndim());
  std::vector<cupyxx::Index> index;
  index.reserve(static_cast<std::size_t>(x.ndim()));
  for (int i = 0; i < x.ndim(); ++i) {
    index.emplace_back((flipped >> i & 1u) != 0 ? cupyxx::slice(cupyxx::none, cupyxx::none, -1)
                                                : cupyxx::slice());
  }
  return get_item(x, index);
}

Variable fliplr(const Variable& x) {
  internal::refuse_none("fliplr", {&x});
  checked_axis("fliplr", 1, x.ndim());
  return flip(x, 1);
}

Variable flipud(const Variable& x) {
  internal::refuse_none("flipud", {&x});
  checked_axis("flipud", 0, x.ndim());
  return flip(x, 0);
}

Variable repeat(const Variable& x, std::int64_t repeats, std::optional<int> axis) {
  internal::refuse_none("repeat", {&x});
  if (repeats < 0) {
    throw cupyxx::ValueError(cupyxx::message("repeat: the number is negative; ", repeats));
  }
  if (!axis) return repeat(flatten(x), repeats, 0);
  const int at = checked_axis("repeat", *axis, x.ndim());
  cupyxx::Shape wide, result = x.shape();
  for (int i = 0; i < x.ndim(); ++i) {
    wide.push_back(x.shape()[i]);
    if (i == at) wide.push_back(repeats);
  }
  result[at] = internal::times("repeat", result[at], repeats);
  return reshape(broadcast_to(expand_dims(x, at + 1), wide), result);
}

Variable permutate(const Variable& x, const ndarray& indices, int axis, bool inv) {
  internal::refuse_none("permutate", {&x});
  const int at = checked_axis("permutate", axis, x.ndim());
  if (indices.is_none() || indices.shape() != cupyxx::Shape{x.shape()[at]}) {
    throw cupyxx::ShapeError(
        cupyxx::message("permutate: the indices are not of shape (", x.shape()[at], ",); ",
                        indices.is_none() ? cupyxx::Shape{} : indices.shape()));
  }
  if (!indices.dtype().is_integer()) {
    throw cupyxx::TypeError(
        cupyxx::message("permutate: the indices are no integers; ", indices.dtype().name()));
  }
  return at_axis(x, at, inv ? cupyxx::argsort(indices) : indices);
}

Variable diagonal(const Variable& x, std::int64_t offset, int axis1, int axis2) {
  internal::refuse_none("diagonal", {&x});
  const cupyxx::Shape axes = checked_axes("diagonal", {axis1, axis2}, x.ndim());
  const Variable planes = moveaxis(x, axes, {0, 1});
  const std::int64_t rows = planes.shape()[0], columns = planes.shape()[1];
  const auto first = std::clamp<std::int64_t>(offset, -rows, columns);
  const std::int64_t row = first < 0 ? -first : 0, column = first < 0 ? 0 : first;
  const cupyxx::DeviceScope device(x.device());
  const ndarray places =
      cupyxx::arange(std::max<std::int64_t>(std::min(rows - row, columns - column), 0));
  return moveaxis(get_item(planes, {places + row, places + column}), 0, -1);
}

Variable hstack(const std::vector<Variable>& xs) {
  refuse_none("hstack", xs);
  const std::vector<Variable> wide = widened(xs, 1, 0);
  return concat(wide, !wide.empty() && wide[0].ndim() == 1 ? 0 : 1);
}

Variable vstack(const std::vector<Variable>& xs) {
  refuse_none("vstack", xs);
  return concat(widened(xs, 2, 1), 0);
}

Variable dstack(const std::vector<Variable>& xs) {
  refuse_none("dstack", xs);
  return concat(widened(xs, 3, 1), 2);
}

}  // namespace chainerxx::functions
