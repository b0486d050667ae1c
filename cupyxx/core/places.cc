// SPDX-License-Identifier: MIT
#include "cupyxx/core/places.h"

#include <algorithm>
#include <string>
#include <vector>

#include "cupyxx/core/arrays.h"
#include "cupyxx/core/chosen.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/indexing.h"
#include "cupyxx/internal/masks.h"
#include "cupyxx/internal/sorting.h"
#include "cupyxx/internal/take.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/math.h"

namespace cupyxx::internal {

namespace {

using Kind = IndexItem::Kind;

// Index arrays that the device combines in one step.
constexpr std::size_t kMostCombined = 8;

[[noreturn]] void throw_range(const char* operation, std::int64_t index, int axis,
                              std::int64_t extent) {
  throw IndexError(message(operation, ": index ", index, " is out of bounds for axis ", axis,
                           " with size ", extent));
}

// The positions of a mask's true elements, one array per axis. Their number is read back.
std::vector<ndarray> positions(const char* operation, const ndarray& mask) {
  if (mask.device().is_cpu() && mask.ndim() > 1) {
    return cpu::true_places(operation, contiguous(mask));
  }
  ndarray flat = true_positions(operation, mask);
  std::vector<ndarray> result(static_cast<std::size_t>(mask.ndim()));
  for (int axis = mask.ndim() - 1; axis > 0; --axis) {
    const auto extent = std::max<std::int64_t>(1, mask.body()->shape[axis]);
    result[static_cast<std::size_t>(axis)] = remainder(flat, extent);
    flat = floor_divide(flat, extent);
  }
  result[0] = flat;
  return result;
}

// Collects the entries of one index list.
struct Reader {
  const char* operation;
  const ndarray& base;
  std::vector<IndexItem> items = {};  // the basic index whose view keeps the arrays' axes
  std::vector<ndarray> arrays = {};   // integers
  Shape array_axes = {};              // the axis of the view that each indexes
  Shape base_axes = {};               // and the axis of the base, for messages
  int axis = 0;                       // of the base
  int view_axis = 0;
  bool separated = false;
  bool gap = false;  // a slice, newaxis or ellipsis has followed the first array

  void add_array(const ndarray& index) {
    if (gap) separated = true;
    arrays.push_back(index);
    array_axes.push_back(view_axis++);
    base_axes.push_back(axis);
  }

  void read(const ndarray& index) {
    common_device(operation, base, index);
    if (index.dtype().is_integer()) {
      add_array(index.astype(int64, false));
      items.emplace_back(slice());
      ++axis;
      return;
    }
    if (!index.dtype().is_bool()) {
      throw IndexError(message(operation,
                               ": arrays used as indices must be of integer or boolean type, not ",
                               index.dtype().name()));
    }
    if (index.ndim() == 0) {
      const DeviceScope scope(base.device());
      add_array(zeros({static_cast<bool>(index) ? 1 : 0}, int64));
      items.emplace_back(newaxis);
      return;
    }
    const ndarray mask = fitting_mask(operation, base, index, axis);
    for (const ndarray& along : positions(operation, mask)) {
      add_array(along);
      items.emplace_back(slice());
      ++axis;
    }
  }

