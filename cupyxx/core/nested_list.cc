// SPDX-License-Identifier: MIT
#include "cupyxx/core/nested_list.h"

#include <ostream>
#include <utility>

#include "cupyxx/core/arrays.h"
#include "cupyxx/core/checked.h"
#include "cupyxx/error.h"
#include "cupyxx/internal/element_types.h"
#include "cupyxx/ndarray.h"

namespace cupyxx {

NestedList::NestedList(const Scalar& number) : number_(number), is_number_(true) {}
NestedList::NestedList(std::vector<NestedList> items) : items_(std::move(items)) {}
NestedList::NestedList(const NestedList&) = default;
NestedList::NestedList(NestedList&&) noexcept = default;
NestedList& NestedList::operator=(const NestedList&) = default;
NestedList& NestedList::operator=(NestedList&&) noexcept = default;
NestedList::~NestedList() = default;

std::size_t NestedList::size() const { return items().size(); }
std::vector<NestedList>::const_iterator NestedList::begin() const { return items().begin(); }
std::vector<NestedList>::const_iterator NestedList::end() const { return items().end(); }

const Scalar& NestedList::number() const {
  if (!is_number_) throw TypeError(message("NestedList: a list is no number; ", str()));
  return number_;
}

const std::vector<NestedList>& NestedList::items() const {
  if (is_number_) throw TypeError(message("NestedList: a number has no items; ", str()));
  return items_;
}

const NestedList& NestedList::operator[](std::size_t i) const {
  if (i >= size()) {
    throw IndexError(message("NestedList: index ", i, " is out of range for a list of ", size()));
  }
  return items_[i];
}

std::string NestedList::str() const {
  if (is_number_) return number_.str();
  std::string text = "[";
  for (const NestedList& item : items_) {
    if (text.size() > 1) text += ", ";
    text += item.str();
  }
  return text + "]";
}

std::ostream& operator<<(std::ostream& os, const NestedList& list) { return os << list.str(); }

namespace {

// Reads elements one after another.
template <class T>
NestedList read_axis(const Shape& shape, int axis, const T*& element) {
  if (axis == shape.ndim()) return NestedList(Scalar(*element++));
  std::vector<NestedList> items;
  internal::make_room("tolist", items, shape[axis]);
  for (std::int64_t i = 0; i < shape[axis]; ++i) {
    items.push_back(read_axis(shape, axis + 1, element));
  }
  return NestedList(std::move(items));
}

}  // namespace

NestedList ndarray::tolist() const {
  internal::check_not_none("tolist", *this);
  const ndarray host = internal::contiguous(to_cpu());
  NestedList list(Scalar(0));
  const bool has_numbers = internal::with_element_type(dtype(), [&]<class T>() {
    const auto* element = static_cast<const T*>(host.elements());
    list = read_axis(host.shape(), 0, element);
  });
  if (!has_numbers) throw DtypeError(message("tolist: no C++ number holds ", dtype().name()));
  return list;
}

}  // namespace cupyxx
