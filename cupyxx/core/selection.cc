// SPDX-License-Identifier: MIT
// Parts of an array chosen by masks and index arrays.
#include <span>
#include <utility>
#include <vector>

#include "cupyxx/core/arrays.h"
#include "cupyxx/core/chosen.h"
#include "cupyxx/core/pending.h"
#include "cupyxx/core/places.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/indexing.h"
#include "cupyxx/internal/masks.h"
#include "cupyxx/internal/scatter.h"
#include "cupyxx/internal/take.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/math.h"
#include "cupyxx/ndarray.h"

namespace cupyxx {

namespace {

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

void assign_masked(const ndarray& base, const ndarray& given, const Operand& value) {
  const ndarray mask = internal::fitting_mask("getitem", base, given);
  const int inner = base.ndim() - mask.ndim();
  // What is the same for all rows needs neither a count nor a wait.
  if (!value.is_array() || value.array().ndim() <= inner) {
    internal::assign("setitem", base, value, Casting::unsafe, expand_mask(base, mask));
    return;
  }
  const bool on_host = base.device().is_cpu() && mask.device().is_cpu() &&
                       base.flags().c_contiguous && !internal::may_overlap(base, mask);
  const ndarray flags = on_host ? internal::contiguous(mask) : mask;
  const ndarray rank =
      on_host ? ndarray()
              : internal::running_count("setitem", mask);  // of each true element, from 1
  const std::int64_t count = on_host            ? internal::cpu::count_true(flags)
                             : rank.size() == 0 ? 0
                                                : rank(-1).item<std::int64_t>();
  Shape shape;
  shape.push_back(count);
  for (int i = mask.ndim(); i < base.ndim(); ++i) shape.push_back(base.body()->shape[i]);
  ndarray values;
  try {
    values = broadcast_to(value.array().to(base.device()), shape);
  } catch (const ShapeError&) {
    throw ValueError(message("setitem: cannot assign ", value.array().shape(),
                             " input values to the ", count,
                             " output values where the mask is true"));
  }
  if (count == 0) return;
  if (on_host) {
    ndarray elements = internal::contiguous(values.astype(base.dtype(), false));
    if (internal::may_overlap(base, elements)) elements = elements.copy(Order::C);
    internal::touch(base.body());
    internal::cpu::fill_chosen(base, flags, elements);
    return;
  }
  const ndarray gathered = take(values, maximum(subtract(rank, 1), 0), 0).reshape(base.shape());
  internal::assign("setitem", base, gathered, Casting::unsafe, expand_mask(base, mask));
}

// Whether an array is on the host, C-contiguous and of a dtype.
bool is_plain(const ndarray& a, dtype type) {
  return a.dtype() == type && a.body()->c_contiguous && a.device().is_cpu();
}

// The shape of the rows of `base` that indices into its first axis choose.
Shape shape_of_rows(const ndarray& index, const internal::Body& base) {
  Shape shape = index.shape();
  for (int axis = 1; axis < base.ndim; ++axis) shape.push_back(base.shape[axis]);
  return shape;
}

// The usual assignment to places, without what the others need: one array of indices from the front
// into the first axis, and a number for each element or an array as the base has its rows, all on
// the host. False, with nothing written, for any other.
bool assign_quickly(const ndarray& base, const ndarray& index, const Operand& value) {
  const internal::Body& to = *base.body();
  if (to.size == 0 || to.ndim == 0 || index.is_none()) return false;
  if (!is_plain(base, to.dtype) || !is_plain(index, int64)) return false;
  if (internal::may_overlap(base, index)) return false;
  alignas(16) char element[16];
  const char* values = element;
  std::int64_t bytes = to.dtype.itemsize(), step = 0;
  if (!value.is_array()) {
    if (to.ndim != 1) return false;
    internal::as_element("setitem", value.scalar(), to.dtype).store("setitem", to.dtype, element);
  } else {
    const ndarray& from = value.array();
    if (from.is_none() || !is_plain(from, to.dtype) || internal::may_overlap(base, from)) {
      return false;
    }
    if (!(from.shape() == shape_of_rows(index, to))) return false;
    values = static_cast<const char*>(from.elements());
    step = bytes *= to.size / to.shape[0];
  }
  internal::touch(base.body());
  return internal::cpu::scatter_to_front(static_cast<char*>(base.elements()), to.shape[0], bytes,
                                         static_cast<const std::int64_t*>(index.elements()),
                                         index.size(), values, step);
}

void assign_indexed(const ndarray& base, std::span<const Index> index, const Operand& value) {
  const internal::Places places = internal::find_places("setitem", base, index);
  const ndarray rows =
      places.rows.ndim() == 1 ? places.rows : places.rows.reshape({places.rows.size()});
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
  // What is already as it must be is written as it stands.
  ndarray values = value.array();
  const bool fits = values.dtype() == base.dtype() && values.device() == base.device() &&
                    values.shape() == shape && !internal::may_overlap(base, values);
  if (!fits) {
    values = internal::make_array("setitem", shape, base.dtype(), base.device());
    internal::assign("setitem", values, value);
  }
  if (places.front == 0 && places.rows.ndim() == 1) {
    return internal::scatter("setitem", places, rows, values);
  }
  Shape flat = places.rest();
  flat.insert(0, places.rows.size());
  internal::scatter("setitem", places, rows, internal::from_result(places, values).reshape(flat));
}

void check_index(const ndarray& base, const ndarray& index) {
  internal::check_not_none("getitem", base);
  internal::check_not_none("getitem", index);
  internal::common_device("getitem", base, index);
  if (!index.dtype().is_bool() && !index.dtype().is_integer()) {
    throw IndexError(
        message("getitem: arrays used as indices must be of integer or boolean type, not ",
                index.dtype().name()));
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

namespace {

// The view, or a body that waits.
ndarray select(const ndarray& base, std::vector<Index> index) {
  internal::check_not_none("getitem", base);
  if (!internal::has_arrays(index)) return basic_view(base, index);
  for (Index& entry : index) entry.move_list_to(base.device());
  return ndarray::adopt(internal::new_pending(base, std::move(index), internal::take_selection));
}

}  // namespace

Selection ndarray::operator()(const ndarray& index) const {
  check_index(*this, index);
  std::vector<Index> list;
  list.emplace_back(index);  // not copied, as from a list in braces
  return {*this, std::move(list)};
}

Selection ndarray::operator()(const internal::Entry& first, const internal::Entry& second) const {
  return {*this, {first, second}};
}

Selection ndarray::operator()(const internal::Entry& first, const internal::Entry& second,
                              const internal::Entry& third) const {
  return {*this, {first, second, third}};
}

Selection ndarray::operator()(const internal::Entry& first, const internal::Entry& second,
                              const internal::Entry& third, const internal::Entry& fourth) const {
  return {*this, {first, second, third, fourth}};
}

void Index::set_list(const void* numbers, cupyxx::dtype type, std::size_t count) {
  const DeviceScope host(Device::cpu());
  array_ = internal::from_host(numbers, type, Shape(static_cast<std::int64_t>(count)), type);
}

void Index::move_list_to(Device device) {
  if (is_list_) array_ = array_.to(device);
}

namespace internal {

ndarray take_selection(const ndarray& base, const std::vector<Index>& list) {
  const ndarray* index = only_array(list);
  if (index == nullptr || base.ndim() == 0) {
    const Places places = find_places("getitem", base, list);
    return to_result(places, gather(places, places.rows));
  }
  check_index(base, *index);
  if (is_plain(*index, int64) && is_plain(base, base.dtype()) && base.size() != 0) {
    const Body& from = *base.body();
    const ndarray result =
        make_array("getitem", shape_of_rows(*index, from), base.dtype(), base.device());
    TakeCall call{};
    call.operation = "getitem";
    call.source = &base;
    call.indices = index;
    call.out = &result;
    call.outer = 1;
    call.extent = from.shape[0];
    call.count = index->size();
    call.inner_bytes = base.nbytes() / from.shape[0];
    cpu::take(call);
    return result;
  }
  if (!index->dtype().is_bool()) return take_in_name("getitem", base, *index, 0);
  const ndarray mask = fitting_mask("getitem", base, *index);
  if (mask.ndim() == base.ndim() && mask.device() == base.device()) {
    return chosen_elements("getitem", base, mask);
  }
  return take_in_name("getitem", flatten_leading(base, mask.ndim()),
                      true_positions("getitem", mask), 0);
}

}  // namespace internal

Selection::Selection(const ndarray& base, std::vector<Index> index)
    : ndarray(select(base, std::move(index))) {}

Selection ndarray::chosen(const Index* items, std::size_t count) const {
  return {*this, std::vector<Index>(items, items + count)};
}

ndarray::ndarray(const Selection& selection) : body_(selection.body_) {
  if (!selection.is_ready()) internal::make_ready(selection.body_);
  internal::retain(body_);
}

namespace {
// Whether its elements have not been taken. Without arrays in its index it is a view, or an
// element.
bool is_pending(const Selection& selection) {
  return selection.handle()->state.load(std::memory_order_acquire) == internal::BodyState::pending;
}
}  // namespace

const Selection& Selection::write(const Operand& value) const {
  const internal::OwnWriteScope own(handle());
  const auto [base, index] = internal::target_of(handle());
  if (!base.flags().writeable) {
    throw ValueError("setitem: assignment destination is read-only");
  }
  const ndarray* only = only_array(index);
  if (only != nullptr && only->dtype().is_bool()) {
    assign_masked(base, *only, value);
  } else if (only == nullptr || !assign_quickly(base, *only, value)) {
    assign_indexed(base, index, value);
  }
  return *this;
}

const Selection& Selection::operator=(const Operand& value) const&& {
  if (is_pending(*this)) return write(value);
  internal::assign("setitem", *this, value);
  return *this;
}

const Selection& Selection::operator=(const Selection& value) const&& {
  return std::move(*this) = value.get();  // NOLINT(performance-move-const-arg)
}

ndarray Selection::target() const {
  if (!is_pending(*this)) return *this;
  return internal::target_of(handle()).base;
}

const Selection& Selection::operator=(std::initializer_list<internal::ListItem> list) const&& {
  const ndarray base = target();
  const DeviceScope scope(base.device());
  return std::move(*this) = array(list, base.dtype());  // NOLINT(performance-move-const-arg)
}

// As Python does: the chosen elements, changed in place, are written back.
const Selection& Selection::update(const ufunc& f, const Operand& x) const {
  if (!is_pending(*this)) {
    internal::call2(f, *this, x, {.out = *this});
    return *this;
  }
  const auto [base, index] = internal::target_of(handle());
  const ndarray chosen = internal::take_selection(base, index);
  internal::call2(f, chosen, x, {.out = chosen});
  return write(chosen);
}

const Selection& Selection::operator+=(const Operand& x) const&& { return update(add, x); }
const Selection& Selection::operator-=(const Operand& x) const&& { return update(subtract, x); }
const Selection& Selection::operator*=(const Operand& x) const&& { return update(multiply, x); }
const Selection& Selection::operator/=(const Operand& x) const&& { return update(true_divide, x); }
const Selection& Selection::operator%=(const Operand& x) const&& { return update(remainder, x); }
const Selection& Selection::operator<<=(const Operand& x) const&& { return update(left_shift, x); }
const Selection& Selection::operator>>=(const Operand& x) const&& { return update(right_shift, x); }
const Selection& Selection::operator&=(const Operand& x) const&& { return update(bitwise_and, x); }
const Selection& Selection::operator|=(const Operand& x) const&& { return update(bitwise_or, x); }
const Selection& Selection::operator^=(const Operand& x) const&& { return update(bitwise_xor, x); }
const Selection& Selection::ifloordiv(const Operand& x) const&& { return update(floor_divide, x); }
const Selection& Selection::ipow(const Operand& x) const&& { return update(power, x); }

}  // namespace cupyxx
