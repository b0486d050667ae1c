// SPDX-License-Identifier: MIT
// Arrays of lists whose entries are of several types.
#include <span>
#include <vector>

#include "cupyxx/core/arrays.h"
#include "cupyxx/core/resolve.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"

namespace cupyxx::internal {

namespace {

// The extents of a list, and its numbers in C order.
struct Outline {
  Shape shape = {};
  std::vector<const ListItem*> numbers = {};
  dtype type = {};
  int number_depth = 0;  // lists around each number; 0: none found yet

  void read(std::span<const ListItem> items, int depth) {
    const auto count = static_cast<std::int64_t>(items.size());
    if (depth == shape.ndim()) shape.push_back(count);
    if (shape[depth] != count) throw_ragged(shape[depth], count);
    for (const ListItem& item : items) {
      if (item.is_list()) {
        if (number_depth != 0 && number_depth <= depth + 1) throw_depths(number_depth, depth + 2);
        read(item.items(), depth + 1);
        continue;
      }
      if (number_depth != 0 && number_depth != depth + 1) throw_depths(number_depth, depth + 1);
      number_depth = depth + 1;
      numbers.push_back(&item);
      type = type ? promote_types(type, item.type()) : item.type();
    }
  }

  void check_depth() const {
    if (number_depth != 0 && number_depth != shape.ndim()) {
      throw_depths(number_depth, shape.ndim());
    }
  }

  [[noreturn]] static void throw_depths(int first, int second) {
    throw ValueError(message("array: nested lists of different depths: ", first, " and ", second));
  }
};

bool holds_arrays(std::span<const ListItem> items) {
  for (const ListItem& item : items) {
    if (item.is_array() || holds_arrays(item.items())) return true;
  }
  return false;
}

// Lists with arrays among the entries.
ndarray joined(std::span<const ListItem> items, dtype type) {
  std::vector<ndarray> slices;
  for (const ListItem& item : items) {
    slices.push_back(item.is_array()  ? item.array()
                     : item.is_list() ? joined(item.items(), type)
                                      : filled("array", {}, item.number(), item.type()));
  }
  return slices.empty() ? empty({0}, type) : from_arrays(slices, type);
}

}  // namespace

std::span<const ListItem> ListItem::items() const { return {items_.begin(), items_.size()}; }

ndarray from_arrays(const std::vector<ndarray>& arrays, dtype type) {
  if (arrays.empty()) throw ValueError("array: a list of arrays needs at least one; 0 given");
  for (const ndarray& a : arrays) {
    check_not_none("array", a);
    if (a.shape() == arrays[0].shape()) continue;
    throw ValueError(message("array: the arrays of a list have different shapes: ",
                             arrays[0].shape(), " and ", a.shape()));
  }
  // As stack() along a new first axis.
  if (!type) type = common_dtype(arrays);
  Shape shape = arrays[0].shape();
  shape.insert(0, static_cast<std::int64_t>(arrays.size()));
  const ndarray result = make_array("array", shape, type, arrays[0].device());
  for (std::size_t i = 0; i < arrays.size(); ++i) {
    common_device("array", result, arrays[i]);
    const IndexItem place(static_cast<std::int64_t>(i));
    assign("array", result.getitem(std::span(&place, 1)), arrays[i]);
  }
  return result;
}

ndarray array_of(const Scalar* numbers, std::size_t count) {
  return array_of(numbers, &count, 1).reshape({static_cast<std::int64_t>(count)});
}

ndarray array_of_row(const ListedRow& row) {
  const std::size_t length = row.numbers.size();
  return array_of(row.numbers.data(), &length, 1);
}

ndarray array_of(const Scalar* numbers, const std::size_t* lengths, std::size_t rows) {
  for (std::size_t i = 1; i < rows; ++i) {
    if (lengths[i] == lengths[0]) continue;
    throw_ragged(static_cast<std::int64_t>(lengths[0]), static_cast<std::int64_t>(lengths[i]));
  }
  const std::size_t count = rows * lengths[0];
  dtype type = numbers[0].dtype();
  for (std::size_t i = 1; i < count; ++i) type = promote_types(type, numbers[i].dtype());
  const ndarray host =
      make_array("array", {static_cast<std::int64_t>(rows), static_cast<std::int64_t>(lengths[0])},
                 type, Device::cpu());
  auto* element = static_cast<char*>(host.elements());
  for (std::size_t i = 0; i < count; ++i) {
    as_element("array", numbers[i], type).store("array", type, element);
    element += type.itemsize();
  }
  return host.to(current_device());
}

ndarray array_of(const void* elements, dtype type, std::size_t count) {
  return from_host(elements, type, {static_cast<std::int64_t>(count)}, {});
}

ndarray mask_of(std::initializer_list<bool> list) {
  const ndarray mask = array_of(list.begin(), bool_, list.size());
  return list.size() == 1 ? mask.reshape(Shape()) : mask;
}

ndarray mask_of(const std::vector<bool>& list) {
  const std::vector<std::uint8_t> bytes(list.begin(), list.end());
  return array_of(bytes.data(), bool_, bytes.size());
}

ndarray as_array(const Operand& a) { return a.is_array() ? a.array() : array(a.scalar()); }

void check_unpacked(std::size_t wanted, std::size_t given) {
  if (given == wanted) return;
  throw ValueError(message("unpack: ", wanted, " arrays are wanted, there are ", given));
}

std::size_t place_in_list(std::int64_t index, std::size_t count) {
  const auto n = static_cast<std::int64_t>(count);
  const std::int64_t place = index < 0 ? index + n : index;
  if (place < 0 || place >= n) {
    throw IndexError(message("list: index ", index, " is out of bounds for ", n, " arrays"));
  }
  return static_cast<std::size_t>(place);
}

std::vector<ndarray> arrays_of(std::initializer_list<ArrayLike> list) {
  const ArrayLike* beside = nullptr;
  for (const ArrayLike& item : list) {
    if (!item.is_list() && beside == nullptr) beside = &item;
  }
  std::vector<ndarray> arrays;
  for (const ArrayLike& item : list) {
    arrays.push_back(beside == nullptr ? item.array() : item.beside(*beside));
  }
  return arrays;
}

ndarray from_items(std::initializer_list<ListItem> list, dtype type) {
  const std::span<const ListItem> items(list.begin(), list.size());
  if (holds_arrays(items)) return joined(items, type);
  Outline outline;
  outline.read(items, 0);
  outline.check_depth();
  if (!type) type = outline.type ? outline.type : float64;
  const ndarray host = make_array("array", outline.shape, type, Device::cpu());
  auto* element = static_cast<char*>(host.elements());
  for (const ListItem* item : outline.numbers) {
    as_element("array", item->number(), type).store("array", type, element);
    element += type.itemsize();
  }
  return host.to(current_device());
}

}  // namespace cupyxx::internal
