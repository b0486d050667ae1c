// SPDX-License-Identifier: MIT
#include <algorithm>
#include <limits>
#include <string>

#include "cupyxx/core/arrays.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/indexing.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/math.h"

namespace cupyxx {

namespace {

// 1 on and below the k-th diagonal, 0 above. That depends on the column less the row, so the rows
// of this view are windows of one line.
ndarray lower(std::int64_t n, std::int64_t m, std::int64_t k, dtype type) {
  if (n <= 0 || m <= 0) {
    return zeros({std::max<std::int64_t>(n, 0), std::max<std::int64_t>(m, 0)}, type);
  }
  const ndarray line = less_equal(arange(1 - n, m), k).astype(type, false);
  const std::int64_t step = type.itemsize();
  char* const first_row = static_cast<char*>(line.elements()) + (n - 1) * step;
  return internal::make_view(line, first_row, type, {n, m}, {-step, step});
}

ndarray masked(const char* operation, const ndarray& a, std::int64_t k, bool keep_lower) {
  if (a.ndim() == 0) {
    throw ShapeError(message(operation, ": needs an axis; the shape is ()"));
  }
  const DeviceScope scope(a.device());
  const Shape shape = a.shape();
  const std::int64_t columns = shape.back();
  // NumPy repeats a vector as the rows of a square.
  const std::int64_t rows = shape.ndim() == 1 ? columns : shape[shape.ndim() - 2];
  const ndarray zero = zeros({}, a.dtype());
  const ndarray mask = lower(rows, columns, k, bool_);
  return keep_lower ? where(mask, a, zero) : where(mask, zero, a);
}

}  // namespace

ndarray tri(internal::Int64 n, internal::Int64 m, internal::Int64 k, dtype type) {
  return lower(n, m < 0 ? n : m, k, type).copy(Order::C);
}

ndarray tril(const ndarray& a, internal::Int64 k) {
  internal::check_not_none("tril", a);
  return masked("tril", a, k, true);
}
ndarray triu(const ndarray& a, internal::Int64 k) {
  internal::check_not_none("triu", a);
  return masked("triu", a, k - (k != std::numeric_limits<std::int64_t>::min()), false);
}

ndarray vander(const ndarray& x, internal::Int64 n, const VanderOptions& options) {
  if (x.is_none()) throw TypeError("vander: the array is None");
  if (x.ndim() != 1) throw ValueError(message("vander: needs a 1-D array; ", x.shape()));
  // -1 is the default.
  if (n < -1) {
    throw ValueError(
        message("vander: the number of columns must not be negative; ", std::int64_t{n}));
  }
  const DeviceScope scope(x.device());
  const std::int64_t columns = n < 0 ? x.size() : std::int64_t{n};
  const dtype type = promote_types(x.dtype(), int64);
  const ndarray result = empty({x.size(), columns}, type);
  if (result.size() == 0) return result;
  const auto place = [&](std::int64_t i) { return options.increasing ? i : columns - 1 - i; };
  // On the host so many rows at a time that the caches keep them.
  const std::int64_t block = x.device().is_cpu() ? 1024 : x.size();
  for (std::int64_t first = 0; first < x.size(); first += block) {
    const slice range(first, std::min(first + block, x.size()));
    const ndarray base = block < x.size() ? x(range) : x;
    const ndarray rows = block < x.size() ? result(range) : result;
    const ndarray powers = ones({base.size()}, type);
    for (std::int64_t i = 0; i < columns; ++i) {
      if (i > 0) multiply(powers, base, {.out = powers});
      copyto(rows(slice(), place(i)), powers);
    }
  }
  return result;
}

Arrays meshgrid(std::span<const ndarray> arrays, const MeshgridOptions& options) {
  for (const ndarray& a : arrays) internal::check_not_none("meshgrid", a);
  const int rank = static_cast<int>(arrays.size());
  std::vector<ndarray> grid;
  Shape full_shape;
  for (int i = 0; i < rank; ++i) {
    const ndarray& a = arrays[static_cast<std::size_t>(i)];
    if (a.ndim() > 1) {
      throw ValueError(message("meshgrid: arguments have one axis at most; ", a.shape()));
    }
    // The first two axes are exchanged for "xy".
    const int axis = options.indexing == GridIndexing::xy && rank > 1 && i < 2 ? 1 - i : i;
    Shape shape;
    for (int j = 0; j < rank; ++j) shape.push_back(j == axis ? a.size() : 1);
    grid.push_back(a.reshape(shape));
    full_shape = full_shape.empty() ? shape : broadcast_shapes("meshgrid", full_shape, shape);
  }
  for (ndarray& a : grid) {
    if (!options.sparse) a = broadcast_to(a, full_shape);
    if (options.copy) a = a.copy(Order::C);
  }
  return grid;
}

// Of lists.

}  // namespace cupyxx
