// SPDX-License-Identifier: MIT
#include <cstring>

#include "cupyxx/core/arrays.h"
#include "cupyxx/core/order_k.h"
#include "cupyxx/core/quick_call.h"
#include "cupyxx/core/resolve.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/internal/elementwise.h"
#include "cupyxx/internal/gpu/runtime.h"
#include "cupyxx/internal/masks.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/ufunc.h"

namespace cupyxx {

namespace internal {

namespace {

// Leading axes of extent 1 that the target lacks are dropped, as NumPy's setitem does.
ndarray drop_leading(const ndarray& source, int ndim) {
  Shape shape = source.shape();
  while (shape.ndim() > ndim && shape[0] == 1) shape.erase(0);
  return shape.ndim() == source.ndim() ? source : source.reshape(shape);
}

bool same_contiguous(const ndarray& a, const ndarray& b) {
  return a.dtype() == b.dtype() && a.body()->c_contiguous && b.body()->c_contiguous &&
         a.shape() == b.shape();
}

// Whether the bytes of one, as they lie, are those of the other.
bool same_bytes(const ndarray& a, const ndarray& b) {
  return a.dtype() == b.dtype() && same_dense_layout(*a.body(), *b.body());
}

// Between the host and a device. Copies to the host synchronise.
void copy_bytes(const ndarray& target, const ndarray& source) {
  const bool to_device = source.device().is_cpu();
  const ndarray& there = to_device ? target : source;
  const int index = there.device().index;
  void* const stream = gpu::current_stream(index);
  touch(target.body());
  gpu::record_use(there.body()->storage, stream);
  gpu::copy(target.body()->data, source.body()->data, static_cast<std::size_t>(source.nbytes()),
            to_device ? gpu::CopyKind::host_to_device : gpu::CopyKind::device_to_host, index,
            stream);
}

// Whether a mask on the host covers the target row by row, as it stands: its shape is that of the
// target's first axes, and 1 along the others.
bool covers_rows(const ndarray& target, const ndarray& where) {
  if (where.is_none() || !target.device().is_cpu() || !where.device().is_cpu()) return false;
  const Body &to = *target.body(), &mask = *where.body();
  if (!mask.dtype.is_bool() || !mask.c_contiguous || !to.c_contiguous || mask.ndim != to.ndim) {
    return false;
  }
  int axis = 0;
  while (axis < to.ndim && mask.shape[axis] == to.shape[axis]) ++axis;
  for (; axis < to.ndim; ++axis) {
    if (mask.shape[axis] != 1) return false;
  }
  return !may_overlap(target, where);
}

// Few elements that lie side by side on the host: a loop is sooner done than prepared.
bool fills_few(const ndarray& target, const ndarray& where, const char* element) {
  constexpr std::int64_t kFew = 2048;  // bytes
  const Body& to = *target.body();
  const std::int64_t size = to.dtype.itemsize(), bytes = to.size * size;
  if (!where.is_none() || !to.c_contiguous || bytes > kFew || !target.device().is_cpu()) {
    return false;
  }
  touch(target.body());
  const auto fill = [&](auto number) {
    std::memcpy(&number, element, sizeof(number));
    for (std::int64_t i = 0; i < bytes; i += static_cast<std::int64_t>(sizeof(number))) {
      std::memcpy(to.data + i, &number, sizeof(number));
    }
  };
  switch (size) {
    case 1:
      fill(std::uint8_t{});
      return true;
    case 2:
      fill(std::uint16_t{});
      return true;
    case 4:
      fill(std::uint32_t{});
      return true;
    case 8:
      fill(std::uint64_t{});
      return true;
    default:
      return false;
  }
}

// A few elements on the host that are copied into an array of the same shape, whatever the steps
// and dtypes: a row into a column, a matrix into one of the other order, numbers as float32.
bool copies_few(const ndarray& target, const ndarray& source, Casting casting) {
  constexpr std::int64_t kFew = 4096;  // elements
  const Body &to = *target.body(), &from = *source.body();
  if (to.ndim == 0 || to.ndim > 2 || from.ndim != to.ndim || to.size > kFew || to.size == 0 ||
      to.storage == from.storage || !to.device().is_cpu() || !from.device().is_cpu() ||
      to.shape[0] != from.shape[0] || to.shape[to.ndim - 1] != from.shape[to.ndim - 1]) {
    return false;
  }
  ElementwiseCall call;
  const int code = static_cast<int>(to.dtype.code());
  call.op = &ufunc_of<ops::Copy>().op();
  if (code >= dtype::kComputeCount || static_cast<int>(from.dtype.code()) >= dtype::kComputeCount) {
    return false;
  }
  call.loop = call.op->same_loop[code];
  if (call.loop < 0 || !can_cast(from.dtype, to.dtype, casting)) return false;
  call.nout = 1;
  call.nargs = 2;
  call.ndim = to.ndim;
  call.size = to.size;
  for (int axis = 0; axis < to.ndim; ++axis) call.shape[axis] = to.shape[axis];
  int k = 0;
  for (const Body* body : {&to, &from}) {
    call.data[k] = body->data;
    call.dtypes[k] = body->dtype;
    call.storage[k] = body->storage;
    for (int axis = 0; axis < to.ndim; ++axis) call.strides[k][axis] = body->strides[axis];
    ++k;
  }
  touch(target.body());
  run_elementwise(call, to.device());
  return true;
}

[[noreturn]] void throw_cast(const char* operation, dtype from, const ndarray& target,
                             Casting casting) {
  throw DtypeError(message(operation, ": cannot cast from ", from.name(), " to ",
                           target.dtype().name(), " with casting rule '", name(casting), "'"));
}

}  // namespace

Scalar as_element(const char* operation, const Scalar& value, dtype type) {
  if (value.kind() != Scalar::Kind::floating || !type.is_integer()) return value;
  const double number = value.as_double();
  if (number != number) {
    throw ValueError(message(operation, ": cannot convert float NaN to integer; ", type.name()));
  }
  if (number - number != 0) {
    throw OverflowError(
        message(operation, ": cannot convert float infinity to integer; ", type.name()));
  }
  if (number < -0x1p63 || number >= (type == uint64 ? 0x1p64 : 0x1p63)) {
    throw OverflowError(message(operation, ": ", value, " does not fit ", type.name()));
  }
  // Truncated first: what lies in 64 bits, signed or not, is defined.
  const std::uint64_t bits = number < 0
                                 ? static_cast<std::uint64_t>(static_cast<std::int64_t>(number))
                                 : static_cast<std::uint64_t>(number);
  const int unused = static_cast<int>(64 - 8 * type.itemsize());
  if (!type.is_signed_integer()) return {bits << unused >> unused, type};
  return {static_cast<std::int64_t>(bits << unused) >> unused, type};
}

void assign(const char* operation, const ndarray& target, const Operand& source, Casting casting,
            const ndarray& where) {
  check_not_none(operation, target);
  if (!target.body()->writeable) {
    throw ValueError(message(operation, ": assignment destination is read-only"));
  }
  if (!source.is_array()) {
    const Scalar& given = source.scalar();
    const dtype from = given.dtype() ? given.dtype() : weak_dtype(given, target.dtype());
    if (!can_cast(from, target.dtype(), casting)) throw_cast(operation, from, target, casting);
    const Scalar value = as_element(operation, given, target.dtype());
    alignas(16) char element[16];
    value.store(operation, target.dtype(), element);  // throws where it does not fit
    if (fills_few(target, where, element)) return;
    if (covers_rows(target, where)) {
      touch(target.body());
      return cpu::fill_where(target, where, element);
    }
    call1(ufunc_of<ops::Copy>(), value,
          {.out = target, .where = where, .casting = Casting::unsafe, .dtype = target.dtype()});
    return;
  }
  check_not_none(operation, source.array());
  ndarray from = source.array();
  // Types without loops are bytes.
  const dtype type = target.dtype();
  if (from.dtype() == type && type.itemsize() == 1 && type.is_floating()) {
    return assign(operation, target.view(uint8), from.view(uint8), casting, where);
  }
  ndarray to = target;
  const Operand* const inputs[] = {&source};
  if (where.is_none() &&
      (call_quickly(ufunc_of<ops::Copy>().op(), inputs, to) || copies_few(target, from, casting))) {
    return;
  }
  if (!can_cast(from.dtype(), target.dtype(), casting)) {
    throw_cast(operation, from.dtype(), target, casting);
  }
  if (from.ndim() > target.ndim()) from = drop_leading(from, target.ndim());
  const Shape shape = broadcast_shapes(operation, target.shape(), from.shape());
  if (!(shape == target.shape())) {
    throw ShapeError(message(operation, ": could not broadcast from shape ", from.shape(),
                             " into shape ", target.shape()));
  }
  if (!(from.device() == target.device())) {
    // Straight into the target where nothing changes on the way.
    const bool crosses = from.device().is_cpu() || target.device().is_cpu();
    if (crosses && where.is_none() && same_bytes(from, target)) {
      return copy_bytes(target, from);
    }
    from = from.to(target.device());
  }
  if (same_contiguous(from, target) && covers_rows(target, where) && !may_overlap(from, target)) {
    touch(target.body());
    return cpu::copy_where(target, where, from);
  }
  call1(ufunc_of<ops::Copy>(), from,
        {.out = target, .where = where, .casting = Casting::unsafe, .dtype = target.dtype()});
}

}  // namespace internal

void ndarray::setitem(std::span<const internal::IndexItem> index, const Operand& value) const {
  internal::assign("setitem", getitem(index), value);
}

const View& View::operator=(const Operand& value) const&& {
  internal::assign("setitem", internal::place(*this), value);
  return *this;
}

const View& View::operator=(const View& value) const&& {
  internal::assign("setitem", internal::place(*this), value);
  return *this;
}

const View& View::operator=(std::initializer_list<internal::ListItem> list) const&& {
  const DeviceScope scope(device());
  internal::assign("setitem", internal::place(*this), array(list, dtype()));
  return *this;
}

void swap(View&& x, View&& y) {
  if (x.shape() != y.shape()) {
    throw ShapeError(message("swap: the shapes differ; ", x.shape(), " and ", y.shape()));
  }
  const ndarray held = x.copy();
  internal::assign("swap", x, y);
  internal::assign("swap", y, held);
}

void copyto(const ndarray& dst, const Operand& src, const CopytoOptions& options) {
  internal::assign("copyto", dst, src, options.casting, options.where);
}

}  // namespace cupyxx