  void read(const IndexItem& item, int missing) {
    if (item.kind == Kind::integer) {
      const std::int64_t extent = base.body()->shape[axis];
      if (item.integer < -extent || item.integer >= extent) {
        throw_range(operation, item.integer, axis, extent);
      }
      const DeviceScope scope(base.device());
      add_array(full({}, item.integer, int64));
      items.emplace_back(slice());
      ++axis;
      return;
    }
    items.push_back(item);
    gap = !arrays.empty();
    const int consumed =
        item.kind == Kind::newaxis ? 0 : (item.kind == Kind::ellipsis ? missing : 1);
    axis += consumed;
    view_axis += item.kind == Kind::newaxis ? 1 : consumed;
  }
};

int consumed_axes(const Index& index) {
  if (index.is_array()) return index.array().dtype().is_bool() ? index.array().ndim() : 1;
  const Kind kind = index.item().kind;
  return kind == Kind::integer || kind == Kind::slice ? 1 : 0;
}

// Row numbers from one index array per axis, in their common shape.
ndarray combine(const Reader& read, const ndarray& view) {
  Shape shape;
  try {
    for (const ndarray& a : read.arrays) {
      shape = broadcast_shapes(read.operation, shape, a.shape());
    }
  } catch (const ShapeError&) {
    std::string shapes;
    for (const ndarray& a : read.arrays) shapes += " " + a.shape().str();
    throw IndexError(message(read.operation,
                             ": indexing arrays could not be broadcast together; shapes", shapes));
  }
  Shape extents;
  for (const std::int64_t axis : read.array_axes) {
    extents.push_back(view.body()->shape[static_cast<int>(axis)]);
  }
  std::vector<ndarray> arrays = read.arrays;
  if (read.base.device().is_cpu()) {
    // As the host reads them. Where rows are written, the numbers of rows must not change.
    for (ndarray& a : arrays) {
      a = may_overlap(a, read.base) ? a.copy(Order::C) : contiguous(a);
    }
    return cpu::combine_rows(read.operation, arrays, extents, read.base_axes, shape);
  }
  // The first of many become one, whose extent is their product.
  while (arrays.size() > kMostCombined) {
    const std::span<const ndarray> first(arrays.data(), kMostCombined);
    std::int64_t rows = 1;
    Shape few;
    for (std::size_t i = 0; i < kMostCombined; ++i) {
      few.push_back(extents[static_cast<int>(i)]);
      rows *= few[static_cast<int>(i)];
    }
    const ndarray combined = gpu::combine_rows(read.operation, first, few, shape);
    arrays.erase(arrays.begin() + 1, arrays.begin() + kMostCombined);
    arrays[0] = combined;
    for (std::size_t i = 1; i < kMostCombined; ++i) extents.erase(0);
    extents[0] = rows;
  }
  return gpu::combine_rows(read.operation, arrays, extents, shape);
}

// Axes [from, from + count) come to stand before axis `to` of the others.
ndarray move_block(const ndarray& a, int from, int count, int to) {
  if (from == to || count == 0) return a;
  Shape axes;
  for (int axis = 0; axis < a.ndim(); ++axis) {
    if (axis < from || axis >= from + count) axes.push_back(axis);
  }
  for (int i = 0; i < count; ++i) axes.insert(to + i, from + i);
  return a.transpose(axes);
}

}  // namespace

Shape Places::rest() const {
  Shape shape;
  for (int i = indexed; i < view.ndim(); ++i) shape.push_back(view.body()->shape[i]);
  return shape;
}

std::int64_t Places::row_count() const {
  std::int64_t count = 1;
  for (int i = 0; i < indexed; ++i) count *= view.body()->shape[i];
  return count;
}

ndarray fitting_mask(const char* operation, const ndarray& base, const ndarray& mask, int axis) {
  bool fits = axis + mask.ndim() <= base.ndim(), equals = true;
  Shape shape;
  for (int i = 0; fits && i < mask.ndim(); ++i) {
    const std::int64_t extent = mask.body()->shape[i];
    shape.push_back(base.body()->shape[axis + i]);
    fits = extent == 0 || extent == shape[i];
    equals = equals && extent == shape[i];
  }
  if (!fits) {
    throw IndexError(message(operation, ": boolean index of shape ", mask.shape(),
                             " does not match the array of shape ", base.shape()));
  }
  if (equals) return mask;
  const DeviceScope scope(mask.device());
  return zeros(shape, bool_);
}

bool has_arrays(std::span<const Index> index) {
  return std::any_of(index.begin(), index.end(), [](const Index& i) { return i.is_array(); });
}

namespace {

// Whether one array of integers on the host is all of an index: its rows are those of the array as
// it stands.
bool is_simple(const ndarray& base, std::span<const Index> index) {
  return index.size() == 1 && index[0].is_array() && base.ndim() > 0 && base.device().is_cpu() &&
         !index[0].array().is_none() && index[0].array().dtype().is_integer() &&
         index[0].array().device().is_cpu();
}

Places simple_places(const char* operation, const ndarray& base, const ndarray& index) {
  ndarray numbers = index.astype(int64, false);
  numbers = may_overlap(numbers, base) ? numbers.copy(Order::C) : contiguous(numbers);
  const Shape extents{base.body()->shape[0]}, axes{0};
  Places places;
  places.view = base;
  places.indexed = 1;
  places.rows = cpu::combine_rows(operation, {&numbers, 1}, extents, axes, numbers.shape());
  return places;
}

}  // namespace

Places find_places(const char* operation, const ndarray& base, std::span<const Index> index) {
  check_not_none(operation, base);
  if (is_simple(base, index)) return simple_places(operation, base, index[0].array());
  int used = 0, ellipses = 0;
  for (const Index& entry : index) {
    used += consumed_axes(entry);
    if (!entry.is_array() && entry.item().kind == Kind::ellipsis) ++ellipses;
  }
  if (ellipses > 1) {
    throw IndexError(
        message(operation, ": an index can only have a single ellipsis ('...'); found ", ellipses));
  }
  if (used > base.ndim()) {
    throw IndexError(message(operation, ": too many indices for array: array is ", base.ndim(),
                             "-dimensional, but ", used, " were indexed"));
  }
  Reader read{operation, base};
  for (const Index& entry : index) {
    if (entry.is_array()) {
      read.read(entry.array());
    } else {
      read.read(entry.item(), base.ndim() - used);
    }
  }
  const ndarray view = base.getitem(std::span<const IndexItem>(read.items));
  Places places;
  places.indexed = read.array_axes.ndim();
  places.rows = combine(read, view);
  // The first array is preceded by axes that stay in place.
  places.front = read.separated ? 0 : static_cast<int>(read.array_axes[0]);
  Shape order = read.array_axes;
  for (int axis = 0; axis < view.ndim(); ++axis) {
    if (std::find(order.begin(), order.begin() + places.indexed, axis) ==
        order.begin() + places.indexed) {
      order.push_back(axis);
    }
  }
  places.view = view.transpose(order);
  return places;
}

namespace {

// The gathered elements lie as the result does.
ndarray gather_on_host(const Places& places, const ndarray& rows) {
  const Shape rest = places.rest();
  const int ndim = rows.ndim(), front = places.front;
  Shape shape;
  for (int i = 0; i < front; ++i) shape.push_back(rest[i]);
  for (const std::int64_t extent : rows.shape()) shape.push_back(extent);
  for (int i = front; i < rest.ndim(); ++i) shape.push_back(rest[i]);
  const ndarray result = make_array("take", shape, places.view.dtype(), places.view.device());
  const ndarray rows_first = move_block(result, front, ndim, 0);
  if (result.size() == 0) return rows_first;
  // The same with the rows' axes as one.
  const Strides strides = result.strides();
  Shape flat = rest, steps;
  for (int i = 0; i < rest.ndim(); ++i) steps.push_back(strides[i < front ? i : i + ndim]);
  flat.insert(0, rows.size());
  steps.insert(0, ndim == 0 ? 0 : strides[front + ndim - 1]);
  const ndarray values =
      make_view(result, static_cast<char*>(result.elements()), result.dtype(), flat, steps);
  cpu::gather({"take", &places.view, places.indexed}, contiguous(rows), values);
  return rows_first;
}

}  // namespace

ndarray gather(const Places& places, const ndarray& rows) {
  if (places.view.device().is_cpu()) return gather_on_host(places, rows);
  Shape shape = places.rest();
  shape.insert(0, places.row_count());
  return take_in_name("getitem", places.view.reshape(shape), rows, 0);
}

RowOrder order_rows(const char* operation, const ndarray& rows, std::int64_t row_count) {
  // Sorting takes a pass for each byte, so the numbers are made as short as they can be.
  const dtype type = row_count <= INT16_MAX ? int16 : row_count <= INT32_MAX ? int32 : int64;
  const Device device = rows.device();
  const ndarray keys = type == int64 ? rows : maximum(rows, -1).astype(type);
  RowOrder order{make_array(operation, rows.shape(), type, device),
                 make_array(operation, rows.shape(), int64, device)};
  gpu::sort_rows({operation, &keys, &order.rows, &order.places, 1, rows.size()});
  order.rows = order.rows.astype(int64, false);
  return order;
}

namespace {

// Rows up to this number are worth a note each; above it only where many are written.
constexpr std::int64_t kCheapNotes = std::int64_t{1} << 20;

void scatter_on_device(const char* operation, const Places& places, const ndarray& rows,
                       const ndarray& values) {
  const RowsOf target{operation, &places.view, places.indexed};
  const std::int64_t row_count = places.row_count();
  const bool is_same = values.size() == places.rest().element_count();  // one row for all
  if (is_same || row_count <= kCheapNotes || row_count <= 8 * rows.size()) {
    return gpu::scatter(target, rows, values);
  }
  const RowOrder order = order_rows(operation, rows, row_count);
  gpu::scatter(target, rows, values, &order);
}

}  // namespace

void scatter(const char* operation, const Places& places, const ndarray& rows,
             const ndarray& values) {
  if (values.size() == 0) return;
  if (!places.view.device().is_cpu()) {
    return scatter_on_device(operation, places, rows, contiguous(values));
  }
  if (places.view.size() == 0) return;
  const ndarray source = may_overlap(places.view, values) ? values.copy() : values;
  touch(places.view.body());
  cpu::scatter({operation, &places.view, places.indexed}, contiguous(rows), source);
}

ndarray to_result(const Places& places, const ndarray& rows_first) {
  return move_block(rows_first, 0, places.rows.ndim(), places.front);
}

ndarray from_result(const Places& places, const ndarray& result) {
  return move_block(result, places.front, places.rows.ndim(), 0);
}

}  // namespace cupyxx::internal
