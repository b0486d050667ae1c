// SPDX-License-Identifier: MIT
#include <algorithm>
#include <string_view>
#include <utility>

#include "cupyxx/core/arrays.h"
#include "cupyxx/core/checked.h"
#include "cupyxx/core/rows.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/indexing.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/math.h"
#include "cupyxx/reduction.h"
#include "cupyxx/statistics.h"

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
    throw TypeError(message(operation, ": takes one axis; ", axis.list()));
  }
  if (a.ndim() == 0) a = a.ravel();  // has an axis 0, as in NumPy
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

// `count` times the elements of an array, one after the other. Short ones are copied many at a
// time.
ndarray in_rows(const ndarray& a, std::int64_t count) {
  const std::int64_t n = a.size(), many = n == 0 ? 1 : std::max<std::int64_t>(1, 8192 / a.nbytes());
  const ndarray row = a.reshape({1, n}), out = empty({count, n}, a.dtype());
  const auto rows = [&](std::int64_t begin, std::int64_t end) {
    return internal::part(out, 0, begin, end);
  };
  if (many == 1 || count < 2 * many) {
    copyto(out, row);
    return out;
  }
  const std::int64_t whole = count / many * many;
  copyto(rows(0, many), row);
  copyto(rows(many, whole).reshape({whole / many - 1, many * n}),
         rows(0, many).reshape({1, many * n}));
  copyto(rows(whole, count), row);
  return out;
}

}  // namespace

ndarray tile(const ndarray& a, const Shape& reps) {
  internal::check_not_none("tile", a);
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
    result.push_back(internal::multiplied("tile", count, extent));
  }
  const DeviceScope scope(a.device());
  const bool in_front = into.ndim() == rank + 1 && result[0] != x.shape()[0];
  if (in_front && x.flags().c_contiguous && a.device().is_cpu())
    return in_rows(x, into[0]).reshape(result);
  const ndarray out = empty(into, a.dtype());
  copyto(out, x.reshape(from));
  return out.reshape(result);
}

ndarray repeat(const ndarray& a, internal::Int64 repeats, const Axes& axis) {
  internal::check_not_none("repeat", a);
  if (repeats < 0) {
    throw ValueError(message("repeat: counts cannot be negative; ", repeats));
  }
  ndarray x = a;
  const int at = chosen_axis("repeat", axis, x);
  Shape into = x.shape(), result = x.shape();
  into.insert(at + 1, repeats);
  result[at] = internal::multiplied("repeat", result[at], repeats);
  const DeviceScope scope(a.device());
  const ndarray out = empty(into, a.dtype());
  copyto(out, expand_dims(x, at + 1));
  return out.reshape(result);
}

std::vector<std::int64_t> internal::repeat_counts(const ndarray& repeats) {
  check_not_none("repeat", repeats);
  if (!can_cast(repeats.dtype(), int64)) {
    throw TypeError(message("repeat: counts must be integers; ", repeats.dtype().name()));
  }
  if (repeats.ndim() > 1) {
    throw ValueError(message("repeat: counts must have one axis; ", repeats.shape()));
  }
  return repeats.to_vector<std::int64_t>();
}

ndarray repeat(const ndarray& a, std::span<const std::int64_t> repeats, const Axes& axis) {
  internal::check_not_none("repeat", a);
  if (repeats.size() == 1) return repeat(a, repeats[0], axis);
  ndarray x = a;
  const int at = chosen_axis("repeat", axis, x);
  if (static_cast<std::int64_t>(repeats.size()) != x.shape()[at]) {
    throw ValueError(message("repeat: ", repeats.size(), " counts for an axis of ", x.shape()[at]));
  }
  std::int64_t count = 0;
  for (const std::int64_t times : repeats) {
    if (times < 0) {
      throw ValueError(message("repeat: counts cannot be negative; ", times));
    }
    count = internal::added("repeat", count, times);
  }
  auto positions = internal::room_for<std::vector<std::int64_t>>("repeat", count);
  auto place = positions.begin();
  for (std::size_t i = 0; i < repeats.size(); ++i) {
    place = std::fill_n(place, repeats[i], static_cast<std::int64_t>(i));
  }
  const DeviceScope scope(a.device());
  return take(x, array(positions), at);
}

