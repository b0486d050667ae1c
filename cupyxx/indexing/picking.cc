// SPDX-License-Identifier: MIT
#include <cstring>
#include <vector>

#include "cupyxx/core/arrays.h"
#include "cupyxx/core/checked.h"
#include "cupyxx/core/chosen.h"
#include "cupyxx/core/places.h"
#include "cupyxx/core/resolve.h"
#include "cupyxx/core/rows.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/indexing.h"
#include "cupyxx/internal/masks.h"
#include "cupyxx/internal/scatter.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/math.h"
#include "cupyxx/reduction.h"
#include "cupyxx/sorting.h"

namespace cupyxx {

namespace {

// The index list that names every place: positions along the other axes, `indices` along this one.
std::vector<Index> along_axis(const char* operation, const ndarray& a, const ndarray& indices,
                              int axis) {
  if (a.ndim() != indices.ndim()) {
    throw ValueError(message(operation, ": indices need as many axes as the array; ",
                             indices.shape(), " and ", a.shape()));
  }
  if (!indices.dtype().is_integer()) {
    throw IndexError(
        message(operation, ": indices must be integers, not ", indices.dtype().name()));
  }
  const int at = normalize_axis(operation, axis, a.ndim());
  const DeviceScope scope(a.device());
  std::vector<Index> index;
  for (int i = 0; i < a.ndim(); ++i) {
    if (i == at) {
      index.emplace_back(indices);
      continue;
    }
    Shape shape;
    for (int j = 0; j < a.ndim(); ++j) shape.push_back(j == i ? a.shape()[i] : 1);
    index.emplace_back(arange(a.shape()[i]).reshape(shape));
  }
  return index;
}

// Positions within [0, count).
ndarray positions(const char* operation, const ndarray& indices, std::int64_t count,
                  IndexMode mode) {
  if (!indices.dtype().is_integer() && !indices.dtype().is_bool()) {
    throw TypeError(message(operation, ": indices must be integers, not ", indices.dtype().name()));
  }
  const ndarray index = indices.astype(int64, false);
  if (index.size() == 0) return index;
  if (count == 0) throw IndexError(message(operation, ": there is no element to choose"));
  if (mode == IndexMode::wrap) return remainder(index, count);
  if (mode == IndexMode::clip) return clip(index, 0, count - 1);
  if (index.device().is_cpu() && index.flags().c_contiguous) {
    const internal::cpu::IndexRange range = internal::cpu::index_range(index, count);
    if (range.inside && !range.negative) return index;
  }
  const auto low = amin(index).item<std::int64_t>(), high = amax(index).item<std::int64_t>();
  if (low < -count || high >= count) {
    throw IndexError(message(operation, ": index ", high >= count ? high : low,
                             " is out of bounds for size ", count));
  }
  return where(index < 0, index + count, index);
}

// Numbers of the elements that integers name, checked by the device.
ndarray rows_on_device(const char* operation, const ndarray& a, const ndarray& indices) {
  if (!indices.dtype().is_integer() && !indices.dtype().is_bool()) {
    return positions(operation, indices, a.size(), IndexMode::raise);  // says why not
  }
  internal::common_device(operation, a, indices);
  const ndarray index = indices.astype(int64, false);
  const Shape extent{a.size()};
  return internal::gpu::combine_rows(operation, {&index, 1}, extent, index.shape());
}

}  // namespace

ndarray take_along_axis(const ndarray& a, const ndarray& indices, internal::Int axis) {
  internal::check_not_none("take_along_axis", a);
  internal::check_not_none("take_along_axis", indices);
  const auto index = along_axis("take_along_axis", a, indices, axis);
  return a.getitem(std::span<const Index>(index)).get();
}

void put_along_axis(const ndarray& a, const ndarray& indices, const Operand& values,
                    internal::Int axis) {
  internal::check_not_none("put_along_axis", a);
  internal::check_not_none("put_along_axis", indices);
  internal::check_not_none("put_along_axis", values);
  const auto index = along_axis("put_along_axis", a, indices, axis);
  a.setitem(std::span<const Index>(index), values);
}

void put(const ndarray& a, const ndarray& indices, const Operand& values, Choice<IndexMode> mode) {
  internal::check_not_none("put", a);
  internal::check_not_none("put", indices);
  internal::check_mode("put", mode, IndexMode::clip);
  if (!a.flags().writeable) throw ValueError("put: assignment destination is read-only");
  const DeviceScope scope(a.device());
  const ndarray flat = indices.ravel();
  // Out of range on a device is what its error word reports.
  const ndarray rows = mode == IndexMode::raise && a.device().is_cuda()
                           ? rows_on_device("put", a, flat)
                           : positions("put", flat, a.size(), mode);
  if (values.is_none()) throw TypeError("put: the values are None");
  values.move_list_to(a.device());
  const ndarray given =
      values.is_array() ? values.array().ravel() : internal::filled("put", {1}, values, a.dtype());
  if (rows.size() == 0 || given.size() == 0) return;
  const ndarray numbers = internal::may_overlap(a, rows) ? rows.copy() : rows;
  const internal::Places places{a, a.ndim(), numbers, 0};
  ndarray cycle = given.astype(a.dtype(), false);
  if (given.size() == 1) {
    cycle = cycle.reshape({});
  } else if (given.size() != rows.size()) {
    cycle = take(cycle, arange(rows.size()), 0, {.mode = IndexMode::wrap});
  }
  internal::scatter("put", places, ascontiguousarray(numbers), cycle);
}

void scatter_add(const ndarray& a, std::span<const Index> index, const Operand& b,
                 const ScatterOptions& options) {
  internal::check_not_none("scatter_add", a);
  internal::check_not_none("scatter_add", b);
  internal::apply_at(add, a, index, b, options.deterministic);
}

namespace {

template <class T>
void choose_elements(const ndarray& result, const std::int64_t* selector,
                     const std::vector<const void*>& choices) {
  auto* const to = static_cast<T*>(result.elements());
  const std::int64_t n = result.size();
  for (std::int64_t i = 0; i < n; ++i) {
    std::memcpy(to + i, static_cast<const T*>(choices[static_cast<std::size_t>(selector[i])]) + i,
                sizeof(T));
  }
}

// Of arrays on the host in one shape and dtype, chosen by integers in range, which all modes leave
// alone; else null.
ndarray chosen_on_host(const ndarray& a, std::span<const ndarray> choices) {
  const auto count = static_cast<std::int64_t>(choices.size());
  const auto stands = [&](const ndarray& x) {
    return x.device().is_cpu() && x.flags().c_contiguous && x.shape() == a.shape();
  };
  if (count == 0 || a.dtype() != int64 || !stands(a)) return {};
  std::vector<const void*> elements;
  for (const ndarray& choice : choices) {
    if (choice.dtype() != choices[0].dtype() || !stands(choice)) return {};
    elements.push_back(choice.elements());
  }
  const auto* const selector = static_cast<const std::int64_t*>(a.elements());
  if (!internal::cpu::all_from_front(selector, a.size(), count)) return {};
  const ndarray result =
      internal::make_array("choose", a.shape(), choices[0].dtype(), choices[0].device());
  switch (result.itemsize()) {
    case 1:
      choose_elements<std::uint8_t>(result, selector, elements);
      break;
    case 2:
      choose_elements<std::uint16_t>(result, selector, elements);
      break;
    case 4:
      choose_elements<std::uint32_t>(result, selector, elements);
      break;
    case 8:
      choose_elements<std::uint64_t>(result, selector, elements);
      break;
    default:
      choose_elements<complex<double>>(result, selector, elements);
  }
  return result;
}

}  // namespace

ndarray choose(const ndarray& a, std::span<const ndarray> choices, Choice<IndexMode> mode,
               const ndarray& out) {
  internal::check_not_none("choose", a);
  for (const ndarray& choice : choices) internal::check_not_none("choose", choice);
  internal::check_mode("choose", mode, IndexMode::clip);
  const auto count = static_cast<std::int64_t>(choices.size());
  if (!a.dtype().is_integer() && !a.dtype().is_bool()) {
    throw TypeError(message("choose: the selector must be integers, not ", a.dtype().name()));
  }
  if (out.is_none()) {
    const ndarray chosen = chosen_on_host(a, choices);
    if (!chosen.is_none()) return chosen;
  }
  if (mode == IndexMode::raise && a.size() != 0) {
    const auto low = amin(a).item<std::int64_t>(), high = amax(a).item<std::int64_t>();
    if (low < 0 || high >= count) {
      throw ValueError(
          message("choose: invalid entry in choice array; ", low < 0 ? low : high, " of ", count));
    }
  }
  if (count == 0) throw ValueError("choose: there is nothing to choose from");
  const ndarray selector =
      positions("choose", a, count, mode == IndexMode::raise ? IndexMode::clip : IndexMode(mode));
  ndarray result = choices[0];
  const dtype type = internal::common_dtype(choices);
  result = broadcast_to(result.astype(type, false),
                        broadcast_shapes("choose", selector.shape(), result.shape()));
  for (std::int64_t i = 1; i < count; ++i) {
    result = where(equal(selector, i), choices[static_cast<std::size_t>(i)], result);
  }
  if (!out.is_none()) return internal::deliver_to("choose", result, out, Casting::unsafe);
  return count == 1 ? result.copy() : result;
}

ndarray compress(const ndarray& condition, const ndarray& a, const Axes& axis, const ndarray& out) {
  internal::check_not_none("compress", condition);
  internal::check_not_none("compress", a);
  if (condition.ndim() != 1) {
    throw ValueError(message("compress: the condition must have one axis; ", condition.shape()));
  }
  if (!axis.is_all() && axis.list().ndim() != 1) {
    throw TypeError(message("compress: takes one axis or none; ", axis));
  }
  const ndarray x = axis.is_all() ? a.ravel() : a;
  const int at = axis.is_all() ? 0 : normalize_axis("compress", axis.list()[0], x.ndim());
  const bool is_mask = condition.dtype().is_bool() && condition.device().is_cpu();
  const ndarray holds = is_mask ? condition : not_equal(condition, 0);
  if (is_mask && x.ndim() == 1 && out.is_none() && condition.size() == x.size()) {
    internal::common_device("compress", condition, a);
    return internal::chosen_elements("compress", x, holds);
  }
  const ndarray chosen = internal::true_positions("compress", holds);
  if (chosen.size() != 0 && condition.size() > x.shape()[at]) {
    const auto last = chosen(-1).item<std::int64_t>();
    if (last >= x.shape()[at]) {
      throw IndexError(message("compress: index ", last, " is out of bounds for axis ", at,
                               " with size ", x.shape()[at]));
    }
  }
  internal::common_device("compress", condition, a);
  return take(x, chosen, at, {.out = out});
}

ndarray extract(const ndarray& condition, const ndarray& a) {
  internal::check_not_none("extract", condition);
  internal::check_not_none("extract", a);
  return compress(condition.ravel(), a.ravel(), 0);
}

namespace {

void check_mask(const char* operation, const ndarray& a, const ndarray& mask) {
  internal::check_not_none(operation, a);
  internal::check_not_none(operation, mask);
  internal::common_device(operation, a, mask);
  if (!a.flags().writeable) {
    throw ValueError(message(operation, ": assignment destination is read-only"));
  }
  if (mask.size() != a.size()) {
    throw ValueError(
        message(operation, ": mask and array differ in size; ", mask.shape(), " and ", a.shape()));
  }
}

// A number as an array of one element, beside `a` and of its dtype. Of an array nothing but digits
// is lost: no fraction, no imaginary part.
ndarray source_values(const char* operation, const ndarray& a, const Operand& values) {
  if (values.is_none()) throw TypeError(message(operation, ": the values are None"));
  const DeviceScope scope(a.device());
  if (!values.is_array()) return internal::filled(operation, {1}, values, a.dtype());
  values.move_list_to(a.device());
  internal::common_device(operation, a, values.array());
  const dtype given = values.array().dtype();
  if (!values.is_list() && !can_cast(given, a.dtype(), Casting::same_kind)) {
    throw DtypeError(message(operation, ": cannot cast values of ", given.name(), " to ",
                             a.dtype().name(), " with casting rule 'same_kind'"));
  }
  return values.array().ravel().astype(a.dtype(), false);
}

}  // namespace

void place(const ndarray& a, const ndarray& mask, const Operand& values) {
  check_mask("place", a, mask);
  const ndarray given = source_values("place", a, values);
  const ndarray chosen = flatnonzero(mask);
  if (chosen.size() == 0) return;
  if (given.size() == 0) throw ValueError("place: cannot insert from an empty array; (0,)");
  if (a.device().is_cpu() && a.flags().c_contiguous && mask.dtype().is_bool() &&
      !internal::may_overlap(a, mask) && !internal::may_overlap(a, given)) {
    const ndarray cycle = given.size() >= chosen.size()
                              ? internal::contiguous(given)
                              : take(given, arange(chosen.size()), {.mode = IndexMode::wrap});
    const ndarray holds = internal::contiguous(mask);
    internal::touch(a.body());  // selections of it are taken before it changes
    return internal::cpu::fill_chosen(a, holds, cycle);
  }
  put(a, chosen, given);
}

void putmask(const ndarray& a, const ndarray& mask, const Operand& values) {
  check_mask("putmask", a, mask);
  const ndarray given = source_values("putmask", a, values);
  if (given.size() == 0 || a.size() == 0) return;
  const DeviceScope scope(a.device());
  const ndarray holds = (mask.dtype().is_bool() ? mask : not_equal(mask, 0)).reshape(a.shape());
  if (given.size() == 1 && a.device().is_cpu()) {
    return internal::assign("putmask", a, given.item(), Casting::unsafe, holds);
  }
  const ndarray everywhere = given.size() == 1 ? broadcast_to(given, {a.size()})
                             : given.size() == a.size()
                                 ? given
                                 : take(given, arange(a.size()), {.mode = IndexMode::wrap});
  copyto(a, everywhere.reshape(a.shape()), {.casting = Casting::unsafe, .where = holds});
}

namespace {

ndarray select_among(std::span<const ndarray> conditions, std::span<const Operand> choices,
                     const Operand& otherwise) {
  if (conditions.size() != choices.size()) {
    throw ValueError(message("select: conditions and choices differ in number; ", conditions.size(),
                             " and ", choices.size()));
  }
  if (conditions.empty()) throw ValueError("select: there is no condition");
  std::vector<const Operand*> operands{&otherwise};
  Shape shape;
  for (const Operand& choice : choices) operands.push_back(&choice);
  for (const ndarray& condition : conditions) internal::check_not_none("select", condition);
  for (const Operand* operand : operands) operand->move_list_to(conditions[0].device());
  for (const Operand* operand : operands) {
    if (!operand->is_array()) continue;
    internal::check_not_none("select", operand->array());
    shape = broadcast_shapes("select", shape, operand->array().shape());
  }
  for (const ndarray& condition : conditions) {
    if (!condition.dtype().is_bool()) {
      throw TypeError(message("select: conditions must be bool, not ", condition.dtype().name()));
    }
    shape = broadcast_shapes("select", shape, condition.shape());
  }
  const DeviceScope scope(choices[0].is_array() ? choices[0].array().device()
                                                : conditions[0].device());
  const ndarray result =
      internal::filled("select", shape, otherwise, internal::result_type(operands));
  for (std::size_t i = choices.size(); i-- > 0;) {
    copyto(result, choices[i], {.casting = Casting::unsafe, .where = conditions[i]});
  }
  return result;
}

}  // namespace

ndarray select(std::span<const ndarray> conditions, std::span<const ndarray> choices,
               const Operand& otherwise) {
  const std::vector<Operand> operands(choices.begin(), choices.end());
  return select_among(conditions, operands, otherwise);
}

ndarray select(std::initializer_list<ndarray> conditions, std::initializer_list<Operand> choices,
               const Operand& otherwise) {
  return select_among(internal::as_span(conditions), internal::as_span(choices), otherwise);
}

// Of lists.

void put(const ndarray& a, const ArrayLike& indices, const Operand& values,
         Choice<IndexMode> mode) {
  put(a, indices.beside(a), values, mode);
}

ndarray choose(const ArrayLike& a, std::initializer_list<ndarray> choices) {
  return choose(a.array(), internal::as_span(choices));
}

ndarray compress(const ArrayLike& condition, const ArrayLike& a, const Axes& axis,
                 const ndarray& out) {
  return compress(condition.beside(a), a.beside(condition), axis, out);
}

ndarray extract(const ArrayLike& condition, const ArrayLike& a) {
  return extract(condition.beside(a), a.beside(condition));
}

void scatter_add(const ndarray& a, const Index& index, const Operand& b,
                 const ScatterOptions& options) {
  scatter_add(a, internal::span_of(index), b, options);
}

ndarray choose(const ndarray& a, std::initializer_list<ndarray> choices, Choice<IndexMode> mode,
               const ndarray& out) {
  return choose(a, internal::as_span(choices), mode, out);
}

ndarray choose(const ArrayLike& a, const ArrayLike& choices, Choice<IndexMode> mode,
               const ndarray& out) {
  return choose(a, choices.beside(a), mode, out);
}

ndarray select(std::initializer_list<ndarray> conditions, std::initializer_list<ndarray> choices,
               const Operand& otherwise) {
  return select(internal::as_span(conditions), internal::as_span(choices), otherwise);
}

void ndarray::put(const ndarray& indices, const Operand& values) const {
  cupyxx::put(*this, indices, values);
}

void ndarray::put(const ArrayLike& indices, const Operand& values) const {
  cupyxx::put(*this, indices, values);
}

void ndarray::put(const ArrayLike& indices, const Operand& values, Choice<IndexMode> mode) const {
  cupyxx::put(*this, indices, values, mode);
}

ndarray ndarray::compress(const ArrayLike& condition, const Axes& axis) const {
  return cupyxx::compress(condition.beside(*this), *this, axis);
}

ndarray ndarray::choose(std::span<const ndarray> choices) const {
  return cupyxx::choose(*this, choices);
}

ndarray ndarray::choose(std::initializer_list<ndarray> choices) const {
  return cupyxx::choose(*this, internal::as_span(choices));
}

ndarray ndarray::compress(const ndarray& condition, const Axes& axis) const {
  return cupyxx::compress(condition, *this, axis);
}

ndarray internal::choose_rows(const ArrayLike& a, const ndarray& choices, IndexMode mode,
                              const ndarray& out) {
  const std::vector<ndarray> rows(choices.begin(), choices.end());
  return choose(beside(a, choices), std::span<const ndarray>(rows), mode, out);
}

}  // namespace cupyxx
