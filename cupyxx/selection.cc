// SPDX-License-Identifier: MIT
// Parts of an array chosen by masks and index arrays.
#include <span>
#include <string>
#include <vector>

#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/indexing.h"
#include "cupyxx/internal/arrays.h"
#include "cupyxx/internal/places.h"
#include "cupyxx/internal/rows.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/math.h"
#include "cupyxx/ndarray.h"
#include "cupyxx/statistics.h"

namespace cupyxx {

namespace {

void check_mask(const ndarray& base, const ndarray& mask) {
  bool fits = mask.ndim() <= base.ndim();
  for (int i = 0; fits && i < mask.ndim(); ++i) {
    fits = mask.body()->shape[i] == base.body()->shape[i];
  }
  if (!fits) {
    throw IndexError("getitem: boolean index of shape " + mask.shape().str() +
                     " does not match the array of shape " + base.shape().str());
  }
}

// The mask with an axis of extent 1 for each axis of `base` that it leaves out.
ndarray expand_mask(const ndarray& base, const ndarray& mask) {
  Shape shape = mask.shape();
  while (shape.ndim() < base.ndim()) shape.push_back(1);
  return mask.reshape(shape);
}

// The axes under the mask as one.
ndarray flatten_leading(const ndarray& base, int count) {
  Shape shape;
  std::int64_t rows = 1;
  for (int i = 0; i < count; ++i) rows *= base.body()->shape[i];
  shape.push_back(rows);
  for (int i = count; i < base.ndim(); ++i) shape.push_back(base.body()->shape[i]);
  return base.reshape(shape);
}

void assign_masked(const ndarray& base, const ndarray& mask, const Operand& value) {
  check_mask(base, mask);
  const int inner = base.ndim() - mask.ndim();
  // What is the same for all rows needs neither a count nor a wait.
  if (!value.is_array() || value.array().ndim() <= inner) {
    internal::assign("setitem", base, value, Casting::unsafe, expand_mask(base, mask));
    return;
  }
  const ndarray rank = cumsum(mask);  // of each true element, from 1
  const std::int64_t count = rank.size() == 0 ? 0 : rank(-1).item<std::int64_t>();
  Shape shape;
  shape.push_back(count);
  for (int i = mask.ndim(); i < base.ndim(); ++i) shape.push_back(base.body()->shape[i]);
  ndarray values;
  try {
    values = broadcast_to(value.array().to(base.device()), shape);
  } catch (const ShapeError&) {
    throw ValueError("setitem: cannot assign " + value.array().shape().str() +
                     " input values to the " + std::to_string(count) +
                     " output values where the mask is true");
  }
  if (count == 0) return;
  const ndarray gathered = take(values, maximum(subtract(rank, 1), 0), 0).reshape(base.shape());
  internal::assign("setitem", base, gathered, Casting::unsafe, expand_mask(base, mask));
}

void assign_indexed(const ndarray& base, std::span<const Index> index, const Operand& value) {
  const internal::Places places = internal::find_places("setitem", base, index);
  const ndarray rows = places.rows.reshape({places.rows.size()});
  const Shape rest = places.rest();
  Shape shape = rest;
  for (int i = 0; i < places.rows.ndim(); ++i) {
    shape.insert(places.front + i, places.rows.body()->shape[i]);
  }
  // What is the same for all rows is made once.
  const bool same = !value.is_array() || value.array().ndim() == 0 ||
                    (places.front == 0 && value.array().ndim() <= rest.ndim());
  if (same) {
    if (value.is_array()) broadcast_shapes("setitem", shape, value.array().shape());
    const ndarray row = internal::make_array("setitem", rest, base.dtype(), base.device());
    internal::assign("setitem", row, value);
    internal::scatter("setitem", places, rows, row);
    return;
  }
  const ndarray values = internal::make_array("setitem", shape, base.dtype(), base.device());
  internal::assign("setitem", values, value);
  Shape flat = places.rest();
  flat.insert(0, places.rows.size());
  internal::scatter("setitem", places, rows, internal::from_result(places, values).reshape(flat));
}

void check_index(const ndarray& base, const ndarray& index) {
  internal::check_not_none("getitem", base);
  internal::check_not_none("getitem", index);
  internal::common_device("getitem", base, index);
  if (!index.dtype().is_bool() && !index.dtype().is_integer()) {
    throw IndexError("getitem: arrays used as indices must be of integer or boolean type, not " +
                     std::string(index.dtype().name()));
  }
}

ndarray basic_view(const ndarray& base, const std::vector<Index>& index) {
  std::vector<internal::IndexItem> items;
  for (const Index& entry : index) items.push_back(entry.item());
  return base.getitem(std::span<const internal::IndexItem>(items));
}

// The array of an index that is one array with axes and nothing else; these need no transposition.
const ndarray* only_array(const std::vector<Index>& index) {
  if (index.size() != 1 || !index[0].is_array() || index[0].array().ndim() == 0) return nullptr;
  return &index[0].array();
}

}  // namespace

Selection ndarray::operator()(const ndarray& index) const {
  check_index(*this, index);
  return {*this, {Index(index)}};
}

ndarray Selection::get() const {
  if (!internal::has_arrays(index_)) return basic_view(base_, index_);
  const ndarray* index = only_array(index_);
  if (index == nullptr || base_.ndim() == 0) {
    const internal::Places places = internal::find_places("getitem", base_, index_);
    return internal::to_result(places, internal::gather(places, places.rows));
  }
  check_index(base_, *index);
  if (!index->dtype().is_bool()) return take(base_, *index, 0);
  check_mask(base_, *index);
  if (index->ndim() == base_.ndim() && index->device() == base_.device()) {
    return internal::chosen_elements("getitem", base_, *index);
  }
  return take(flatten_leading(base_, index->ndim()), internal::true_positions("getitem", *index),
              0);
}

const Selection& Selection::operator=(const Operand& value) const {
  if (!internal::has_arrays(index_)) {
    internal::assign("setitem", basic_view(base_, index_), value);
    return *this;
  }
  if (!base_.flags().writeable) {
    throw ValueError("setitem: assignment destination is read-only");
  }
  const ndarray* index = only_array(index_);
  if (index != nullptr && index->dtype().is_bool()) {
    assign_masked(base_, *index, value);
  } else {
    assign_indexed(base_, index_, value);
  }
  return *this;
}

const Selection& Selection::operator=(const Selection& value) const { return *this = value.get(); }

// As Python does: the chosen elements, changed in place, are written back.
const Selection& Selection::update(const ufunc& f, const Operand& x) const {
  const ndarray chosen = get();
  internal::call2(f, chosen, x, {.out = chosen});
  return internal::has_arrays(index_) ? *this = chosen : *this;
}

const Selection& Selection::operator+=(const Operand& x) const { return update(add, x); }
const Selection& Selection::operator-=(const Operand& x) const { return update(subtract, x); }
const Selection& Selection::operator*=(const Operand& x) const { return update(multiply, x); }
const Selection& Selection::operator/=(const Operand& x) const { return update(true_divide, x); }
const Selection& Selection::operator%=(const Operand& x) const { return update(remainder, x); }
const Selection& Selection::operator<<=(const Operand& x) const { return update(left_shift, x); }
const Selection& Selection::operator>>=(const Operand& x) const { return update(right_shift, x); }
const Selection& Selection::operator&=(const Operand& x) const { return update(bitwise_and, x); }
const Selection& Selection::operator|=(const Operand& x) const { return update(bitwise_or, x); }
const Selection& Selection::operator^=(const Operand& x) const { return update(bitwise_xor, x); }
const Selection& Selection::ifloordiv(const Operand& x) const { return update(floor_divide, x); }
const Selection& Selection::ipow(const Operand& x) const { return update(power, x); }

}  // namespace cupyxx