namespace {

template <class Pair>
Pair pair_of(const std::vector<Pair>& pairs, int axis) {
  return pairs.size() == 1 ? pairs[0] : pairs[static_cast<std::size_t>(axis)];
}

void check_pairs(const char* what, std::size_t count, const ndarray& a) {
  if (count == 1 || count == static_cast<std::size_t>(a.ndim())) return;
  throw ValueError(message("pad: ", count, " pairs of ", what, " for shape ", a.shape()));
}

// A statistic of the first or the last elements along an axis, rounded for integers.
ndarray statistic(const ndarray& a, int axis, const PadOptions& options, bool at_end) {
  const std::int64_t extent = a.shape()[axis];
  std::int64_t length = extent;
  if (options.stat_length) {
    check_pairs("stat_length", options.stat_length->pairs().size(), a);
    length = std::min(pair_of(options.stat_length->pairs(), axis)[at_end ? 1 : 0], extent);
  }
  if (length < 0 || (length == 0 && options.mode != PadMode::mean)) {
    throw ValueError(message("pad: stat_length must be positive; ", length));
  }
  const ndarray part = at_end ? internal::part(a, axis, extent - length, none)
                              : internal::part(a, axis, none, length);
  ndarray result;
  switch (options.mode) {
    case PadMode::maximum_:
      return amax(part, axis, {.keepdims = true});
    case PadMode::minimum_:
      return amin(part, axis, {.keepdims = true});
    case PadMode::mean:
      result = mean(part, axis, {.keepdims = true});
      break;
    default:
      result = median(part, axis, {.keepdims = true});
  }
  return (a.dtype().is_integer() ? rint(result) : result).astype(a.dtype(), false);
}

// Evenly spaced from `end` (without it being left out) to the edge, which is left out.
ndarray ramp(const ndarray& a, int axis, const Scalar& end, std::int64_t width, bool at_end) {
  const std::int64_t edge = at_end ? a.shape()[axis] - 1 : 0;
  const ndarray stop = squeeze(internal::part(a, axis, edge, edge + 1), axis);
  const ndarray values =
      linspace(Operand(end), stop, width, {.endpoint = false, .dtype = a.dtype(), .axis = axis});
  if (!at_end) return values;
  std::vector<internal::IndexItem> backwards(static_cast<std::size_t>(axis), slice());
  backwards.emplace_back(slice(none, none, -1));
  return values.getitem(std::span<const internal::IndexItem>(backwards));
}

// What one side of an axis is extended by, for modes that make new elements.
ndarray border(const ndarray& a, int axis, const PadOptions& options, std::int64_t width,
               bool at_end) {
  if (options.mode == PadMode::linear_ramp) {
    return ramp(a, axis, pair_of(options.end_values.pairs(), axis)[at_end ? 1 : 0], width, at_end);
  }
  Shape shape = a.shape();
  shape[axis] = width;
  if (options.mode == PadMode::empty) return empty(shape, a.dtype());
  if (options.mode == PadMode::constant) {
    return internal::filled(
        "pad", shape, pair_of(options.constant_values.pairs(), axis)[at_end ? 1 : 0], a.dtype());
  }
  return broadcast_to(statistic(a, axis, options, at_end), shape);
}

bool copies_elements(PadMode mode) {
  return mode == PadMode::edge || mode == PadMode::reflect || mode == PadMode::symmetric ||
         mode == PadMode::wrap;
}

// The continuation that is point symmetric about both edges. An element is one of a's, or its
// negative, and multiples of both edges: sign * a[at] + first * a[0] + last * a[extent - 1].
ndarray odd_continuation(const ndarray& a, int axis, const std::array<std::int64_t, 2>& widths,
                         PadMode mode) {
  const std::int64_t extent = a.shape()[axis];
  const std::int64_t period = mode == PadMode::symmetric ? 2 * extent : 2 * extent - 2;
  std::vector<std::int64_t> at, sign, first, last;
  for (std::int64_t i = -widths[0]; i < extent + widths[1]; ++i) {
    const std::int64_t round = (i >= 0 ? i : i - period + 1) / period, place = i - round * period;
    const bool mirrored = place >= extent;
    at.push_back(mirrored ? period - place - (mode == PadMode::symmetric ? 1 : 0) : place);
    sign.push_back(mirrored ? -1 : 1);
    first.push_back(-2 * round);
    last.push_back(2 * round + (mirrored ? 2 : 0));
  }
  Shape along;
  for (int i = 0; i < a.ndim(); ++i) along.push_back(i == axis ? -1 : 1);
  const auto factors = [&](const std::vector<std::int64_t>& values) {
    return array(values).astype(a.dtype()).reshape(along);
  };
  return take(a, array(at), axis) * factors(sign) + internal::part(a, axis, 0, 1) * factors(first) +
         internal::part(a, axis, extent - 1, extent) * factors(last);
}

// The positions before and behind the axis that its continuation takes.
ndarray continuation(const ndarray& a, int axis, PadMode mode, std::int64_t begin,
                     std::int64_t end) {
  std::vector<std::int64_t> positions;
  for (std::int64_t i = begin; i < end; ++i) {
    positions.push_back(continued(mode, i, a.shape()[axis]));
  }
  if (positions.empty()) return internal::part(a, axis, 0, 0);
  // Only the slices between them: `a` may be a view, of which taking makes a copy.
  const auto [low, high] = std::minmax_element(positions.begin(), positions.end());
  const std::int64_t first = *low;
  const ndarray between = internal::part(a, axis, first, *high + 1);
  for (std::int64_t& position : positions) position -= first;
  return take(between, array(positions), axis);
}

void check_extendable(const ndarray& a, int axis, PadMode mode) {
  if (a.shape()[axis] != 0 || mode == PadMode::constant || mode == PadMode::empty) return;
  throw ValueError(message(
      "pad: only `constant` and `empty` can extend an empty axis; the shape is ", a.shape()));
}

// The host writes the array into the middle of the result and extends it there, axis by axis, which
// copies it once.
ndarray pad_on_host(const ndarray& a, const std::vector<std::array<std::int64_t, 2>>& pairs,
                    const Shape& padded, const PadOptions& options) {
  const ndarray out = empty(padded, a.dtype());
  if (out.size() == 0) return out;
  // The part of the result that is complete.
  ndarray done = out;
  for (int axis = 0; axis < a.ndim(); ++axis) {
    const std::int64_t before = pair_of(pairs, axis)[0];
    done = internal::part(done, axis, before, before + a.shape()[axis]);
  }
  copyto(done, a);
  for (int axis = 0; axis < a.ndim(); ++axis) {
    const auto [before, after] = pair_of(pairs, axis);
    if (before + after == 0) continue;
    check_extendable(done, axis, options.mode);
    ndarray grown = out;
    for (int other = axis + 1; other < a.ndim(); ++other) {
      const std::int64_t begin = pair_of(pairs, other)[0];
      grown = internal::part(grown, other, begin, begin + a.shape()[other]);
    }
    const std::int64_t extent = a.shape()[axis];
    const bool copies = copies_elements(options.mode);
    if (before != 0) {
      const ndarray side = copies ? continuation(done, axis, options.mode, -before, 0)
                                  : border(done, axis, options, before, false);
      copyto(internal::part(grown, axis, 0, before), side);
    }
    if (after != 0) {
      const ndarray side = copies ? continuation(done, axis, options.mode, extent, extent + after)
                                  : border(done, axis, options, after, true);
      copyto(internal::part(grown, axis, before + extent, none), side);
    }
    done = grown;
  }
  return out;
}

ndarray pad_axis(const ndarray& a, int axis, const std::array<std::int64_t, 2>& widths,
                 const PadOptions& options) {
  const auto [before, after] = widths;
  const std::int64_t extent = a.shape()[axis];
  check_extendable(a, axis, options.mode);
  if (!copies_elements(options.mode)) {
    return concatenate(
        {border(a, axis, options, before, false), a, border(a, axis, options, after, true)}, axis);
  }
  const bool mirrors = options.mode == PadMode::reflect || options.mode == PadMode::symmetric;
  if (options.reflect_type == ReflectType::odd && mirrors &&
      (extent > 1 || options.mode == PadMode::symmetric)) {
    return odd_continuation(a, axis, widths, options.mode);
  }
  return continuation(a, axis, options.mode, -before, extent + after);
}

}  // namespace

