// SPDX-License-Identifier: MIT
#include "cupyxx/picking.h"

#include <string>
#include <vector>

#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/internal/places.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/math.h"
#include "cupyxx/reduction.h"

namespace cupyxx {

namespace {

// The index list that names every place: positions along the other axes, `indices` along this one.
std::vector<Index> along_axis(const char* operation, const ndarray& a, const ndarray& indices,
                              int axis) {
  if (a.ndim() != indices.ndim()) {
    throw ValueError(std::string(operation) + ": indices need as many axes as the array; " +
                     indices.shape().str() + " and " + a.shape().str());
  }
  if (!indices.dtype().is_integer()) {
    throw IndexError(std::string(operation) + ": indices must be integers, not " +
                     std::string(indices.dtype().name()));
  }
  const int at = normalize_axis(operation, axis, a.ndim());
  const DeviceScope scope(a.device());
  std::vector<Index> index;
  for (int i = 0; i < a.ndim(); ++i) {
    if (i == at) {
      index.emplace_back(indices);
      continue;
    }
    Shape shape;
    for (int j = 0; j < a.ndim(); ++j) shape.push_back(j == i ? a.shape()[i] : 1);
    index.emplace_back(arange(a.shape()[i]).reshape(shape));
  }
  return index;
}

// Positions within [0, count).
ndarray positions(const char* operation, const ndarray& indices, std::int64_t count,
                  IndexMode mode) {
  if (!indices.dtype().is_integer() && !indices.dtype().is_bool()) {
    throw TypeError(std::string(operation) + ": indices must be integers, not " +
                    std::string(indices.dtype().name()));
  }
  const ndarray index = indices.astype(int64, false);
  if (index.size() == 0) return index;
  if (count == 0) throw IndexError(std::string(operation) + ": there is no element to choose");
  if (mode == IndexMode::wrap) return remainder(index, count);
  if (mode == IndexMode::clip) return clip(index, 0, count - 1);
  const auto low = amin(index).item<std::int64_t>(), high = amax(index).item<std::int64_t>();
  if (low < -count || high >= count) {
    throw IndexError(std::string(operation) + ": index " +
                     std::to_string(high >= count ? high : low) + " is out of bounds for size " +
                     std::to_string(count));
  }
  return where(index < 0, index + count, index);
}

}  // namespace

ndarray take_along_axis(const ndarray& a, const ndarray& indices, int axis) {
  const auto index = along_axis("take_along_axis", a, indices, axis);
  return a.getitem(std::span<const Index>(index)).get();
}

void put_along_axis(const ndarray& a, const ndarray& indices, const Operand& values, int axis) {
  const auto index = along_axis("put_along_axis", a, indices, axis);
  a.setitem(std::span<const Index>(index), values);
}

void put(const ndarray& a, const ndarray& indices, const Operand& values, IndexMode mode) {
  if (!a.flags().writeable) throw ValueError("put: assignment destination is read-only");
  const DeviceScope scope(a.device());
  const ndarray rows = positions("put", indices.ravel(), a.size(), mode);
  const ndarray given = values.is_array() ? values.array().ravel() : full({1}, values, a.dtype());
  if (rows.size() == 0 || given.size() == 0) return;
  const internal::Places places{a, a.ndim(), rows, 0};
  const ndarray cycle =
      take(given.astype(a.dtype(), false), arange(rows.size()), 0, {.mode = IndexMode::wrap});
  internal::scatter("put", places, ascontiguousarray(rows), cycle);
}

ndarray choose(const ndarray& a, std::span<const ndarray> choices, IndexMode mode) {
  const auto count = static_cast<std::int64_t>(choices.size());
  if (!a.dtype().is_integer() && !a.dtype().is_bool()) {
    throw TypeError("choose: the selector must be integers, not " + std::string(a.dtype().name()));
  }
  if (mode == IndexMode::raise && a.size() != 0) {
    const auto low = amin(a).item<std::int64_t>(), high = amax(a).item<std::int64_t>();
    if (low < 0 || high >= count) {
      throw ValueError("choose: invalid entry in choice array; " +
                       std::to_string(low < 0 ? low : high) + " of " + std::to_string(count));
    }
  }
  if (count == 0) throw ValueError("choose: there is nothing to choose from");
  const ndarray selector =
      positions("choose", a, count, mode == IndexMode::raise ? IndexMode::clip : mode);
  ndarray result = choices[0];
  dtype type = result.dtype();
  for (const ndarray& choice : choices) type = promote_types(type, choice.dtype());
  result = broadcast_to(result.astype(type, false),
                        broadcast_shapes("choose", selector.shape(), result.shape()));
  for (std::int64_t i = 1; i < count; ++i) {
    result = where(equal(selector, i), choices[static_cast<std::size_t>(i)], result);
  }
  return count == 1 ? result.copy() : result;
}

ndarray compress(const ndarray& condition, const ndarray& a, const Axes& axis) {
  if (condition.ndim() != 1) {
    throw ValueError("compress: the condition must have one axis; " + condition.shape().str());
  }
  const ndarray x = axis.is_all() ? a.ravel() : a;
  const int at = axis.is_all() ? 0 : normalize_axis("compress", axis.list()[0], x.ndim());
  const auto holds = not_equal(condition, 0).to_vector<std::uint8_t>();
  std::vector<std::int64_t> chosen;
  for (std::size_t i = 0; i < holds.size(); ++i) {
    if (holds[i] != 0) chosen.push_back(static_cast<std::int64_t>(i));
  }
  if (!chosen.empty() && chosen.back() >= x.shape()[at]) {
    throw IndexError("compress: index " + std::to_string(chosen.back()) +
                     " is out of bounds for axis " + std::to_string(at) + " with size " +
                     std::to_string(x.shape()[at]));
  }
  const DeviceScope scope(a.device());
  return take(x, array(chosen), at);
}

ndarray extract(const ndarray& condition, const ndarray& a) {
  return compress(condition.ravel(), a.ravel(), 0);
}

}  // namespace cupyxx
