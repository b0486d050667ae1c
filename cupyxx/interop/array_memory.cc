// SPDX-License-Identifier: MIT
#include <cstdint>
#include <cstring>

#include "cupyxx/core/arrays.h"
#include "cupyxx/core/body.h"
#include "cupyxx/core/foreign_storage.h"
#include "cupyxx/error.h"
#include "cupyxx/internal/gpu/runtime.h"
#include "cupyxx/interop.h"

namespace cupyxx {

ndarray from_memory(const Shape& shape, cupyxx::dtype dtype, const cuda::MemoryPointer& memptr,
                    const Strides& strides) {
  constexpr const char* kName = "ndarray";
  internal::check_extents(kName, shape);
  const std::int64_t itemsize = dtype.itemsize();
  const Strides steps =
      strides.ndim() == 0 && shape.ndim() > 0 ? contiguous_strides(shape, itemsize) : strides;
  const internal::Extent extent = internal::extent_of(kName, shape, steps, itemsize);
  internal::Storage* storage = memptr.mem().storage();
  if (storage == nullptr) throw ValueError("ndarray: the memory pointer is null");
  if (extent.low < -memptr.offset() || extent.high > memptr.size()) {
    throw ValueError(message("ndarray: bytes ", memptr.offset() + extent.low, " to ",
                             memptr.offset() + extent.high, " are not inside of the ",
                             memptr.mem().size(), " bytes of the memory"));
  }
  bool aligned =
      reinterpret_cast<std::uintptr_t>(memptr.ptr()) % static_cast<std::uintptr_t>(itemsize) == 0;
  for (int i = 0; i < steps.ndim(); ++i) {
    aligned = aligned && (shape[i] <= 1 || steps[i] % itemsize == 0);
  }
  if (!aligned) {
    throw ValueError(message("ndarray: elements are not aligned to their ", itemsize,
                             " bytes; offset ", memptr.offset(), ", strides ", steps));
  }
  internal::retain(storage);
  internal::expose(storage);  // the memory's owner may write to it
  return internal::wrap_array(storage, memptr.ptr(), dtype, shape, steps, true);
}

cuda::MemoryPointer memory_of(const ndarray& a) {
  internal::check_not_none("memory_of", a);
  internal::Storage* storage = a.body()->storage;
  internal::expose(storage);
  internal::retain(storage);
  return cuda::MemoryPointer(cuda::Memory::adopt(storage), a.body()->data - storage->data);
}

ndarray empty_pinned(const Shape& shape, cupyxx::dtype dtype) {
  internal::check_extents("empty_pinned", shape);
  const std::int64_t nbytes = shape.element_count() * dtype.itemsize();
  const cuda::MemoryPointer memory = internal::gpu::device_count() > 0
                                         ? cuda::alloc_pinned_memory(nbytes)
                                         : cuda::MemoryPointer(cuda::Memory(nbytes, Device::cpu()));
  ndarray a = from_memory(shape, dtype, memory);
  a.body()->owndata = true;
  return a;
}

ndarray zeros_pinned(const Shape& shape, cupyxx::dtype dtype) {
  const ndarray a = empty_pinned(shape, dtype);
  if (a.nbytes() > 0) std::memset(a.elements(), 0, static_cast<std::size_t>(a.nbytes()));
  return a;
}

ndarray empty_like_pinned(const ndarray& a, cupyxx::dtype dtype) {
  internal::check_not_none("empty_like_pinned", a);
  return empty_pinned(a.shape(), dtype ? dtype : a.dtype());
}

ndarray zeros_like_pinned(const ndarray& a, cupyxx::dtype dtype) {
  internal::check_not_none("zeros_like_pinned", a);
  return zeros_pinned(a.shape(), dtype ? dtype : a.dtype());
}

void copy_async(const ndarray& target, const ndarray& source, const cuda::Stream& stream) {
  for (const ndarray* a : {&target, &source}) internal::check_not_none("copy_async", *a);
  if (!target.body()->writeable) throw ValueError("copy_async: the target is read-only");
  if (target.dtype() != source.dtype()) {
    throw DtypeError(message("copy_async: the dtypes differ: ", target.dtype().name(), " and ",
                             source.dtype().name()));
  }
  if (!(target.shape() == source.shape())) {
    throw ShapeError(
        message("copy_async: the shapes differ: ", target.shape(), " and ", source.shape()));
  }
  if (!target.body()->c_contiguous || !source.body()->c_contiguous) {
    throw ValueError("copy_async: an array is not C-contiguous");
  }
  memory_of(target).copy_from_async(memory_of(source), source.nbytes(), stream);
}

ndarray asnumpy(const ndarray& a, const cuda::Stream& stream) {
  return internal::get("asnumpy", a, stream);
}

namespace internal {

namespace {

void check_stream(const char* operation, Device device, const cuda::Stream& stream) {
  if (device.is_cuda() && device.index == stream.device()) return;
  const int other = stream.device();
  throw DeviceError(message(operation, ": the array is for ", device.name(), ", the stream of ",
                            other < 0 ? "the host" : message("cuda:", other)));
}

}  // namespace

ndarray get(const char* operation, const ndarray& a, const cuda::Stream& stream) {
  check_not_none(operation, a);
  if (a.device().is_cpu()) return a;
  check_stream(operation, a.device(), stream);
  const cuda::StreamScope scope(stream);
  const ndarray result = empty_like_pinned(a);
  copy_async(result, contiguous(a), stream);
  return result;
}

void set(const ndarray& target, const ndarray& source, const cuda::Stream& stream) {
  check_not_none("set", target);
  check_not_none("set", source);
  if (target.device().is_cpu() && source.device().is_cpu()) return target.set(source);
  check_stream("set", target.device().is_cuda() ? target.device() : source.device(), stream);
  const cuda::StreamScope scope(stream);
  target.set(source);
}

ndarray to_cuda(const char* operation, const ndarray& a, Device device,
                const cuda::Stream& stream) {
  check_not_none(operation, a);
  check_stream(operation, device, stream);
  if (a.device() == device) return a;
  const cuda::StreamScope scope(stream);
  const ndarray source = contiguous(a);
  const ndarray result = make_array(operation, a.shape(), a.dtype(), device);
  copy_async(result, source, stream);
  return result;
}

}  // namespace internal

ndarray ndarray::get(const cuda::Stream& stream) const {
  return internal::get("get", *this, stream);
}
void ndarray::set(const ndarray& source, const cuda::Stream& stream) const {
  internal::set(*this, source, stream);
}

}  // namespace cupyxx