std::vector<std::array<std::int64_t, 2>> PadWidth::one_pair(std::int64_t width) {
  return {{width, width}};
}

namespace internal {

PadMode pad_mode(std::string_view name) {
  for (const auto& [known, mode] : Choices<PadMode>::kAll) {
    if (known == name) return mode;
  }
  throw ValueError(message("pad: mode '", name, "' is not supported"));
}

void check_pad_pair(std::size_t count) {
  if (count != 1 && count != 2) {
    throw ValueError(
        message("pad: ", count, " numbers of one axis; write {before, after}, or {both}"));
  }
}

}  // namespace internal

PadWidth::PadWidth(const PadWidth&) = default;
PadWidth::PadWidth(PadWidth&&) noexcept = default;
PadWidth& PadWidth::operator=(const PadWidth&) = default;
PadWidth& PadWidth::operator=(PadWidth&&) noexcept = default;
PadWidth::~PadWidth() = default;

PadValues::PadValues(const PadValues&) = default;
PadValues::PadValues(PadValues&&) noexcept = default;
PadValues& PadValues::operator=(const PadValues&) = default;
PadValues& PadValues::operator=(PadValues&&) noexcept = default;
PadValues::~PadValues() = default;
PadValues::PadValues(const Scalar& all) : pairs_{{all, all}} {}
PadValues::PadValues(std::initializer_list<internal::PadPair<Scalar, Scalar>> pairs)
    : pairs_(pairs.begin(), pairs.end()) {}
PadValues::PadValues(std::vector<std::array<Scalar, 2>> pairs) : pairs_(std::move(pairs)) {}

