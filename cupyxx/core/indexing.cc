// SPDX-License-Identifier: MIT
#include "cupyxx/indexing.h"

#include "cupyxx/core/arrays.h"
#include "cupyxx/core/checked.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/internal/take.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/math.h"

namespace cupyxx {

namespace {

// Indices in a form that the backends read.
ndarray index_array(const char* operation, const ndarray& indices) {
  const dtype type = indices.dtype();
  if (!type.is_integer() && !type.is_bool()) {
    throw TypeError(message(operation, ": indices must be integers, not ", type.name()));
  }
  return internal::contiguous(type == int32 ? indices : indices.astype(int64, false));
}

}  // namespace

ndarray internal::position_beside(const char* operation, const ndarray& a, std::int64_t index) {
  internal::check_not_none(operation, a);
  const DeviceScope scope(a.device());
  return array(Scalar(index), int64);
}

ndarray internal::position_on_current_device(std::int64_t index) {
  return array(Scalar(index), int64);
}

ndarray take(const ndarray& a, const ndarray& indices) {
  internal::check_not_none("take", a);
  return take(ravel(a), indices, 0);
}

ndarray take(const ndarray& a, const ndarray& indices, const TakeOptions& options) {
  internal::check_not_none("take", a);
  TakeOptions rest = options;
  const Axes axis = internal::take_axis(rest.axis);
  if (axis.is_all()) return take(ravel(a), indices, 0, rest);
  rest.axis = axis;
  const int at = internal::take_axis("take", rest.axis, 0);
  return take(a, indices, at, rest);
}

ndarray internal::take_in_name(const char* operation, const ndarray& a, const ndarray& indices,
                               int axis, const TakeOptions& options, bool refuses_negative) {
  internal::check_not_none(operation, a);
  internal::check_not_none(operation, indices);
  internal::check_mode(operation, options.mode, IndexMode::clip);
  const Device device = internal::common_device(operation, a, indices);
  const ndarray source = internal::contiguous(a.ndim() == 0 ? a.reshape({1}) : a);
  const int at = normalize_axis(operation, axis, source.ndim());
  const ndarray positions = index_array(operation, indices);
  Shape shape;
  internal::TakeCall call{};
  call.outer = 1;
  call.inner_bytes = a.itemsize();
  for (int i = 0; i < at; ++i) {
    shape.push_back(source.body()->shape[i]);
    call.outer *= source.body()->shape[i];
  }
  for (const std::int64_t extent : indices.shape()) shape.push_back(extent);
  for (int i = at + 1; i < source.ndim(); ++i) {
    shape.push_back(source.body()->shape[i]);
    call.inner_bytes *= source.body()->shape[i];
  }
  call.operation = operation;
  call.source = &source;
  call.indices = &positions;
  call.extent = source.body()->shape[at];
  call.count = positions.size();
  call.axis = at;
  call.mode = options.mode;
  call.refuses_negative = refuses_negative;
  if (call.extent == 0 && call.count > 0) {
    throw IndexError(
        message(operation, ": cannot do a non-empty take from an empty axes; ", a.shape()));
  }
  if (!options.out.is_none()) {
    internal::check_out_shape(operation, options.out, shape);
    internal::check_out_cast(operation, options.out, a.dtype(),
                             can_cast(a.dtype(), options.out.dtype(), Casting::same_kind));
  }
  const ndarray out = internal::make_array(operation, shape, a.dtype(), device);
  call.out = &out;
  if (device.is_cpu()) {
    internal::cpu::take(call);
  } else if (out.size() != 0) {
    internal::gpu::take(call, device.index);
  }
  if (options.out.is_none()) return out;
  internal::assign(operation, options.out, out);
  return options.out;
}

ndarray take(const ndarray& a, const ndarray& indices, internal::Int axis,
             const TakeOptions& options) {
  internal::check_axis_once("take", axis, options.axis);
  return internal::take_in_name("take", a, indices, axis, options);
}

ndarray ndarray::take(const ndarray& indices) const { return cupyxx::take(*this, indices); }
ndarray ndarray::take(const ndarray& indices, internal::Int axis) const {
  return cupyxx::take(*this, indices, axis);
}

ndarray where(const ndarray& condition, const Operand& x, const Operand& y) {
  internal::check_not_none("where", condition);
  const ndarray holds = condition.dtype().is_bool() ? condition : not_equal(condition, 0);
  const Operand test(holds);
  const Operand* operands[] = {&test, &x, &y};
  return internal::ufunc_of<ops::Where>().call(operands, {}, {})[0];
}

ndarray clip(const ndarray& a, const Operand& min, const Operand& max, const ndarray& out) {
  internal::check_not_none("clip", a);
  return clip(a, min, max, UfuncOptions{.out = out});
}

ndarray clip(const ndarray& a, const Operand& min, const Operand& max,
             const UfuncOptions& options) {
  internal::check_not_none("clip", a);
  if (min.is_none() && max.is_none()) {
    throw ValueError("clip: one of the limits must be given; None and None");
  }
  if (min.is_none()) return minimum(a, max, options);
  if (max.is_none()) return maximum(a, min, options);
  const Operand x(a);
  const Operand* operands[] = {&x, &min, &max};
  return internal::ufunc_of<ops::Clip>().call(operands, {}, options)[0];
}

// Of lists.

ndarray clip(const ArrayLike& a, const Operand& min, const Operand& max) {
  return clip(a.array(), min, max);
}

ndarray take(const ArrayLike& a, const ArrayLike& indices) {
  return take(a.beside(indices), indices.beside(a));
}

ndarray where(const ArrayLike& condition, const Operand& x, const Operand& y) {
  return where(condition.array(), x, y);
}

ndarray take(const ndarray& a, const ArrayLike& indices) { return take(a, indices.beside(a)); }

ndarray take(const ndarray& a, const ArrayLike& indices, const TakeOptions& options) {
  return take(a, indices.beside(a), options);
}

ndarray take(const ndarray& a, const ArrayLike& indices, internal::Int axis,
             const TakeOptions& options) {
  return take(a, indices.beside(a), axis, options);
}

ndarray take(const ndarray& a, const ArrayLike& indices, internal::Int axis,
             Choice<IndexMode> mode) {
  return take(a, indices.beside(a), axis, TakeOptions{.mode = mode});
}

ndarray ndarray::take(const ArrayLike& indices) const {
  return cupyxx::take(*this, indices.beside(*this));
}

ndarray ndarray::take(const ArrayLike& indices, internal::Int axis) const {
  return cupyxx::take(*this, indices.beside(*this), axis);
}

ndarray ndarray::take(const ArrayLike& indices, const Axes& axis, Choice<IndexMode> mode) const {
  return cupyxx::take(*this, indices.beside(*this), TakeOptions{.axis = axis, .mode = mode});
}

ndarray ndarray::take(const ArrayLike& indices, const TakeOptions& options) const {
  return cupyxx::take(*this, indices.beside(*this), options);
}

ndarray ndarray::take(const ArrayLike& indices, internal::Int axis,
                      const TakeOptions& options) const {
  return cupyxx::take(*this, indices.beside(*this), axis, options);
}

}  // namespace cupyxx
