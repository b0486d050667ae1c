// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstring>
#include <span>
#include <vector>

#include "cupyxx/core/arrays.h"
#include "cupyxx/core/chosen.h"
#include "cupyxx/core/rows.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/indexing.h"
#include "cupyxx/internal/cpu/copy_bytes.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/math.h"

namespace cupyxx {

namespace {

using Positions = std::vector<std::int64_t>;

// The array to edit and its axis: the flattened array and 0 for no axis.
struct Target {
  ndarray a;
  int axis = 0;
  std::int64_t extent = 0;

  Target(const char* operation, const ndarray& array, const Axes& axes) : a(array) {
    internal::check_not_none(operation, array);
    if (axes.is_all()) {
      a = array.ravel();
    } else if (axes.list().ndim() != 1) {
      throw TypeError(message(operation, ": takes one axis or none; ", axes.list()));
    } else {
      axis = normalize_axis(operation, axes.list()[0], a.ndim());
    }
    extent = a.shape()[axis];
  }
};

// An index in [0, end), counted from the front; `end` is the extent, or one more.
std::int64_t resolved(const char* operation, std::int64_t index, const Target& target,
                      std::int64_t end) {
  if (index >= -target.extent && index < end) return index < 0 ? index + target.extent : index;
  throw IndexError(message(operation, ": index ", index, " is out of bounds for axis ", target.axis,
                           " with size ", target.extent));
}

void check_integers(const char* operation, const ndarray& indices) {
  internal::check_not_none(operation, indices);
  if (indices.size() == 0 || indices.dtype().is_integer() || indices.dtype().is_bool()) return;
  throw IndexError(
      message(operation, ": indices must be integers or bool, not ", indices.dtype().name()));
}

Positions integers(const char* operation, const ndarray& indices) {
  check_integers(operation, indices);
  return indices.to_vector<std::int64_t>();
}

// The slices along the axis that a mask on the host leaves.
ndarray kept(const Target& target, const ndarray& left) {
  const DeviceScope scope(target.a.device());
  if (target.a.ndim() == 1 && target.a.device().is_cpu()) {
    return internal::chosen_elements("delete", target.a, left);
  }
  const ndarray positions = internal::true_positions("delete", left);
  return take(target.a, positions.to(target.a.device()), target.axis);
}

// A mask on the host that leaves all.
ndarray all_left(const Target& target) {
  const DeviceScope scope(Device::cpu());
  return ones({target.extent}, bool_);
}

// `values` as an array of the target's dtype and at least its rank.
ndarray values_like(const Target& target, const Operand& values) {
  const DeviceScope scope(target.a.device());
  if (values.is_none()) throw TypeError("insert: the values are None");
  if (!values.is_array()) return internal::filled("insert", {}, values, target.a.dtype());
  values.move_list_to(target.a.device());
  internal::common_device("insert", target.a, values.array());
  return values.array().astype(target.a.dtype(), false);
}

ndarray with_rank(const ndarray& a, int rank) {
  return internal::array_beside(a, {}, {.copy = false, .order = Order::K, .ndmin = rank});
}

// `values` broadcast to slices of the target, `count` of them along the axis.
ndarray slices(const Target& target, const ndarray& values, std::int64_t count) {
  Shape shape = target.a.shape();
  shape[target.axis] = count;
  // Leading axes of extent 1 that the array lacks are dropped, as in an assignment.
  ndarray given = values;
  while (given.ndim() > shape.ndim() && given.shape()[0] == 1) given = squeeze(given, 0);
  return broadcast_to(given, shape);
}

}  // namespace

ndarray append(const ndarray& a, const Operand& values, const Axes& axis) {
  internal::check_not_none("append", a);
  const DeviceScope scope(a.device());
  if (values.is_none()) throw TypeError("append: the values are None");
  values.move_list_to(a.device());
  const ndarray tail = values.is_array() ? values.array() : array(values.scalar());
  return concatenate({a, tail}, axis, JoinOptions{});
}

ndarray append(const ndarray& a, std::initializer_list<ndarray> values, const Axes& axis) {
  internal::check_not_none("append", a);
  const DeviceScope scope(a.device());
  if (values.size() == 0) return append(a, zeros({0}), axis);
  return append(a, values.size() == 1 ? *values.begin() : stack(values), axis);
}

ndarray delete_(const ndarray& a, internal::Int64 index, const Axes& axis) {
  const Target target("delete", a, axis);
  const std::int64_t at = resolved("delete", index, target, target.extent);
  return concatenate({internal::part(target.a, target.axis, none, at),
                      internal::part(target.a, target.axis, at + 1, none)},
                     target.axis);
}

ndarray internal::delete_range(const ndarray& a, const slice& range, const Axes& axis) {
  const Target target("delete", a, axis);
  const ndarray left = all_left(target);
  left(range) = false;
  return kept(target, left);
}

ndarray delete_(const ndarray& a, const ndarray& indices, const Axes& axis) {
  const Target target("delete", a, axis);
  check_integers("delete", indices);
  if (indices.dtype().is_bool()) {
    if (indices.ndim() != 1 || indices.size() != target.extent) {
      throw ValueError(message("delete: a mask must have the length of the axis, ", target.extent,
                               "; ", indices.shape()));
    }
    return kept(target, logical_not(indices.to_cpu()));
  }
  const ndarray left = all_left(target);
  auto* const flags = static_cast<std::uint8_t*>(left.elements());
  const ndarray given = internal::contiguous(indices.to_cpu().astype(int64, false));
  const std::int64_t extent = target.extent;
  for (const std::int64_t i : given.span<std::int64_t>()) {
    const std::int64_t at = i < 0 ? i + extent : i;
    if (at < 0 || at >= extent) resolved("delete", i, target, extent);  // throws
    flags[at] = 0;
  }
  return kept(target, left);
}

namespace {

// The slices of `given` before one index.
ndarray insert_at(const Target& target, std::int64_t index, const ndarray& given) {
  const std::int64_t at = resolved("insert", index, target, target.extent + 1);
  if (given.ndim() > target.a.ndim()) {
    throw ShapeError(message("insert: values of shape ", given.shape(),
                             " do not broadcast to slices of ", target.a.shape()));
  }
  return concatenate({internal::part(target.a, target.axis, none, at),
                      slices(target, given, given.shape()[target.axis]),
                      internal::part(target.a, target.axis, at, none)},
                     target.axis);
}

}  // namespace

ndarray insert(const ndarray& a, internal::Int64 index, const Operand& values, const Axes& axis) {
  const Target target("insert", a, axis);
  const ndarray given = with_rank(values_like(target, values), target.a.ndim());
  // NumPy's rule for one index: the first axis of the values lies along the axis.
  return insert_at(target, index, target.axis == 0 ? given : moveaxis(given, 0, target.axis));
}

ndarray internal::insert_range(const ndarray& a, const slice& range, const Operand& values,
                               const Axes& axis) {
  const Target target("insert", a, axis);
  const DeviceScope scope(Device::cpu());
  const ndarray indices = arange(target.extent)(range);
  return insert(a, indices, values, axis);
}

ndarray insert(const ndarray& a, const ndarray& indices, const Operand& values, const Axes& axis) {
  internal::check_not_none("insert", indices);
  if (indices.ndim() == 0) return insert(a, indices.item<std::int64_t>(), values, axis);
  const Target target("insert", a, axis);
  if (indices.ndim() != 1) {
    throw ValueError(message("insert: indices must be 1-D at most; ", indices.shape()));
  }
  const Positions given = integers("insert", indices);
  if (given.size() == 1) {
    return insert_at(target, given[0], with_rank(values_like(target, values), target.a.ndim()));
  }
  const auto count = static_cast<std::int64_t>(given.size());
  // The i-th value in order stands behind the i values that were put in before it.
  std::vector<std::pair<std::int64_t, std::int64_t>> order;
  for (const std::int64_t i : given) {
    order.emplace_back(resolved("insert", i, target, target.extent + 1),
                       static_cast<std::int64_t>(order.size()));
  }
  std::stable_sort(order.begin(), order.end(),
                   [](const auto& x, const auto& y) { return x.first < y.first; });
  Positions source;  // of each slice of the result; values come after those of `a`
  std::size_t next = 0;
  for (std::int64_t i = 0; i <= target.extent; ++i) {
    for (; next < order.size() && order[next].first == i; ++next) {
      source.push_back(target.extent + order[next].second);
    }
    if (i < target.extent) source.push_back(i);
  }
  const ndarray tail =
      slices(target, with_rank(values_like(target, values), target.a.ndim()), count);
  const DeviceScope scope(target.a.device());
  return take(concatenate({target.a, tail}, target.axis), array(source), target.axis);
}

namespace {

// The elements one after the other until the shape is full. What is there already is copied, twice
// as much each time.
ndarray repeated_to(const ndarray& a, const Shape& shape) {
  const ndarray source = internal::contiguous(a);
  const ndarray result = internal::make_array("resize", shape, a.dtype(), a.device());
  const auto bytes = static_cast<std::size_t>(result.nbytes());
  auto* to = static_cast<char*>(result.elements());
  std::size_t done = std::min(bytes, static_cast<std::size_t>(source.nbytes()));
  if (done != 0) internal::cpu::copy_bytes(to, source.elements(), done);
  while (done < bytes) {
    const std::size_t more = std::min(done, bytes - done);
    internal::cpu::copy_bytes(to + done, to, more);
    done += more;
  }
  return result;
}

// Whether an element of an array on the host is certainly no zero: it has a bit beside the sign of
// a floating number, which zeros may have.
bool differs_from_zero(const ndarray& a, std::int64_t i) {
  if (!a.device().is_cpu() || a.dtype().is_complex() || a.itemsize() > 8) return false;
  std::uint64_t bits = 0;
  std::memcpy(&bits, static_cast<const char*>(a.elements()) + i * a.strides()[0],
              static_cast<std::size_t>(a.itemsize()));
  const std::uint64_t sign = std::uint64_t{1} << (8 * a.itemsize() - 1);
  return (bits & ~sign) != 0;
}

// How many zeros stand at an end. The host looks at a few elements first, then at more and more.
std::int64_t zeros_at(const ndarray& a, bool at_end) {
  const std::int64_t size = a.size();
  if (size > 0 && differs_from_zero(a, at_end ? size - 1 : 0)) return 0;
  std::int64_t piece = a.device().is_cpu() ? 64 : std::max<std::int64_t>(size, 1);
  for (std::int64_t begin = 0; begin < size; begin += piece, piece *= 8) {
    const std::int64_t end = std::min(size, begin + piece);
    const ndarray part = at_end ? a(slice(size - end, size - begin)) : a(slice(begin, end));
    const auto nonzero = not_equal(part, 0).to_vector<std::uint8_t>();
    const auto found = at_end ? std::find(nonzero.rbegin(), nonzero.rend(), 1) - nonzero.rbegin()
                              : std::find(nonzero.begin(), nonzero.end(), 1) - nonzero.begin();
    if (found < end - begin) return begin + found;
  }
  return size;
}

}  // namespace

ndarray resize(const ndarray& a, const Shape& shape) {
  internal::check_not_none("resize", a);
  for (const std::int64_t extent : shape) {
    if (extent < 0) {
      throw ValueError(message("resize: negative dimensions are not allowed; ", shape));
    }
  }
  const DeviceScope scope(a.device());
  const std::int64_t size = shape.element_count();
  if (a.size() == 0) return zeros(shape, a.dtype());
  if (a.device().is_cpu()) return repeated_to(a, shape);
  return take(a, arange(size), {.mode = IndexMode::wrap}).reshape(shape);
}

ndarray trim_zeros(const ndarray& a, std::string_view trim) {
  internal::check_not_none("trim_zeros", a);
  if (a.ndim() != 1) throw ValueError(message("trim_zeros: needs a 1-D array; ", a.shape()));
  const auto named = [&](char lower, char upper) {
    return trim.find(lower) != trim.npos || trim.find(upper) != trim.npos;
  };
  const std::int64_t begin = named('f', 'F') ? zeros_at(a, false) : 0;
  const std::int64_t behind = named('b', 'B') && begin < a.size() ? zeros_at(a, true) : 0;
  return a(slice(begin, a.size() - behind));
}

namespace {

// Blocks of one dtype on the host whose sides fit, copied to their places at once; null where they
// are not.
ndarray blocks_in_place(const std::vector<std::vector<ndarray>>& rows, int rank) {
  const ndarray& first = rows[0][0];
  const int last = rank - 1;
  std::vector<std::vector<ndarray>> parts(rows.size());
  Shape shape;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].empty()) return {};
    Shape row;
    for (const ndarray& a : rows[i]) {
      if (!a.device().is_cpu() || a.dtype() != first.dtype()) return {};
      parts[i].push_back(with_rank(a, rank));
      const Shape own = parts[i].back().shape();
      if (row.empty()) {
        row = own;
        continue;
      }
      for (int axis = 0; axis < last; ++axis) {
        if (own[axis] != row[axis]) return {};
      }
      row[last] += own[last];
    }
    if (shape.empty()) {
      shape = row;
      continue;
    }
    for (int axis = 0; axis < rank; ++axis) {
      if (axis != last - 1 && row[axis] != shape[axis]) return {};
    }
    shape[last - 1] += row[last - 1];
  }
  const ndarray result = internal::make_array("block", shape, first.dtype(), first.device());
  std::int64_t top = 0;
  for (const auto& row : parts) {
    const std::int64_t height = row[0].shape()[last - 1];
    const ndarray band = internal::part(result, last - 1, top, top + height);
    std::int64_t left = 0;
    for (const ndarray& a : row) {
      const std::int64_t width = a.shape()[last];
      internal::assign("block", internal::part(band, last, left, left + width), a);
      left += width;
    }
    top += height;
  }
  return result;
}

}  // namespace

