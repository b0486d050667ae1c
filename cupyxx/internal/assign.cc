// SPDX-License-Identifier: MIT
#include <cstring>

#include "cupyxx/error.h"
#include "cupyxx/internal/arrays.h"
#include "cupyxx/internal/gpu/runtime.h"
#include "cupyxx/internal/quick_call.h"
#include "cupyxx/internal/resolve.h"
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

// Between the host and a device. Copies to the host synchronise.
void copy_bytes(const ndarray& target, const ndarray& source) {
  const bool to_device = source.device().is_cpu();
  const ndarray& there = to_device ? target : source;
  const int index = there.device().index;
  void* const stream = gpu::current_stream(index);
  touch(target.body());
  gpu::record_use(there.body()->storage, stream);
  gpu::copy(target.data(), source.data(), static_cast<std::size_t>(source.nbytes()),
            to_device ? gpu::CopyKind::host_to_device : gpu::CopyKind::device_to_host, index,
            stream);
}

[[noreturn]] void throw_cast(const char* operation, dtype from, const ndarray& target,
                             Casting casting) {
  throw DtypeError(std::string(operation) + ": cannot cast from " + std::string(from.name()) +
                   " to " + std::string(target.dtype().name()) + " with casting rule '" +
                   std::string(name(casting)) + "'");
}

}  // namespace

void assign(const char* operation, const ndarray& target, const Operand& source, Casting casting,
            const ndarray& where) {
  check_not_none(operation, target);
  if (!target.body()->writeable) {
    throw ValueError(std::string(operation) + ": assignment destination is read-only");
  }
  if (!source.is_array()) {
    const Scalar& value = source.scalar();
    const dtype from = value.dtype() ? value.dtype() : weak_dtype(value, target.dtype());
    if (!can_cast(from, target.dtype(), casting)) throw_cast(operation, from, target, casting);
    alignas(16) char element[16];
    value.store(operation, target.dtype(), element);  // throws where it does not fit
    call1(ufunc_of<ops::Copy>(), value,
          {.out = target, .where = where, .casting = Casting::unsafe, .dtype = target.dtype()});
    return;
  }
  check_not_none(operation, source.array());
  ndarray from = source.array();
  ndarray to = target;
  const Operand* const inputs[] = {&source};
  if (where.is_none() && call_quickly(ufunc_of<ops::Copy>().op(), inputs, to)) return;
  if (!can_cast(from.dtype(), target.dtype(), casting)) {
    throw_cast(operation, from.dtype(), target, casting);
  }
  if (from.ndim() > target.ndim()) from = drop_leading(from, target.ndim());
  const Shape shape = broadcast_shapes(operation, target.shape(), from.shape());
  if (!(shape == target.shape())) {
    throw ShapeError(std::string(operation) + ": could not broadcast from shape " +
                     from.shape().str() + " into shape " + target.shape().str());
  }
  if (!(from.device() == target.device())) {
    // Straight into the target where nothing changes on the way.
    const bool crosses = from.device().is_cpu() || target.device().is_cpu();
    if (crosses && where.is_none() && same_contiguous(from, target)) {
      return copy_bytes(target, from);
    }
    from = from.to(target.device());
  }
  call1(ufunc_of<ops::Copy>(), from,
        {.out = target, .where = where, .casting = Casting::unsafe, .dtype = target.dtype()});
}

}  // namespace internal

void copyto(const ndarray& dst, const Operand& src, const CopytoOptions& options) {
  internal::assign("copyto", dst, src, options.casting, options.where);
}

}  // namespace cupyxx
