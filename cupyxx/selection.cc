// SPDX-License-Identifier: MIT
// Parts of an array chosen by a mask or by an index array along the first axis.

#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/indexing.h"
#include "cupyxx/internal/arrays.h"
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

// Writes values[source[row]] to each row of `base` where source[row] >= 0. Goes through a gather
// and one masked copy, so equal positions have one winner on every device.
void write_rows(const ndarray& base, std::vector<std::int64_t> source, const ndarray& values) {
  std::vector<std::uint8_t> chosen(source.size());
  for (std::size_t i = 0; i < source.size(); ++i) {
    chosen[i] = source[i] >= 0;
    if (source[i] < 0) source[i] = 0;
  }
  const DeviceScope scope(base.device());
  const ndarray mask = array(chosen).view(bool_);
  const ndarray gathered = take(values, array(source), 0).reshape(base.shape());
  internal::assign("setitem", base, gathered, Casting::unsafe, expand_mask(base, mask));
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

void assign_indexed(const ndarray& base, const ndarray& index, const Operand& value) {
  const std::int64_t extent = base.len();
  const auto positions = index.to_vector<std::int64_t>();
  std::vector<std::int64_t> source(static_cast<std::size_t>(extent), -1);
  for (std::size_t i = 0; i < positions.size(); ++i) {
    const std::int64_t at = positions[i];
    if (at < -extent || at >= extent) {
      throw IndexError("setitem: index " + std::to_string(at) +
                       " is out of bounds for axis 0 with size " + std::to_string(extent));
    }
    source[static_cast<std::size_t>(at < 0 ? at + extent : at)] = static_cast<std::int64_t>(i);
  }
  if (positions.empty()) return;
  Shape shape = index.shape();
  Shape rows;
  rows.push_back(index.size());
  for (int i = 1; i < base.ndim(); ++i) {
    shape.push_back(base.body()->shape[i]);
    rows.push_back(base.body()->shape[i]);
  }
  const DeviceScope scope(base.device());
  ndarray values = internal::make_array("setitem", shape, base.dtype(), base.device());
  internal::assign("setitem", values, value);
  write_rows(base, std::move(source), values.reshape(rows));
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

}  // namespace

Selection ndarray::operator()(const ndarray& index) const {
  check_index(*this, index);
  return {*this, index};
}

ndarray Selection::get() const {
  if (!index_.dtype().is_bool()) return take(base_, index_, 0);
  check_mask(base_, index_);
  return take(flatten_leading(base_, index_.ndim()), internal::true_positions("getitem", index_),
              0);
}

const Selection& Selection::operator=(const Operand& value) const {
  if (!base_.flags().writeable) {
    throw ValueError("setitem: assignment destination is read-only");
  }
  if (index_.dtype().is_bool()) {
    assign_masked(base_, index_, value);
  } else {
    assign_indexed(base_, index_, value);
  }
  return *this;
}

const Selection& Selection::operator=(const Selection& value) const { return *this = value.get(); }
const Selection& Selection::operator+=(const Operand& x) const { return *this = get() + x; }
const Selection& Selection::operator-=(const Operand& x) const { return *this = get() - x; }
const Selection& Selection::operator*=(const Operand& x) const { return *this = get() * x; }
const Selection& Selection::operator/=(const Operand& x) const { return *this = get() / x; }

}  // namespace cupyxx
