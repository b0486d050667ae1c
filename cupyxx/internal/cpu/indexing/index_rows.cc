// SPDX-License-Identifier: MIT
// Index arrays on the host: row numbers from them, and elements to and from those rows.
#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <type_traits>
#include <vector>

#include "cupyxx/core/arrays.h"
#include "cupyxx/error.h"
#include "cupyxx/internal/cpu/arch.h"
#include "cupyxx/internal/cpu/copy_bytes.h"
#include "cupyxx/internal/cpu/parallel.h"
#include "cupyxx/internal/cpu/routine_loops.h"
#include "cupyxx/internal/scatter.h"

namespace cupyxx::internal::cpu {

namespace {

using i64 = std::int64_t;

const i64* numbers(const ndarray& a) { return static_cast<const i64*>(a.elements()); }

[[noreturn]] void throw_range(const char* operation, const ndarray& index, i64 axis, i64 extent) {
  const auto [low, high] = std::minmax_element(numbers(index), numbers(index) + index.size());
  throw IndexError(message(operation, ": index ", *high >= extent ? *high : *low,
                           " is out of bounds for axis ", axis, " with size ", extent));
}

i64 from_front(i64 index, i64 extent) { return index < 0 ? index + extent : index; }

/// rows[k] = rows[k] * extent + index[k * step], or without `rows[k]` where it is the first.
void add_axis(i64* rows, const i64* index, i64 n, i64 step, i64 extent, bool first) {
  if (first && step == 1) {
    with_arch(arch(),
              [&]<Arch kArch>() { RoutineLoops<kArch>::count_from_front(index, n, extent, rows); });
  } else if (first) {
    for (i64 k = 0; k < n; ++k) rows[k] = from_front(index[k * step], extent);
  } else {
    for (i64 k = 0; k < n; ++k) rows[k] = rows[k] * extent + from_front(index[k * step], extent);
  }
}

/// The same for an index array of another shape, broadcast to the shape of the rows.
void add_broadcast_axis(const ndarray& rows, const ndarray& index, i64 extent, bool first) {
  const Shape shape = rows.shape(), own = index.shape(), strides = index.strides();
  const int last = shape.ndim() - 1, missing = shape.ndim() - own.ndim();
  Shape steps;  // in elements
  for (int axis = 0; axis <= last; ++axis) {
    const bool moves = axis >= missing && own[axis - missing] != 1;
    steps.push_back(moves ? strides[axis - missing] / index.itemsize() : 0);
  }
  auto* to = static_cast<i64*>(rows.elements());
  const i64 n = shape[last];
  parallel_for(rows.size() / n, std::max<i64>(1, kGrain / n), [&](i64 begin, i64 end) {
    for (i64 row = begin; row < end; ++row) {
      i64 offset = 0, number = row;
      for (int axis = last; axis-- > 0; number /= shape[axis]) {
        offset += number % shape[axis] * steps[axis];
      }
      add_axis(to + row * n, numbers(index) + offset, n, steps[last], extent, first);
    }
  });
}

/// Elements that belong together on both sides: an axis, or several, of every row.
struct Offsets {
  i64 view, values;  // bytes
};

/// The outermost axis of them, which is too long for a list of its places.
struct Outer {
  i64 extent = 1;
  Offsets step{};
};

/// What goes between rows of a view and an array of values.
struct Transfer {
  char* view;
  char* values;
  i64 count;        // of rows
  i64 values_step;  // bytes from one row's values to the next one's
  i64 chunk;        // bytes that lie together on both sides
  bool along_rows;  // all rows at one offset before the next offset
  Outer outer{};
  std::vector<Offsets> offsets;
  const i64* rows;
  i64 step = 0;               // bytes from one row of the view to the next ...
  std::vector<i64> places{};  // ... or, where there is no such step, each row's place