ndarray block(const std::vector<std::vector<ndarray>>& rows) {
  int rank = 2;
  for (const auto& row : rows) {
    for (const ndarray& a : row) {
      internal::check_not_none("block", a);
      rank = std::max(rank, a.ndim());
    }
  }
  if (rows.size() > 1 && !rows[0].empty()) {
    const ndarray result = blocks_in_place(rows, rank);
    if (!result.is_none()) return result;
  }
  std::vector<ndarray> joined;
  for (const auto& row : rows) {
    std::vector<ndarray> parts;
    for (const ndarray& a : row) parts.push_back(with_rank(a, rank));
    joined.push_back(concatenate(parts, -1));
  }
  return joined.size() == 1 ? joined[0] : concatenate(joined, -2);
}

ndarray block(std::initializer_list<std::initializer_list<internal::ListedArray>> rows) {
  std::vector<std::vector<ndarray>> arrays;
  for (const auto& row : rows) {
    const std::span<const ndarray> all = internal::as_span(row);
    arrays.emplace_back(all.begin(), all.end());
  }
  return block(arrays);
}

ndarray internal::block_row(const std::vector<ndarray>& row) {
  int rank = 1;
  for (const ndarray& a : row) {
    check_not_none("block", a);
    rank = std::max(rank, a.ndim());
  }
  std::vector<ndarray> parts;
  for (const ndarray& a : row) parts.push_back(with_rank(a, rank));
  return concatenate(parts, -1);
}

// Of lists.

ndarray delete_(const ArrayLike& a, const ArrayLike& indices, const Axes& axis) {
  return delete_(a.beside(indices), indices.beside(a), axis);
}

ndarray insert(const ArrayLike& a, const ArrayLike& indices, const Operand& values,
               const Axes& axis) {
  return insert(a.beside(indices), indices.beside(a), values, axis);
}

ndarray append(const ArrayLike& a, const Operand& values, const Axes& axis) {
  return append(a.array(), values, axis);
}

ndarray resize(const ArrayLike& a, const Shape& shape) { return resize(a.array(), shape); }

ndarray trim_zeros(const ArrayLike& a, std::string_view trim) {
  return trim_zeros(a.array(), trim);
}

}  // namespace cupyxx
