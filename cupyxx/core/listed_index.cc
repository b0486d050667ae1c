// SPDX-License-Identifier: MIT
// Lists in braces, nested or not, as indices.
#include <cstdint>
#include <initializer_list>
#include <vector>

#include "cupyxx/core/entries.h"
#include "cupyxx/core/selection.h"
#include "cupyxx/error.h"
#include "cupyxx/message.h"
#include "cupyxx/ndarray.h"
#include "cupyxx/shape.h"

namespace cupyxx {

namespace {

// The extents of a list as its first entries show them.
void find_extents(std::initializer_list<internal::ListedIndex> list, Shape& shape) {
  shape.push_back(static_cast<std::int64_t>(list.size()));
  if (list.size() != 0 && list.begin()->is_row()) find_extents(list.begin()->row(), shape);
}

// Appends the numbers of a list; `axis` is that of its entries.
void flatten(std::initializer_list<internal::ListedIndex> list, const Shape& shape, int axis,
             std::vector<std::int64_t>& numbers) {
  if (static_cast<std::int64_t>(list.size()) != shape[axis]) {
    throw ValueError(message("getitem: the lists of an index differ in length, ", shape[axis],
                             " and ", list.size()));
  }
  for (const internal::ListedIndex& entry : list) {
    if (entry.is_row() != (axis + 1 < shape.ndim())) {
      throw ValueError("getitem: the lists of an index are not all nested as deep");
    }
    if (entry.is_row()) {
      flatten(entry.row(), shape, axis + 1, numbers);
    } else {
      numbers.push_back(entry.number());
    }
  }
}

}  // namespace

void Index::set_nested(std::initializer_list<internal::ListedIndex> list) {
  Shape shape;
  find_extents(list, shape);
  std::vector<std::int64_t> numbers;
  flatten(list, shape, 0, numbers);
  set_list(numbers.data(), int64, numbers.size());
  if (shape.ndim() > 1) array_ = array_.reshape(shape);
}

Selection ndarray::operator()(std::initializer_list<internal::ListedIndex> index) const {
  return {*this, {Index(index)}};
}

}  // namespace cupyxx
