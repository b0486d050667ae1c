// SPDX-License-Identifier: MIT
#include <memory>
#include <string>

#include "cupyxx/core/foreign_storage.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/internal/gpu/runtime.h"
#include "cupyxx/internal/gpu/uses.h"
#include "cupyxx/interop.h"
#include "cupyxx/interop/dlpack_abi.h"

namespace cupyxx {

namespace {

constexpr DLPackVersion kVersion{1, 0};

// In the order of dtype::Code.
constexpr DLDataType kTypes[] = {
    {kDLBool, 8, 1},        {kDLInt, 8, 1},      {kDLInt, 16, 1},      {kDLInt, 32, 1},
    {kDLInt, 64, 1},        {kDLUInt, 8, 1},     {kDLUInt, 16, 1},     {kDLUInt, 32, 1},
    {kDLUInt, 64, 1},       {kDLFloat, 16, 1},   {kDLFloat, 32, 1},    {kDLFloat, 64, 1},
    {kDLBfloat, 16, 1},     {kDLComplex, 64, 1}, {kDLComplex, 128, 1}, {kDLFloat8_e4m3fn, 8, 1},
    {kDLFloat8_e5m2, 8, 1},
};
static_assert(std::size(kTypes) == dtype::kCount);
constexpr bool rows_have_sizes_of_dtypes() {
  for (int code = 0; code < dtype::kCount; ++code) {
    if (kTypes[code].bits != 8 * dtype(static_cast<dtype::Code>(code)).itemsize()) return false;
  }
  return true;
}
static_assert(rows_have_sizes_of_dtypes());

std::string describe(DLDataType type) {
  constexpr const char* kNames[] = {"int",    "uint",    "float", "opaque handle",
                                    "bfloat", "complex", "bool"};
  const std::string name =
      type.code < std::size(kNames) ? kNames[type.code] : "code " + std::to_string(type.code);
  return name + " of " + std::to_string(type.bits) + " bits, " + std::to_string(type.lanes) +
         (type.lanes == 1 ? " lane" : " lanes");
}

dtype to_dtype(DLDataType type) {
  for (int code = 0; code < dtype::kCount; ++code) {
    const DLDataType& known = kTypes[code];
    if (known.code == type.code && known.bits == type.bits && known.lanes == type.lanes) {
      return static_cast<dtype::Code>(code);
    }
  }
  throw DtypeError(message("from_dlpack: no dtype has elements of this type; ", describe(type)));
}

Device to_device(DLDevice device) {
  switch (device.device_type) {
    case kDLCPU:
    case kDLCUDAHost:
      return Device::cpu();
    case kDLCUDA:
    case kDLCUDAManaged:
      internal::gpu::check_device("from_dlpack", device.device_id);
      return Device::cuda(device.device_id);
    default:
      throw DeviceError(
          message("from_dlpack: only host and CUDA memory can be used; the tensor is on a device "
                  "of DLPack's type ",
                  device.device_type));
  }
}

// 1 and 2 are CUDA's own handles of the two default streams; ours is the legacy one.
void* to_stream(const char* operation, std::intptr_t number) {
  if (number == 0 || number < kDlpackNoStream) {
    throw ValueError(message(operation, ": no stream has this number; ", number,
                             " (1 and 2 are the default streams, -1 is none)"));
  }
  return number == kDlpackLegacyStream ? nullptr : reinterpret_cast<void*>(number);
}

// A handle for later and for other threads. The per-thread stream means another one there, but each
// of them runs in turn with the legacy stream.
void* lasting_stream(void* stream) {
  return stream == reinterpret_cast<void*>(kDlpackPerThreadStream) ? nullptr : stream;
}

// A tensor with what it refers to.
template <class Tensor>
struct Export {
  Tensor tensor{};
  ndarray array;
  std::int64_t extents[2 * kMaxNdim];