  i64 place(i64 i) const {
    return places.empty() ? rows[i] * step : places[static_cast<std::size_t>(i)];
  }
};

/// `values` has the axis of the rows, unless it is the same for all, and the view's other axes.
Transfer plan(const RowsOf& target, const ndarray& rows, const ndarray& values) {
  const Body &view = *target.view->body(), &from = *values.body();
  const int rest = view.ndim - target.indexed, own = from.ndim - rest;
  Transfer t{};
  t.view = view.data;
  t.values = from.data;
  t.count = rows.size();
  t.values_step = own == 0 ? 0 : from.strides[0];
  t.chunk = view.dtype.itemsize();
  t.offsets = {{0, 0}};
  t.rows = numbers(rows);
  int axis = rest - 1;
  const auto extent = [&](int i) { return view.shape[target.indexed + i]; };
  const auto view_stride = [&](int i) { return view.strides[target.indexed + i]; };
  const auto values_stride = [&](int i) { return from.strides[own + i]; };
  for (; axis >= 0; --axis) {
    if (extent(axis) == 1) continue;
    if (view_stride(axis) != t.chunk || values_stride(axis) != t.chunk) break;
    t.chunk *= extent(axis);
  }
  i64 shortest = INT64_MAX;
  for (int i = 0; i <= axis; ++i) {
    if (extent(i) == 1) continue;
    shortest = std::min(shortest, std::abs(view_stride(i)));
    if (t.outer.extent == 1) {
      t.outer = {extent(i), {view_stride(i), values_stride(i)}};
      continue;
    }
    std::vector<Offsets> next;
    next.reserve(t.offsets.size() * static_cast<std::size_t>(extent(i)));
    for (const Offsets& offset : t.offsets) {
      for (i64 k = 0; k < extent(i); ++k) {
        next.push_back({offset.view + k * view_stride(i), offset.values + k * values_stride(i)});
      }
    }
    t.offsets = std::move(next);
  }
  bool is_even = true;
  t.step = target.indexed == 0 ? 0 : view.strides[target.indexed - 1];
  i64 step = t.step;
  for (int i = target.indexed - 1; i > 0; --i) {
    step *= view.shape[i];
    is_even = is_even && (view.shape[i - 1] == 1 || view.strides[i - 1] == step);
  }
  if (!is_even) {
    t.places.resize(static_cast<std::size_t>(t.count));
    for (i64 i = 0; i < t.count; ++i) {
      i64 number = t.rows[i], place = 0;
      for (int k = target.indexed - 1; k >= 0; --k) {
        place += number % view.shape[k] * view.strides[k];
        number /= view.shape[k];
      }
      t.places[static_cast<std::size_t>(i)] = place;
    }
  }
  t.along_rows = std::abs(t.step) < shortest;
  return t;
}

/// Calls move(view, values) for n rows that `step` divides.
template <class Values, class Move>
void walk_rows(char* view, i64 step, const i64* rows, i64 n, Values* values, i64 values_step,
               Move move) {
  for (const i64* const last = rows + n; rows < last; ++rows, values += values_step) {
    move(view + *rows * step, values);
  }
}

/// Calls f(view, values) for each place that a row's elements have beside the row's own.
template <class F>
void walk_offsets(const Transfer& t, char* view, char* values, F f) {
  const Outer outer = t.outer;
  for (i64 k = 0; k < outer.extent; ++k, view += outer.step.view, values += outer.step.values) {
    for (const Offsets& offset : t.offsets) f(view + offset.view, values + offset.values);
  }
}

/// Calls move(view, values) for the rows in [begin, end).
template <class Move>
void walk(const Transfer& t, i64 begin, i64 end, Move move) {
  char* const values = t.values + begin * t.values_step;
  const bool is_one = t.outer.extent == 1 && t.offsets.size() == 1;
  if ((is_one || t.along_rows) && t.places.empty()) {
    const i64 step = t.step, values_step = t.values_step;
    const i64* const rows = t.rows + begin;
    walk_offsets(t, t.view, values, [=](char* from, char* to) {
      walk_rows(from, step, rows, end - begin, to, values_step, move);
    });
  } else if (t.along_rows) {
    walk_offsets(t, t.view, values, [&](char* from, char* to) {
      for (i64 i = begin; i < end; ++i, to += t.values_step) move(from + t.place(i), to);
    });
  } else {
    for (i64 i = begin; i < end; ++i) {
      walk_offsets(t, t.view + t.place(i), t.values + i * t.values_step, move);
    }
  }
}

/// f(bytes), with a constant where it is the size of a number: such moves are single ones.
template <class F>
void with_size(i64 bytes, F f) {
  switch (bytes) {
    case 1:
      return f(std::integral_constant<int, 1>{});
    case 2:
      return f(std::integral_constant<int, 2>{});
    case 4:
      return f(std::integral_constant<int, 4>{});
    case 8:
      return f(std::integral_constant<int, 8>{});
    case 16:
      return f(std::integral_constant<int, 16>{});
    default:
      return f(bytes);
  }
}

/// walk with copies to the view or from it.
template <bool to_view>
void transfer(const Transfer& t, i64 begin, i64 end) {
  with_size(t.chunk, [&](auto size) {
    walk(t, begin, end, [size](char* view, char* values) {
      copy_bytes(to_view ? view : values, to_view ? values : view, size);
    });
  });
}

}  // namespace

bool all_from_front(const i64* index, i64 n, i64 extent) {
  return with_arch(
      arch(), [&]<Arch kArch>() { return RoutineLoops<kArch>::all_from_front(index, n, extent); });
}

IndexRange index_range(const ndarray& index, i64 extent) {
  std::atomic<bool> outside = false, negative = false;
  parallel_for(index.size(), kGrain, [&](i64 begin, i64 end) {
    if (all_from_front(numbers(index) + begin, end - begin, extent)) return;
    i64 low = 0, high = 0;
    with_arch(arch(), [&]<Arch kArch>() {
      RoutineLoops<kArch>::extend_range(numbers(index) + begin, end - begin, low, high);
    });
    if (low < -extent || high >= extent) outside = true;
    if (low < 0) negative = true;
  });
  return {!outside, negative};
}

ndarray combine_rows(const char* operation, std::span<const ndarray> index, const Shape& extents,
                     const Shape& axes, const Shape& shape) {
  std::vector<ndarray> arrays;
  bool negative = false;
  for (std::size_t i = 0; i < index.size(); ++i) {
    const i64 extent = extents[static_cast<int>(i)];
    arrays.push_back(index[i]);
    const IndexRange range = index_range(arrays.back(), extent);
    if (!range.inside) throw_range(operation, arrays.back(), axes[static_cast<int>(i)], extent);
    negative = negative || range.negative;
  }
  if (arrays.size() == 1 && !negative) return arrays[0];
  const ndarray rows = make_array(operation, shape, int64, index[0].device());
  if (rows.size() == 0) return rows;
  for (std::size_t i = 0; i < arrays.size(); ++i) {
    const i64 extent = extents[static_cast<int>(i)];
    if (!(arrays[i].shape() == shape)) {
      add_broadcast_axis(rows, arrays[i], extent, i == 0);
      continue;
    }
    auto* to = static_cast<i64*>(rows.elements());
    const i64* from = numbers(arrays[i]);
    parallel_for(rows.size(), kGrain, [&](i64 begin, i64 end) {
      add_axis(to + begin, from + begin, end - begin, 1, extent, i == 0);
    });
  }
  return rows;
}

// One thread: of several values for one row the last one wins.
void scatter(const RowsOf& target, const ndarray& rows, const ndarray& values) {
  const Transfer t = plan(target, rows, values);
  transfer<true>(t, 0, t.count);
}

bool scatter_to_front(char* target, i64 extent, i64 bytes, const i64* index, i64 n,
                      const char* values, i64 step) {
  if (!all_from_front(index, n, extent)) return false;
  with_size(bytes, [=](auto size) {
    walk_rows(target, bytes, index, n, values, step,
              [size](char* to, const char* from) { copy_bytes(to, from, size); });
  });
  return true;
}

void gather(const RowsOf& source, const ndarray& rows, const ndarray& values) {
  const Transfer t = plan(source, rows, values);
  const i64 pieces = t.outer.extent * static_cast<i64>(t.offsets.size());
  const i64 grain = std::max<i64>(1, 4 * kGrain / (t.chunk * pieces + 1));
  parallel_for(t.count, grain, [&](i64 begin, i64 end) { transfer<false>(t, begin, end); });
}

}  // namespace cupyxx::internal::cpu