ndarray pad(const ndarray& a, std::initializer_list<internal::WidthPair> width,
            const PadOptions& options) {
  return pad(a, PadWidth(width), options);
}

ndarray pad(const ndarray& a, const PadWidth& width, const PadOptions& options) {
  if (a.is_none()) throw TypeError("pad: the array is None");
  check_pairs("widths", width.pairs().size(), a);
  check_pairs("constant values", options.constant_values.pairs().size(), a);
  check_pairs("end values", options.end_values.pairs().size(), a);
  Shape padded = a.shape();
  for (int axis = 0; axis < a.ndim(); ++axis) {
    const auto [before, after] = pair_of(width.pairs(), axis);
    if (before < 0 || after < 0) {
      throw ValueError(message("pad: widths cannot be negative; ", Shape{before, after}));
    }
    padded[axis] = internal::added("pad", internal::added("pad", padded[axis], before), after);
    if (padded[axis] != a.shape()[axis]) check_extendable(a, axis, options.mode);
  }
  const DeviceScope scope(a.device());
  if (a.device().is_cpu() && options.reflect_type == ReflectType::even)
    return pad_on_host(a, width.pairs(), padded, options);
  // Whether there is room for the result shows before anything is made for it.
  const std::int64_t elements = empty(padded, a.dtype()).size();
  if (elements == 0) return empty(padded, a.dtype());
  ndarray out = a;
  for (int axis = 0; axis < a.ndim(); ++axis) {
    const auto widths = pair_of(width.pairs(), axis);
    if (widths[0] + widths[1] != 0) out = pad_axis(out, axis, widths, options);
  }
  return out.shares_memory(a) ? out.copy() : out;
}

ndarray kron(const ndarray& a, const ndarray& b) {
  internal::check_not_none("kron", a);
  internal::check_not_none("kron", b);
  const int rank = std::max(a.ndim(), b.ndim());
  ndarray x = with_rank(a, rank), y = with_rank(b, rank);
  // On the host over whole rows of the result: the last axis of b alone may be a few numbers.
  constexpr std::int64_t kShort = 32, kRows = 2;
  const std::int64_t few = rank > 1 ? y.shape().back() : 0, many = few > 0 ? x.shape().back() : 0;
  const bool by_rows = few > 0 && few < kShort && many > 0 && a.size() / many >= kRows &&
                       b.size() / few >= kRows && a.device().is_cpu() && b.device().is_cpu();
  Shape left, right, result, times;
  for (int axis = 0; axis < rank; ++axis) {
    const std::int64_t m = x.shape()[axis], n = y.shape()[axis];
    result.push_back(internal::multiplied("kron", m, n));
    const bool is_row = by_rows && axis == rank - 1;
    left.push_back(is_row ? m * n : m);
    if (!is_row) left.push_back(1);
    if (!is_row) right.push_back(1);
    right.push_back(is_row ? m * n : n);
    times.push_back(is_row ? m : 1);
  }
  if (by_rows) {
    x = repeat(x, few, rank - 1);
    y = tile(y, times);
  }
  return multiply(x.reshape(left), y.reshape(right)).reshape(result);
}

// Of lists.

ndarray tile(const ArrayLike& a, const Shape& reps) { return tile(a.array(), reps); }

ndarray repeat(const ArrayLike& a, internal::Int64 repeats, const Axes& axis) {
  return repeat(a.array(), repeats, axis);
}

ndarray pad(const ArrayLike& a, const PadWidth& width, const PadOptions& options) {
  return pad(a.array(), width, options);
}

ndarray kron(const ArrayLike& a, const ArrayLike& b) { return kron(a.beside(b), b.beside(a)); }

ndarray repeat(const ndarray& a, std::initializer_list<std::int64_t> repeats, const Axes& axis) {
  return repeat(a, internal::as_span(repeats), axis);
}

ndarray repeat(const ArrayLike& a, std::initializer_list<std::int64_t> repeats, const Axes& axis) {
  return repeat(a.array(), internal::as_span(repeats), axis);
}

ndarray ndarray::repeat(internal::Int64 repeats, const Axes& axis) const {
  return cupyxx::repeat(*this, repeats, axis);
}

ndarray ndarray::repeat(const ndarray& repeats, const Axes& axis) const {
  return cupyxx::repeat(*this, internal::repeat_counts(repeats), axis);
}

ndarray ndarray::repeat(std::initializer_list<std::int64_t> repeats, const Axes& axis) const {
  return cupyxx::repeat(*this, repeats, axis);
}

ndarray ndarray::repeat(const ArrayLike& repeats, const Axes& axis) const {
  return cupyxx::repeat(*this, internal::repeat_counts(repeats.array()), axis);
}

}  // namespace cupyxx
