// SPDX-License-Identifier: MIT
#include <memory>
#include <utility>

#include "cupyxx/core/foreign_storage.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/interop.h"

namespace cupyxx {

namespace {

using Owner = internal::Shared<const void>;

ndarray view_of(const char* operation, char* data, const Shape& shape, dtype type,
                const Strides& strides, bool writeable, Owner owner) {
  if (!type) throw TypeError(message(operation, ": the dtype is not specified"));
  const internal::Extent extent = internal::extent_of(operation, shape, strides, type.itemsize());
  if (data == nullptr && extent.low != extent.high) {
    throw ValueError(message(operation, ": the pointer is null; shape ", shape));
  }
  auto kept = owner == nullptr ? nullptr : std::make_unique<Owner>(std::move(owner));
  internal::ForeignMemory memory{.device = Device::cpu(),
                                 .data = data + extent.low,
                                 .nbytes = static_cast<std::size_t>(extent.high - extent.low)};
  if (kept != nullptr) {
    memory.release = [](void* context) { delete static_cast<Owner*>(context); };
    memory.context = kept.get();
  }
  internal::Storage* storage = internal::wrap_memory(memory);
  static_cast<void>(kept.release());  // the memory has it now
  return internal::wrap_array(storage, data, type, shape, strides, writeable);
}

}  // namespace

ndarray from_host_buffer(void* data, const Shape& shape, cupyxx::dtype dtype,
                         HostBufferOptions options) {
  internal::check_extents("from_host_buffer", shape);
  const bool dense = options.strides.empty();
  const Strides strides = dense ? contiguous_strides(shape, dtype.itemsize()) : options.strides;
  const std::int64_t unit = dtype.is_complex() ? dtype.itemsize() / 2 : dtype.itemsize();
  bool aligned = unit == 0 || reinterpret_cast<std::intptr_t>(data) % unit == 0;
  for (int i = 0; i < strides.ndim(); ++i)
    aligned = aligned && (unit == 0 || strides[i] % unit == 0);
  if (!aligned) {
    throw ValueError(message("from_host_buffer: the elements are not aligned to their size; ", unit,
                             ", strides ", strides));
  }
  return view_of("from_host_buffer", static_cast<char*>(data), shape, dtype, strides,
                 options.writeable, std::move(options.owner));
}

ndarray internal::from_bytes(const void* bytes, std::size_t size, bool writeable, dtype type,
                             std::int64_t count, std::int64_t offset) {
  if (!type) type = float64;
  const auto length = static_cast<std::int64_t>(size), itemsize = type.itemsize();
  if (offset < 0 || offset > length) {
    throw ValueError(
        message("frombuffer: offset must be non-negative and no greater than buffer length (",
                length, "); ", offset));
  }
  const std::int64_t rest = length - offset;
  if (count < 0) {
    if (rest % itemsize != 0) {
      throw ValueError(message("frombuffer: buffer size must be a multiple of element size; ", rest,
                               " and ", itemsize));
    }
    count = rest / itemsize;
  } else if (count > rest / itemsize) {
    throw ValueError(message("frombuffer: buffer is smaller than requested size; ", rest,
                             " bytes for ", count, " elements of ", itemsize));
  }
  char* data = static_cast<char*>(const_cast<void*>(bytes)) + offset;
  const std::int64_t unit = type.is_complex() ? itemsize / 2 : itemsize;
  const auto whole = [&](dtype of, std::int64_t elements) {
    return view_of("frombuffer", data, {elements}, of, {of.itemsize()}, writeable, nullptr);
  };
  // Elements at odd addresses are copied: no loop reads them there.
  ndarray result;
  if (reinterpret_cast<std::intptr_t>(data) % unit == 0) {
    result = whole(type, count);
  } else {
    result = whole(uint8, count * itemsize).copy().view(type);
    result.set_writeable(writeable);
  }
  return result.to(current_device());
}

}  // namespace cupyxx
