// SPDX-License-Identifier: MIT
#include "cupyxx/core/nested_list.h"

#include <ostream>
#include <utility>

#include "cupyxx/core/arrays.h"
#include "cupyxx/core/checked.h"
#include "cupyxx/error.h"
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
template <class T, class Number>
NestedList read_axis(const Shape& shape, int axis, const T*& element) {
  if (axis == shape.ndim()) return NestedList(Scalar(static_cast<Number>(*element++)));
  std::vector<NestedList> items;
  internal::make_room("tolist", items, shape[axis]);
  for (std::int64_t i = 0; i < shape[axis]; ++i) {
    items.push_back(read_axis<T, Number>(shape, axis + 1, element));
  }
  return NestedList(std::move(items));
}

template <class T, class Number = T>
NestedList read(const ndarray& host) {
  const auto* element = static_cast<const T*>(host.elements());
  return read_axis<T, Number>(host.shape(), 0, element);
}

}  // namespace

NestedList ndarray::tolist() const {
  internal::check_not_none("tolist", *this);
  const ndarray host = internal::contiguous(to_cpu());
  using C = dtype::Code;
  switch (dtype().code()) {
    case C::bool_:
      return read<bool>(host);
    case C::int8:
      return read<std::int8_t>(host);
    case C::int16:
      return read<std::int16_t>(host);
    case C::int32:
      return read<std::int32_t>(host);
    case C::int64:
      return read<std::int64_t>(host);
    case C::uint8:
      return read<std::uint8_t>(host);
    case C::uint16:
      return read<std::uint16_t>(host);
    case C::uint32:
      return read<std::uint32_t>(host);
    case C::uint64:
      return read<std::uint64_t>(host);
    case C::float16:
      return read<half, float>(host);
    case C::bfloat16:
      return read<bfloat16, float>(host);
    case C::float32:
      return read<float>(host);
    case C::float64:
      return read<double>(host);
    case C::complex64:
      return read<complex<float>, complex<double>>(host);
    case C::complex128:
      return read<complex<double>>(host);
    default:
      throw DtypeError(message("tolist: no C++ number holds ", dtype().name()));
  }
}

}  // namespace cupyxx
