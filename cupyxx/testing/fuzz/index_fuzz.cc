// SPDX-License-Identifier: MIT
// Index lists over small arrays: integers, slices, new axes, an ellipsis, arrays and masks.
#include "cupyxx/core/selection.h"
#include "cupyxx/creation.h"
#include "cupyxx/testing/fuzz/target.h"

namespace cupyxx::fuzz {
namespace {

Shape small_shape(Input& input) {
  std::vector<std::int64_t> extents(static_cast<std::size_t>(input.between(0, 4)));
  for (std::int64_t& extent : extents) extent = input.between(0, 4);
  return Shape(extents);
}

SliceBound bound(Input& input) {
  if (input.flag()) return none;
  return input.number();
}

slice any_slice(Input& input) {
  const SliceBound begin = bound(input), end = bound(input), step = bound(input);
  return {begin, end, step};
}

/// An array or a mask of indices.
ndarray any_array(Input& input, const ndarray& a) {
  if (input.flag()) {
    const ndarray mask = zeros(input.flag() ? a.shape() : small_shape(input), bool_);
    for (bool& element : mask.span<bool>()) element = input.flag();
    return mask;
  }
  const ndarray list = zeros(small_shape(input), input.flag() ? int64 : input.dtype());
  if (list.dtype() != int64) return list;
  for (std::int64_t& element : list.span<std::int64_t>()) element = input.number();
  return list;
}

void check_basic(const ndarray& a, const std::vector<internal::IndexItem>& items) {
  const ndarray f = a.copy(Order::F), before = a.copy();
  ndarray part, other;
  const bool is_sound = attempt([&] { part = a.getitem(std::span(items)); });
  if (attempt([&] { other = f.getitem(std::span(items)); }) != is_sound) {
    fail("index: C and Fortran order disagree");
  }
  if (!is_sound) {
    if (attempt([&] { a.setitem(std::span(items), 1); })) fail("index: set but not got");
    if (!equal(a, before)) fail("index: a failure changed the array");
    return;
  }
  if (!equal(part.copy(), other.copy())) fail("index: C and Fortran order differ");
  a.setitem(std::span(items), part.copy());
  if (!equal(a, before)) fail("index: a part set to itself changed the array");
  a.setitem(std::span(items), -1);
  for (const std::int64_t element : part.to_vector<std::int64_t>()) {
    if (element != -1) fail("index: a part is not what it was set to");
  }
}

void check_advanced(const ndarray& a, const std::vector<Index>& items) {
  const ndarray f = a.copy(Order::F), before = a.copy();
  ndarray part, other;
  const bool is_sound = attempt([&] { part = ndarray(a.getitem(items)).copy(); });
  if (attempt([&] { other = ndarray(f.getitem(items)).copy(); }) != is_sound) {
    fail("index: C and Fortran order disagree");
  }
  if (!is_sound) {
    if (attempt([&] { a.setitem(items, 1); })) fail("index: set but not got");
    if (!equal(a, before)) fail("index: a failure changed the array");
    return;
  }
  if (!equal(part, other)) fail("index: C and Fortran order differ");
  a.setitem(items, part);
  if (!equal(a, before)) fail("index: a selection set to itself changed the array");
  a.setitem(items, -1);
  for (const std::int64_t element : ndarray(a.getitem(items)).to_vector<std::int64_t>()) {
    if (element != -1) fail("index: a selection is not what it was set to");
  }
}

void run(std::string_view bytes) {
  Input input(bytes);
  const Shape shape = small_shape(input);
  const ndarray a = zeros(shape, int64);
  std::int64_t value = 0;
  for (std::int64_t& element : a.span<std::int64_t>()) element = value++;

  std::vector<internal::IndexItem> basic;
  std::vector<Index> items;
  bool is_basic = true;
  const std::int64_t count = input.between(0, 6);
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t kind = input.between(0, 5);
    if (kind == 4 || kind == 5) {
      is_basic = false;
      items.emplace_back(any_array(input, a));
      continue;
    }
    const internal::IndexItem item = kind == 0   ? internal::IndexItem(input.number())
                                     : kind == 1 ? internal::IndexItem(any_slice(input))
                                     : kind == 2 ? internal::IndexItem(newaxis)
                                                 : internal::IndexItem(ellipsis);
    basic.push_back(item);
    if (kind == 0) items.emplace_back(item.integer);
    if (kind == 1) items.emplace_back(item.range);
    if (kind == 2) items.emplace_back(newaxis);
    if (kind == 3) items.emplace_back(ellipsis);
  }
  if (is_basic) check_basic(a.copy(), basic);
  check_advanced(a, items);
}

const Target index("index", &run);

}  // namespace
}  // namespace cupyxx::fuzz
