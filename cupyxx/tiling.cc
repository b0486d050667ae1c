// SPDX-License-Identifier: MIT
#include "cupyxx/tiling.h"

#include <algorithm>
#include <string>

#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/indexing.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/math.h"

namespace cupyxx {

namespace {

// `a` with axes of extent 1 in front up to a rank.
ndarray with_rank(const ndarray& a, int rank) {
  Shape shape = a.shape();
  while (shape.ndim() < rank) shape.insert(0, 1);
  return a.reshape(shape);
}

// The axis of a routine that flattens without one, and the array it is an axis of.
int chosen_axis(const char* operation, const Axes& axis, ndarray& a) {
  if (axis.is_all()) {
    a = a.ravel();
    return 0;
  }
  if (axis.list().ndim() != 1) {
    throw TypeError(std::string(operation) + ": takes one axis; " + axis.list().str());
  }
  return normalize_axis(operation, axis.list()[0], a.ndim());
}

// The element at position i of the endless continuation of an axis.
std::int64_t continued(PadMode mode, std::int64_t i, std::int64_t extent) {
  const auto modulo = [](std::int64_t x, std::int64_t n) { return (x % n + n) % n; };
  if (mode == PadMode::edge) return std::clamp<std::int64_t>(i, 0, extent - 1);
  if (mode == PadMode::wrap) return modulo(i, extent);
  if (mode == PadMode::symmetric) {
    const std::int64_t at = modulo(i, 2 * extent);
    return at < extent ? at : 2 * extent - 1 - at;
  }
  if (extent == 1) return 0;
  const std::int64_t at = modulo(i, 2 * extent - 2);
  return at < extent ? at : 2 * extent - 2 - at;
}

}  // namespace

ndarray tile(const ndarray& a, const Shape& reps) {
  const int rank = std::max(a.ndim(), reps.ndim());
  Shape from, into, result;
  const ndarray x = with_rank(a, rank);
  for (int axis = 0; axis < rank; ++axis) {
    const int at = axis - (rank - reps.ndim());
    const std::int64_t count = at < 0 ? 1 : reps[at], extent = x.shape()[axis];
    if (count != 1) {
      from.push_back(1);
      into.push_back(count);
    }
    from.push_back(extent);
    into.push_back(extent);
    result.push_back(count * extent);
  }
  const DeviceScope scope(a.device());
  const ndarray out = empty(into, a.dtype());
  copyto(out, x.reshape(from));
  return out.reshape(result);
}

ndarray repeat(const ndarray& a, std::int64_t repeats, const Axes& axis) {
  if (repeats < 0) {
    throw ValueError("repeat: counts cannot be negative; " + std::to_string(repeats));
  }
  ndarray x = a;
  const int at = chosen_axis("repeat", axis, x);
  Shape into = x.shape(), result = x.shape();
  into.insert(at + 1, repeats);
  result[at] *= repeats;
  const DeviceScope scope(a.device());
  const ndarray out = empty(into, a.dtype());
  copyto(out, expand_dims(x, at + 1));
  return out.reshape(result);
}

ndarray repeat(const ndarray& a, const std::vector<std::int64_t>& repeats, const Axes& axis) {
  if (repeats.size() == 1) return repeat(a, repeats[0], axis);
  ndarray x = a;
  const int at = chosen_axis("repeat", axis, x);
  if (static_cast<std::int64_t>(repeats.size()) != x.shape()[at]) {
    throw ValueError("repeat: " + std::to_string(repeats.size()) + " counts for an axis of " +
                     std::to_string(x.shape()[at]));
  }
  std::vector<std::int64_t> positions;
  for (std::size_t i = 0; i < repeats.size(); ++i) {
    if (repeats[i] < 0) {
      throw ValueError("repeat: counts cannot be negative; " + std::to_string(repeats[i]));
    }
    positions.insert(positions.end(), static_cast<std::size_t>(repeats[i]),
                     static_cast<std::int64_t>(i));
  }
  const DeviceScope scope(a.device());
  return take(x, array(positions), at);
}

ndarray pad(const ndarray& a, const PadWidth& width, const PadOptions& options) {
  const auto& pairs = width.pairs();
  const int rank = a.ndim();
  if (pairs.size() != 1 && pairs.size() != static_cast<std::size_t>(rank)) {
    throw ValueError("pad: " + std::to_string(pairs.size()) + " pairs of widths for shape " +
                     a.shape().str());
  }
  const DeviceScope scope(a.device());
  const auto pair_of = [&](int axis) {
    return pairs.size() == 1 ? pairs[0] : pairs[static_cast<std::size_t>(axis)];
  };
  Shape shape = a.shape();
  std::vector<internal::IndexItem> inside;
  for (int axis = 0; axis < rank; ++axis) {
    const auto [before, after] = pair_of(axis);
    if (before < 0 || after < 0) {
      throw ValueError("pad: widths cannot be negative; " + Shape{before, after}.str());
    }
    inside.emplace_back(slice(before, before + shape[axis]));
    shape[axis] += before + after;
  }
  if (options.mode == PadMode::constant) {
    const ndarray out = full(shape, options.constant_values, a.dtype());
    out.setitem(std::span<const internal::IndexItem>(inside), a);
    return out;
  }
  ndarray out = a;
  for (int axis = 0; axis < rank; ++axis) {
    const auto [before, after] = pair_of(axis);
    const std::int64_t extent = a.shape()[axis];
    if (before + after == 0) continue;
    if (extent == 0) {
      throw ValueError("pad: only `constant` can extend an empty axis; the shape is " +
                       a.shape().str());
    }
    std::vector<std::int64_t> positions;
    for (std::int64_t i = -before; i < extent + after; ++i) {
      positions.push_back(continued(options.mode, i, extent));
    }
    out = take(out, array(positions), axis);
  }
  return out.shares_memory(a) ? out.copy() : out;
}

ndarray kron(const ndarray& a, const ndarray& b) {
  const int rank = std::max(a.ndim(), b.ndim());
  const Shape x = with_rank(a, rank).shape(), y = with_rank(b, rank).shape();
  Shape left, right, result;
  for (int axis = 0; axis < rank; ++axis) {
    left.push_back(x[axis]);
    left.push_back(1);
    right.push_back(1);
    right.push_back(y[axis]);
    result.push_back(x[axis] * y[axis]);
  }
  return multiply(a.reshape(left), b.reshape(right)).reshape(result);
}

}  // namespace cupyxx