  static void destroy(Tensor* tensor) { delete static_cast<Export*>(tensor->manager_ctx); }
};

template <class Tensor>
Export<Tensor>* make_export(const char* operation, const ndarray& a,
                            const ToDlpackOptions& options) {
  if (a.is_none()) throw TypeError(message(operation, ": the array is None"));
  auto made = std::make_unique<Export<Tensor>>();
  ndarray& array = made->array;
  array = options.device ? a.to(*options.device) : a;
  if (options.copy && array.shares_memory(a)) array = array.copy();
  const internal::Body& body = *array.body();
  std::int64_t* shape = made->extents;
  std::int64_t* strides = made->extents + body.ndim;
  for (int i = 0; i < body.ndim; ++i) {
    shape[i] = body.shape[i];
    // Where nothing lies behind an axis its stride may be anything.
    const bool counts = body.shape[i] > 1 && body.size != 0;
    if (counts && body.strides[i] % body.dtype.itemsize() != 0) {
      throw ValueError(message(operation, ": strides must be multiples of the element's size; ",
                               array.strides(), " and ", body.dtype.itemsize()));
    }
    strides[i] = body.strides[i] / body.dtype.itemsize();
  }
  const Device device = array.device();
  internal::expose(body.storage);
  if (device.is_cuda()) {
    void* stream = to_stream(operation, options.stream);
    if (options.stream != kDlpackNoStream) {
      internal::gpu::order_after_uses(body.storage, stream);
      internal::gpu::record_use(body.storage, lasting_stream(stream));
    }
  }
  made->tensor.manager_ctx = made.get();
  made->tensor.deleter = Export<Tensor>::destroy;
  made->tensor.dl_tensor = {.data = body.size == 0 ? nullptr : body.data,
                            .device = {device.is_cuda() ? kDLCUDA : kDLCPU, device.index},
                            .ndim = body.ndim,
                            .dtype = kTypes[static_cast<int>(body.dtype.code())],
                            .shape = shape,
                            .strides = strides,
                            .byte_offset = 0};
  return made.release();
}

// Calls the deleter unless the arrays have taken that over.
template <class Tensor>
struct Import {
  Tensor* tensor;

  ~Import() {
    if (tensor != nullptr) destroy(tensor);
  }
  static void destroy(void* context) {
    auto* tensor = static_cast<Tensor*>(context);
    if (tensor->deleter != nullptr) tensor->deleter(tensor);
  }
};

Strides strides_in_bytes(const DLTensor& tensor, const Shape& shape, std::int64_t itemsize) {
  if (tensor.strides == nullptr) return contiguous_strides(shape, itemsize);
  Strides strides(tensor.strides, static_cast<std::size_t>(tensor.ndim));
  for (int i = 0; i < shape.ndim(); ++i) {
    if (shape[i] <= 1) strides[i] = 1;  // leads nowhere; producers leave anything there
    if (!__builtin_mul_overflow(strides[i], itemsize, &strides[i])) continue;
    throw ValueError(message("from_dlpack: the strides reach beyond 64 bits; ",
                             Strides(tensor.strides, static_cast<std::size_t>(tensor.ndim)),
                             " elements"));
  }
  return strides;
}

template <class Tensor>
ndarray import(Tensor* managed, bool writeable, Import<Tensor>& owner,
               const FromDlpackOptions& options) {
  const DLTensor& tensor = managed->dl_tensor;
  if (tensor.ndim < 0 || tensor.ndim > kMaxNdim) {
    throw ValueError(
        message("from_dlpack: the rank is not between 0 and ", kMaxNdim, "; ", tensor.ndim));
  }
  if (tensor.ndim > 0 && tensor.shape == nullptr) {
    throw ValueError(message("from_dlpack: a tensor of rank ", tensor.ndim, " has no shape"));
  }
  const dtype type = to_dtype(tensor.dtype);
  const Device device = to_device(tensor.device);
  const Shape shape(tensor.shape, static_cast<std::size_t>(tensor.ndim));
  internal::check_extents("from_dlpack", shape);
  const Strides strides = strides_in_bytes(tensor, shape, type.itemsize());
  const internal::Extent extent =
      internal::extent_of("from_dlpack", shape, strides, type.itemsize());
  const bool empty = extent.low == extent.high;
  if (tensor.data == nullptr && !empty) {
    throw ValueError(message("from_dlpack: a tensor of shape ", shape, " has no data"));
  }
  std::int64_t address = 0, low = 0, high = 0;
  if (!empty && (__builtin_add_overflow(reinterpret_cast<std::intptr_t>(tensor.data),
                                        tensor.byte_offset, &address) ||
                 __builtin_add_overflow(address, extent.low, &low) ||
                 __builtin_add_overflow(address, extent.high, &high) || low <= 0)) {
    throw ValueError(
        message("from_dlpack: the elements reach beyond the memory's addresses; offset ",
                tensor.byte_offset));
  }
  char* first = reinterpret_cast<char*>(address);
  const std::int64_t unit = type.is_complex() ? type.itemsize() / 2 : type.itemsize();
  if (reinterpret_cast<std::intptr_t>(first) % unit != 0) {
    throw ValueError(message("from_dlpack: the elements are not aligned to their size; offset ",
                             tensor.byte_offset, ", size ", unit));
  }
  internal::ForeignMemory memory{.device = device,
                                 .data = first + extent.low,
                                 .nbytes = static_cast<std::size_t>(extent.high - extent.low),
                                 .release = Import<Tensor>::destroy,
                                 .context = managed};
  if (tensor.device.device_type != kDLCPU) {
    void* stream = to_stream("from_dlpack", options.stream);
    const int index = tensor.device.device_id;
    if (options.stream != kDlpackNoStream && device.is_cuda()) {
      internal::gpu::order_streams(index, stream, internal::gpu::current_stream(index));
      memory.has_stream = true;
      memory.stream = lasting_stream(stream);
    } else if (options.stream != kDlpackNoStream && internal::gpu::device_count() > 0) {
      // The host reads at once what a device may still be writing.
      internal::gpu::synchronize(internal::gpu::current_device(), stream);
    }
  }
  internal::Storage* storage = internal::wrap_memory(memory);
  owner.tensor = nullptr;
  ndarray a = internal::wrap_array(storage, first, type, shape, strides, writeable);
  ndarray result = options.device ? a.to(*options.device) : a;
  return options.copy && result.shares_memory(a) ? result.copy() : result;
}

}  // namespace

void DlpackDeleter::operator()(DLManagedTensor* tensor) const noexcept {
  Import<DLManagedTensor>::destroy(tensor);
}

void DlpackDeleter::operator()(DLManagedTensorVersioned* tensor) const noexcept {
  Import<DLManagedTensorVersioned>::destroy(tensor);
}

DlpackTensor to_dlpack(const ndarray& a, const ToDlpackOptions& options) {
  auto* made = make_export<DLManagedTensorVersioned>("to_dlpack", a, options);
  made->tensor.version = kVersion;
  const bool copied = !made->array.shares_memory(a);
  made->tensor.flags =
      (made->array.flags().writeable ? 0 : kDLFlagReadOnly) | (copied ? kDLFlagIsCopied : 0);
  return DlpackTensor(&made->tensor);
}

DlpackUnversionedTensor to_dlpack_unversioned(const ndarray& a, const ToDlpackOptions& options) {
  DlpackUnversionedTensor tensor(
      &make_export<DLManagedTensor>("to_dlpack_unversioned", a, options)->tensor);
  if (!static_cast<Export<DLManagedTensor>*>(tensor->manager_ctx)->array.flags().writeable) {
    throw ValueError(message(
        "to_dlpack_unversioned: the array is read-only, which only version 1 can say; shape ",
        a.shape()));
  }
  return tensor;
}

ndarray from_dlpack(DLManagedTensorVersioned* tensor, const FromDlpackOptions& options) {
  if (tensor == nullptr) throw ValueError("from_dlpack: the tensor is null");
  Import<DLManagedTensorVersioned> owner{tensor};
  if (tensor->version.major != kVersion.major) {
    throw ValueError(message("from_dlpack: only DLPack 1.x can be read; the tensor has version ",
                             tensor->version.major, ".", tensor->version.minor));
  }
  return import(tensor, (tensor->flags & kDLFlagReadOnly) == 0, owner, options);
}

ndarray from_dlpack(DLManagedTensor* tensor, const FromDlpackOptions& options) {
  if (tensor == nullptr) throw ValueError("from_dlpack: the tensor is null");
  Import<DLManagedTensor> owner{tensor};
  return import(tensor, true, owner, options);
}

ndarray from_dlpack(DlpackTensor tensor, const FromDlpackOptions& options) {
  return from_dlpack(tensor.release(), options);
}

ndarray from_dlpack(DlpackUnversionedTensor tensor, const FromDlpackOptions& options) {
  return from_dlpack(tensor.release(), options);
}

ndarray from_dlpack(const ndarray& a, const FromDlpackOptions& options) {
  if (a.is_none()) throw TypeError("from_dlpack: the array is None");
  return from_dlpack(to_dlpack(a), options);
}

}  // namespace cupyxx
